# Sourced by all shell doors: finds node, and prints the output for a missing answer.
# Needs: project (its root, found by three lines that all doors share). Sets: node, safe_path, here, limit.
built='' beside='' safe_path=/usr/bin:/bin node_options='' limit=17
# Time limit of an answer in seconds: longer than any budget.
case ${CI_AUTO_TOOLS_BUDGET_WALL_MS:-0} in 0* | *[!0-9]* | ??????*) ;; *) limit=$((CI_AUTO_TOOLS_BUDGET_WALL_MS / 1000 + 7)) ;; esac
rest=${PATH:-}:/usr/local/bin:/opt/homebrew/bin:${HOME:-}/.volta/bin:/usr/bin:
# Work tree of the current folder: npm and other tools put folders of it on the PATH.
{ cd -P . && here=$PWD; } 2>/dev/null || here=''
tree=$here
while [ -n "$tree" ] && [ ! -e "$tree/.git" ]; do tree=${tree%/*}; done
# The node of the launcher, of the build or next to the package may be anywhere: a home folder can be a work tree, too.
case ${GROUNDWORK_NODE:-} in /*) named=$GROUNDWORK_NODE ;; *) named='' ;; esac
[ -r "$project/dist/node-path" ] && IFS= read -r built <"$project/dist/node-path"
[ -d "$project/../../../lib/node_modules/groundwork-context" ] && beside=$project/../../../bin/node
for node in "$named" "$built" "$beside" ''; do [ -f "$node" ] && [ -x "$node" ] && break; done
# Otherwise only absolute folders outside the work tree: ".", "bin" or an empty entry could run a file of a repository.
while [ -n "$rest" ]; do
  folder=${rest%%:*} rest=${rest#*:}
  case $folder/ in "$tree"/*) [ -n "$tree" ] && continue ;; esac
  case $folder in /*) safe_path=$safe_path:$folder ;; *) continue ;; esac
  [ -z "$node" ] && [ -f "$folder/node" ] && [ -x "$folder/node" ] && node=$folder/node
done
# Prints the empty answer in format $1 and exits. The hook envelope needs exit code 0, or the client would discard it.
empty_injection() {
  case $1 in
    json) IFS= read -r line <"$project/hooks/lib/empty-injection.json" && printf '%s\n' "$line"; exit 10 ;;
    text) printf '%s\n' '[Limits] orchestrator unavailable'; exit 10 ;;
    # Other clients get no output at all: an envelope that they do not parse might reach their model.
    *) case ${CI_ORCH_CLIENT_NAME:-claude} in claude* | codex*) printf '%s\n' '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":""},"systemMessage":"groundwork: orchestrator unavailable"}' ;; esac; exit 0 ;;
  esac
}

# Replaces the process of door $1 with dist/$2; the other arguments are passed on.
run_program() {
  door=$1 program=$project/dist/$2
  shift 2
  [ -n "$node" ] && [ -r "$program" ] || { echo "$door: no node found, or not whole; install it again, or run \"npm ci --ignore-scripts && npm run build\" in a clone" >&2; exit 10; }
  # shellcheck disable=SC2086 # none or some options; an empty one must not become an argument
  exec "$node" $node_options "$program" "$@"
}
