#!/bin/sh
# The orchestrator as a program: payload on standard input, the run document on standard output. Options: --help.
case $0 in */*) project=${0%/*}/.. ;; *) project=.. ;; esac
[ -L "$0" ] && project=$(PATH=/usr/bin:/bin:$PATH; dirname "$(readlink -f "$0")")/..
[ -r "$project/hooks/lib/door.sh" ] && [ -r "$project/hooks/lib/guard.sh" ] || { echo 'auto-tool-orchestrator: not a whole installation' >&2; exit 10; }
. "$project/hooks/lib/door.sh" && . "$project/hooks/lib/guard.sh"
run_guarded json orchestrator.cjs "$@"
