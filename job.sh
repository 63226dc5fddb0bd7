#!/bin/sh
# Codex in the background: start, status, logs, stop, list, resume, clean, metrics. Options: --help.
case $0 in */*) project=${0%/*} ;; *) project=. ;; esac
[ -L "$0" ] && project=$(PATH=/usr/bin:/bin:$PATH; dirname "$(readlink -f "$0")")
[ -r "$project/hooks/lib/door.sh" ] || { echo 'job.sh: not a whole installation' >&2; exit 10; }
. "$project/hooks/lib/door.sh"
run_program job.sh codex-job.cjs "$@"
