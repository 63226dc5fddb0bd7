#!/bin/sh
# The orchestrator as a program: payload on standard input, the run document on standard output. Options: --help.
case $0 in */*) self=$0 ;; *) self=./$0 ;; esac
while [ -L "$self" ]; do link=$(PATH=/usr/bin:/bin:$PATH; readlink "$self"); case $link in /*) self=$link ;; *) self=${self%/*}/$link ;; esac; done
project=${self%/*}/..
[ -r "$project/hooks/lib/door.sh" ] && [ -r "$project/hooks/lib/guard.sh" ] || { echo 'auto-tool-orchestrator: not a whole installation' >&2; exit 10; }
. "$project/hooks/lib/door.sh" && . "$project/hooks/lib/guard.sh"
run_guarded json orchestrator.cjs "$@"
