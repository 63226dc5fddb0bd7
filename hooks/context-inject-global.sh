#!/bin/sh
# Entry for clients and the command line: takes a prompt, prints the evidence for it. Options: --help.
# It only runs the program that talks to the orchestrator; it never calls a tool.
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
[ -L "$0" ] && here=$(PATH=/usr/bin:/bin:$PATH; dirname "$(readlink -f "$0")")
[ -r "$here/lib/door.sh" ] && [ -r "$here/lib/guard.sh" ] || { printf '%s\n' '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":""},"systemMessage":"groundwork: orchestrator unavailable"}'; exit 0; }
. "$here/lib/door.sh" && . "$here/lib/guard.sh"
format=hook previous= analysis=
for argument; do
  [ "$previous" = --format ] && format=$argument
  case $argument in --format=*) format=${argument#*=} ;; --analyze-intent) analysis=1 ;; esac
  previous=$argument
done
run_guarded "$format" hook.cjs "$@"
