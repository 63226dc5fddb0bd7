#!/bin/sh
# One run of Codex in the foreground: instructions put together, policy checked, everything kept. Options: --help.
case $0 in */*) project=${0%/*} ;; *) project=. ;; esac
[ -L "$0" ] && project=$(PATH=/usr/bin:/bin:$PATH; dirname "$(readlink -f "$0")")
[ -r "$project/hooks/lib/door.sh" ] || { echo 'start.sh: not a whole installation' >&2; exit 10; }
. "$project/hooks/lib/door.sh"
# On its own it keeps its runs beside itself.
GROUNDWORK_START_ROOT=$project
export GROUNDWORK_START_ROOT
run_program start.sh codex-start.cjs "$@"
