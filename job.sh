#!/bin/sh
# Codex in the background: start, status, logs, stop, list, resume, clean, metrics. Options: --help.
case $0 in */*) self=$0 ;; *) self=./$0 ;; esac
while [ -L "$self" ]; do link=$(PATH=/usr/bin:/bin:$PATH; readlink "$self"); case $link in /*) self=$link ;; *) self=${self%/*}/$link ;; esac; done
project=${self%/*}
[ -r "$project/hooks/lib/door.sh" ] || { echo 'job.sh: not a whole installation' >&2; exit 10; }
. "$project/hooks/lib/door.sh"
run_program job.sh codex-job.cjs "$@"
