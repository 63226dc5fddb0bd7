#!/bin/sh
# The orchestrator as a program: payload on standard input, the run document on standard output. Options: --help.
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
[ -L "$0" ] && here=$(dirname "$(readlink -f "$0")")
. "$here/door.sh"
. "$here/guard.sh"
run_guarded json orchestrator.cjs "$@"
