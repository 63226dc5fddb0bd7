# Shared by the shell doors, sourced: finds node, and says what is printed without an answer.
# Needs: project, its root. Sets: node, safe_path. A door finds the project itself, in two lines that all doors share.
node='' safe_path=/usr/bin:/bin node_options=''
rest=${PATH:-}:/usr/local/bin:/opt/homebrew/bin:${HOME:-}/.volta/bin:/usr/bin:
# The work tree that the door stands in: npm and others put its own folders on the PATH.
{ cd -P . && tree=$PWD; } 2>/dev/null || tree=''
while [ -n "$tree" ] && [ ! -e "$tree/.git" ]; do tree=${tree%/*}; done
# The node that the build was made with counts wherever it lies: a home can be a work tree, too.
[ -r "$project/dist/node-path" ] && IFS= read -r node <"$project/dist/node-path" && [ ! -x "$node" ] && node=''
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
    *) printf '%s\n' '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":""},"systemMessage":"groundwork: orchestrator unavailable"}'; exit 0 ;;
  esac
}

# Becomes dist/$2 for the door $1, the rest as arguments.
run_program() {
  door=$1 program=$project/dist/$2
  shift 2
  [ -n "$node" ] && [ -r "$program" ] || {
    echo "$door: not built, or no node found; run \"npm ci --ignore-scripts && npm run build\" in the project" >&2
    exit 10
  }
  exec "$node" $node_options "$program" "$@"
}
