#!/bin/sh
# Entry point for clients and the command line: takes a prompt and prints the evidence for it. Options: --help.
# It only runs the program that talks to the orchestrator; it never calls a tool.
case $0 in */*) self=$0 ;; *) self=./$0 ;; esac
while [ -L "$self" ]; do link=$(PATH=/usr/bin:/bin:$PATH; readlink "$self"); case $link in /*) self=$link ;; *) self=${self%/*}/$link ;; esac; done
project=${self%/*}/..
# Files may be missing or incomplete during an update: exit code 2 of a shell that cannot continue blocks the prompt.
trap 'case $? in 2 | 126 | 127) exit 0 ;; esac' EXIT
[ -r "$project/hooks/lib/door.sh" ] && [ -r "$project/hooks/lib/guard.sh" ] || exit 0
. "$project/hooks/lib/door.sh" && . "$project/hooks/lib/guard.sh"
case ${1:-} in statusline) route=statusline ;; *) route=hook ;; esac
[ -r "$project/hooks/lib/resident.sh" ] && . "$project/hooks/lib/resident.sh" && ask_resident "$@"
# The line for Claude Code's status bar; empty if there is nothing to show.
[ "$route" = hook ] || { become_quietly statusline.cjs; exit 0; }
format=hook previous='' analysis=''
for argument; do
  [ "$previous" = --format ] && format=$argument
  case $argument in --format=*) format=${argument#*=} ;; --analyze-intent) analysis=1 ;; esac
  previous=$argument
done
run_guarded "$format" hook.cjs "$@"
