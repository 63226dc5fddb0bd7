# Sourced by the hook doors after door.sh: runs a program of dist/ so that the door answers whatever happens to it.

# Kills the program if it hangs: the process itself cannot, once its event loop is blocked. Checks every second whether
# the program is still running, because a signal that arrives while a shell forks is lost.
watch_over() {
  trap 'kill $!; exit' TERM
  PATH=$safe_path
  while [ "$limit" -gt 0 ]; do kill -0 "$child" || exit; sleep 1 & wait $! || exit; limit=$((limit - 1)); done
  # Without /proc, only parent ids identify its children, and only while it runs; each leads its own process group.
  [ -r /proc/self/environ ] || for pid in $(ps -A -o pid= -o ppid= | while read -r pid of; do [ "$of" != "$child" ] || echo "$pid"; done); do kill -9 "-$pid"; done
  kill -9 "$child"
}

# Exits with the program's exit code $1. After a killed program it cleans up; for one that failed to load, which has
# printed nothing, it prints the empty answer. $2 is the exit code for the signal if the door was asked to exit.
# shellcheck disable=SC2013 # the words are paths of /proc
settle() {
  PATH=$safe_path; kill "$guard" 2>/dev/null
  case $1 in
    0 | 10 | 20 | 30 | 40 | 50) exit "$1" ;;
    1) [ -n "${analysis:-}" ] && exit 1 ;;
    137) for place in $(grep -ls "GROUNDWORK_CALL=$child-" /proc/[0-9]*/environ); do place=${place%/environ}; kill -9 "${place#/proc/}" 2>/dev/null; done ;;
  esac
  case $2,$format in ,*) empty_injection "$format" ;; *,json | *,text) exit "$2" ;; *) exit 0 ;; esac
}

# Runs dist/$2 for the format $1; the other arguments are passed on.
# shellcheck disable=SC2016,SC2064 # what a signal does is put together first and read when it comes
run_guarded() {
  format=$1 program=$project/dist/$2 child='' guard=''; shift 2
  [ -n "$node" ] && [ -r "$program" ] || empty_injection "$format"
  leave='kill $child $guard 2>/dev/null; wait $child 2>/dev/null; settle $?'
  trap "$leave 143" TERM; trap "$leave 130" INT; trap "$leave 129" HUP
  # The stdin of a background command is /dev/null; a closed stdin must not end the shell.
  { command exec 3<&0; } 2>/dev/null || exec 3</dev/null
  "$node" "$program" "$@" <&3 3<&- & child=$!
  watch_over </dev/null >/dev/null 2>&1 3<&- & guard=$!
  wait "$child" 2>/dev/null; settle $? ''
}
