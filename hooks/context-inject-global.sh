#!/bin/sh
# Entry for clients and the command line: takes a prompt, prints the evidence for it. Options: --help.
# It only runs the program that talks to the orchestrator; it never calls a tool.
case $0 in */*) project=${0%/*}/.. ;; *) project=.. ;; esac
[ -L "$0" ] && project=$(PATH=/usr/bin:/bin:$PATH; dirname "$(readlink -f "$0")")/..
[ -r "$project/hooks/lib/door.sh" ] && [ -r "$project/hooks/lib/guard.sh" ] || { printf '%s\n' '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":""},"systemMessage":"groundwork: orchestrator unavailable"}'; exit 0; }
. "$project/hooks/lib/door.sh" && . "$project/hooks/lib/guard.sh"
format=hook previous= analysis=
for argument; do
  [ "$previous" = --format ] && format=$argument
  case $argument in --format=*) format=${argument#*=} ;; --analyze-intent) analysis=1 ;; esac
  previous=$argument
done
run_guarded "$format" hook.cjs "$@"
