# Shared by the hook doors, sourced after door.sh and guard.sh: asks the resident without starting node, where one is there.

# Becomes the answer of the resident to the payload on standard input; $@ are the door's arguments. Returns where there is
# no resident, or where the question is none for it.
ask_resident() {
  # The resident did not answer, and all of the time is used up.
  [ "${GROUNDWORK_DOOR:-}" = empty ] && empty_injection hook
  [ -z "${GROUNDWORK_DOOR:-}" ] && [ "${GROUNDWORK_RESIDENT:-auto}" != off ] && [ $# -eq 0 ] && [ ! -t 2 ] || return 0
  [ -x "$project/hooks/auto-tool-orchestrator.sh" ] && [ -n "$here" ] || return 0
  case ${GROUNDWORK_HOME:-} in
    /*) state=$GROUNDWORK_HOME ;;
    *) case ${XDG_CACHE_HOME:-} in /*) state=$XDG_CACHE_HOME/groundwork ;; *) state=${HOME:-}/.cache/groundwork ;; esac ;;
  esac
  case $state in /*) ;; *) return 0 ;; esac
  { [ -r "$state/resident/place" ] && IFS= read -r build <"$project/dist/build-id"; } 2>/dev/null || return 0
  door=$project/hooks/context-inject-global.sh
  export PWD
  for program in /usr/bin/perl /bin/perl /usr/local/bin/perl /usr/bin/curl /bin/curl /usr/local/bin/curl; do
    [ -x "$program" ] || continue
    case $program in
      *perl)
        # What is in there would be run, or would change how bytes are read.
        unset PERL5OPT PERL5LIB PERL5DB PERL_UNICODE PERLIO
        exec "$program" "$project/hooks/lib/ask-resident.pl" "$state/resident" "$build" "$limit" "$door"
        ;;
      *curl) . "$project/hooks/lib/ask-by-curl.sh" && ask_by_curl "$program" ;;
    esac
    return 0
  done
}
