# Shared by the shell doors, sourced: finds node, and says what is printed without an answer.
# Needs: project, its root. Sets: node, safe_path, here, limit. A door finds the project itself, in three lines that all doors share.
built='' beside='' safe_path=/usr/bin:/bin node_options='' limit=17
# Seconds that an answer may take: above every budget that anything can give.
case ${CI_AUTO_TOOLS_BUDGET_WALL_MS:-0} in 0* | *[!0-9]* | ??????*) ;; *) limit=$((CI_AUTO_TOOLS_BUDGET_WALL_MS / 1000 + 7)) ;; esac
rest=${PATH:-}:/usr/local/bin:/opt/homebrew/bin:${HOME:-}/.volta/bin:/usr/bin:
# The work tree that the door stands in: npm and others put its own folders on the PATH.
{ cd -P . && here=$PWD; } 2>/dev/null || here=''
tree=$here
while [ -n "$tree" ] && [ ! -e "$tree/.git" ]; do tree=${tree%/*}; done
# What the launcher names, the build was made with or npm put the package beside counts anywhere: a home can be a work tree, too.
case ${GROUNDWORK_NODE:-} in /*) named=$GROUNDWORK_NODE ;; *) named='' ;; esac
[ -r "$project/dist/node-path" ] && IFS= read -r built <"$project/dist/node-path"
[ -d "$project/../../../lib/node_modules/groundwork-context" ] && beside=$project/../../../bin/node
for node in "$named" "$built" "$beside" ''; do [ -f "$node" ] && [ -x "$node" ] && break; done
# Else only absolute folders outside the work tree: ".", "bin" or an empty entry would take what a repository brings.
while [ -n "$rest" ]; do
  folder=${rest%%:*} rest=${rest#*:}
  case $folder/ in "$tree"/*) [ -n "$tree" ] && continue ;; esac
  case $folder in /*) safe_path=$safe_path:$folder ;; *) continue ;; esac
  [ -z "$node" ] && [ -f "$folder/node" ] && [ -x "$folder/node" ] && node=$folder/node
done
# What is printed when there is no answer: $1 is the format. The hook envelope never fails, or the client would drop it.
empty_injection() {
  case $1 in
    json) IFS= read -r line <"$project/hooks/lib/empty-injection.json" && printf '%s\n' "$line"; exit 10 ;;
    text) printf '%s\n' '[Limits] orchestrator unavailable'; exit 10 ;;
    # What a client does not read might reach its model: others get nothing at all.
    *) case ${CI_ORCH_CLIENT_NAME:-claude} in claude* | codex*) printf '%s\n' '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":""},"systemMessage":"groundwork: orchestrator unavailable"}' ;; esac; exit 0 ;;
  esac
}

# Becomes dist/$2 for the door $1, the rest as arguments.
run_program() {
  door=$1 program=$project/dist/$2
  shift 2
  [ -n "$node" ] && [ -r "$program" ] || { echo "$door: no node found, or not whole; install it again, or run \"npm ci --ignore-scripts && npm run build\" in a clone" >&2; exit 10; }
  # shellcheck disable=SC2086 # none or some options; an empty one must not become an argument
  exec "$node" $node_options "$program" "$@"
}
