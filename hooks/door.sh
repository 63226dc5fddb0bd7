# Shared by the shell doors, sourced: finds node, and runs a program of dist/ so that a door fails open.
# Needs: here, the folder of the door. Sets: project, node.
project=$here/..
node=
for candidate in node /usr/local/bin/node /opt/homebrew/bin/node "${HOME:-}/.volta/bin/node" /usr/bin/node; do
  command -v "$candidate" >/dev/null 2>&1 && node=$candidate && break
done

# What is printed when there is no answer: $1 is the format. The hook envelope never fails, or the client would drop it.
empty_injection() {
  case $1 in
    json) IFS= read -r line <"$project/hooks/empty-injection.json" && printf '%s\n' "$line"; exit 10 ;;
    text) printf '%s\n' '[Limits] orchestrator unavailable'; exit 10 ;;
    *) printf '%s\n' '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":""}}'; exit 0 ;;
  esac
}

# Runs dist/$2 with the rest as arguments and ends it when it hangs, with what it started: the process itself cannot,
# once its event loop is blocked. The limit lies above every budget that a file can give, and above the environment's.
run_guarded() {
  format=$1 program=$project/dist/$2 limit=17 child='' guard=''
  shift 2
  [ -n "$node" ] && [ -r "$program" ] || empty_injection "$format"
  case ${CI_AUTO_TOOLS_BUDGET_WALL_MS:-0} in 0* | *[!0-9]* | ??????*) ;; *) limit=$((CI_AUTO_TOOLS_BUDGET_WALL_MS / 1000 + 7)) ;; esac
  case $format in json | text) ended=143 ;; *) ended=0 ;; esac
  trap 'kill $child $guard 2>/dev/null; wait $child 2>/dev/null; exit $ended' TERM INT HUP
  # A background command's own stdin is /dev/null; a closed one must not end the shell.
  { command exec 3<&0; } 2>/dev/null || exec 3</dev/null
  "$node" "$program" "$@" <&3 3<&- &
  child=$!
  (trap 'kill $!; exit' TERM; sleep "$limit" & wait $! && kill -9 "$child" && for place in /proc/[0-9]*/environ; do
    grep -aq "GROUNDWORK_CALL=$child-" "$place" && place=${place%/environ} && kill -9 "${place#/proc/}"; done) </dev/null >/dev/null 2>&1 3<&- &
  guard=$!
  wait "$child" 2>/dev/null; code=$?
  kill "$guard" 2>/dev/null
  case $code in 0 | 10 | 20 | 30 | 40 | 50) exit "$code" ;; esac
  # 1 is an answer only to --analyze-intent; else the program did not even load.
  [ "$code" = 1 ] && [ -n "${analysis:-}" ] && exit 1
  empty_injection "$format"
}
