#!/bin/sh
# The orchestrator as a program: payload on standard input, the run document on standard output. Options: --help.
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
[ -L "$0" ] && here=$(PATH=/usr/bin:/bin:$PATH; dirname "$(readlink -f "$0")")
[ -r "$here/lib/door.sh" ] && [ -r "$here/lib/guard.sh" ] || { echo 'auto-tool-orchestrator: not a whole installation' >&2; exit 10; }
. "$here/lib/door.sh" && . "$here/lib/guard.sh"
run_guarded json orchestrator.cjs "$@"
