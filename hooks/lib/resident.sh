# Sourced by the hook doors after door.sh and guard.sh: asks the resident, if one is running, without starting node.

# Replaces this process with dist/$1; prints nothing if that cannot be started.
become_quietly() { [ -n "$node" ] && [ -r "$project/dist/$1" ] && exec "$node" "$project/dist/$1"; exit 0; }

# Prints the resident's answer to the payload on standard input and exits; $@ are the door's arguments. Returns if there
# is no resident, or if the question is not for it. Needs: route, which is hook or statusline.
ask_resident() {
  # The resident did not answer, and the time limit is used up; a status line stays empty.
  [ "${GROUNDWORK_DOOR:-}" = empty ] && { [ "$route" = hook ] || exit 0; empty_injection hook; }
  case $route,$# in hook,0 | statusline,1) ;; *) return 0 ;; esac
  [ -z "${GROUNDWORK_DOOR:-}" ] && [ "${GROUNDWORK_RESIDENT:-auto}" != off ] && [ ! -t 2 ] || return 0
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
        # These variables would run code, or change how bytes are read.
        unset PERL5OPT PERL5LIB PERL5DB PERL_UNICODE PERLIO
        exec "$program" "$project/hooks/lib/ask-resident.pl" "$state/resident" "$build" "$limit" "$route" "$door" "$@"
        ;;
      # Not for a status line: curl cannot wait for its payload for a short time only.
      *curl) [ "$route" = hook ] && . "$project/hooks/lib/ask-by-curl.sh" && ask_by_curl "$program" ;;
    esac
    return 0
  done
}
