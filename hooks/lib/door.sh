# Shared by the shell doors, sourced: finds node, and says what is printed without an answer.
# Needs: here, the folder of the door. Sets: project, node.
project=$here/.. node=
for candidate in node /usr/local/bin/node /opt/homebrew/bin/node "${HOME:-}/.volta/bin/node" /usr/bin/node; do
  command -v "$candidate" >/dev/null 2>&1 && node=$candidate && break
done

# What is printed when there is no answer: $1 is the format. The hook envelope never fails, or the client would drop it.
empty_injection() {
  case $1 in
    json) IFS= read -r line <"$project/hooks/lib/empty-injection.json" && printf '%s\n' "$line"; exit 10 ;;
    text) printf '%s\n' '[Limits] orchestrator unavailable'; exit 10 ;;
    *) printf '%s\n' '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":""}}'; exit 0 ;;
  esac
}
