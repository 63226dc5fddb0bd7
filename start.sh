#!/bin/sh
# Runs Codex once in the foreground: composes the instructions, checks the policy, keeps all records. Options: --help.
case $0 in */*) self=$0 ;; *) self=./$0 ;; esac
while [ -L "$self" ]; do link=$(PATH=/usr/bin:/bin:$PATH; readlink "$self"); case $link in /*) self=$link ;; *) self=${self%/*}/$link ;; esac; done
project=${self%/*}
[ -r "$project/hooks/lib/door.sh" ] || { echo 'start.sh: not a whole installation' >&2; exit 10; }
. "$project/hooks/lib/door.sh"
# If run directly, it keeps its runs in its own folder.
GROUNDWORK_START_ROOT=$project
export GROUNDWORK_START_ROOT
run_program start.sh codex-start.cjs "$@"
