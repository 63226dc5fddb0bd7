#!/bin/sh
# The MCP server for Codex jobs as a client uses it: initialize, tools/list, codex.exec, then codex.start, codex.status
# and codex.logs, each call in its own process. Prints one line per case; exits with 1 at the first failure.
set -u
root=$(CDPATH='' cd -P "$(dirname "$0")/.." && pwd) || exit 1
place=$(mktemp -d) || exit 1
trap 'rm -rf "$place"' EXIT
mkdir "$place/bin" "$place/repo" "$place/home"
# None of this needs Codex; if it is started after all, it leaves a mark.
printf '#!/bin/sh\necho codex-cli 0.166.0\n[ "$1" = --version ] || touch "%s/codex-ran"\n' "$place" >"$place/bin/codex"
chmod +x "$place/bin/codex"
unset CODEX_START_SH CODEX_JOB_SH MCP_TS_SERVER
export PATH="$place/bin:$PATH" HOME="$place/home"

fail() { printf 'not ok - %s\n%s\n' "$1" "${2:-}" >&2; exit 1; }
pass() { printf 'ok - %s\n' "$1"; }
# ask METHOD PARAMS: prints the answer of a new server.
ask() { printf '{"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\n' "$1" "$2" | (cd "$place/repo" && "$root/mcp/server.sh"); }
# call TOOL ARGUMENTS: prints the text of the first content.
call() { ask tools/call "{\"name\":\"$1\",\"arguments\":$2}" | jq -r '.result.content[0].text'; }
# is NAME JSON FILTER: the filter is true of the JSON.
is() { printf '%s' "$2" | jq -e "$3" >/dev/null 2>&1 || fail "$1" "$2"; pass "$1"; }

(cd "$root/mcp/codex-mcp-server" && npm install --silent && npm run build --silent) >"$place/build" 2>&1 ||
  fail "npm install && npm run build in mcp/codex-mcp-server" "$(cat "$place/build")"
pass "npm install && npm run build in mcp/codex-mcp-server"

hello='{"protocolVersion":"2024-09-18","capabilities":{},"clientInfo":{"name":"e2e","version":"0"}}'
is "initialize" "$(ask initialize "$hello")" '.result.serverInfo.name == "codex-father-mcp"'

is "tools/list" "$(ask tools/list '{}')" \
  '[.result.tools[].name] == ["codex.exec", "codex.start", "codex.status", "codex.logs", "codex.stop", "codex.list"]'

run=$(call codex.exec '{"args":["--task","look around","--dry-run"],"tag":"e2e"}')
is "codex.exec" "$run" '.exitCode == 0 and .processExit == 0 and (.runId | test("^exec-[0-9]{8}_[0-9]{6}-e2e$"))'
[ -f "$(printf '%s' "$run" | jq -r .logFile)" ] || fail "codex.exec leaves a log" "$run"
pass "codex.exec leaves a log"

job=$(call codex.start '{"args":["--task","look around","--dry-run"],"tag":"e2e"}')
is "codex.start" "$job" '.jobId | test("^cdx-[0-9]{8}_[0-9]{6}-e2e$")'
id=$(printf '%s' "$job" | jq -r .jobId)

tries=50
until state=$(call codex.status "{\"jobId\":\"$id\"}"); printf '%s' "$state" | jq -e '.state == "completed"' >/dev/null 2>&1; do
  tries=$((tries - 1))
  [ "$tries" -gt 0 ] || fail "codex.status" "$state"
  sleep 0.2
done
is "codex.status" "$state" '.exit_code == 0 and .tag == "e2e"'

is "codex.logs, lines" "$(call codex.logs "{\"jobId\":\"$id\",\"mode\":\"lines\",\"tailLines\":80}")" \
  '.lines | any(test("Exit Code: 0"))'
is "codex.logs, bytes" "$(call codex.logs "{\"jobId\":\"$id\",\"limit\":10}")" '.chunk == "===== Code" and .nextOffset == 10'

[ ! -e "$place/codex-ran" ] || fail "a dry run starts no Codex"
pass "a dry run starts no Codex"
