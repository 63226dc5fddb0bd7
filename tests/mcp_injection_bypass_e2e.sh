#!/bin/sh
# How the MCP server handles a bypass: it is passed on with --sandbox danger-full-access, never with workspace-write. A
# program that replaces start.sh records its arguments. Prints one line per case; exits with 1 at the first failure.
set -u
root=$(CDPATH='' cd -P "$(dirname "$0")/.." && pwd) || exit 1
place=$(mktemp -d) || exit 1
trap 'rm -rf "$place"' EXIT
mkdir "$place/home"
# The server passes the path of the log as the first argument.
printf '#!/bin/sh\nout=$1; shift\nprintf "%%s\\n" "$*" >"$out"\n' >"$place/start"
chmod +x "$place/start"
unset CODEX_JOB_SH MCP_TS_SERVER
export HOME="$place/home" CODEX_START_SH="$place/start"
bypass=--dangerously-bypass-approvals-and-sandbox

fail() { printf 'not ok - %s\n%s\n' "$1" "${2:-}" >&2; exit 1; }

# gives NAME ARGUMENTS WANTED…: with this input, start.sh gets these options, and no sandbox but the wanted one.
gives() {
  name=$1 input=$2
  shift 2
  : >"$place/given"
  printf '%s\n%s\n' \
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"e2e","version":"0"}}}' \
    "$(jq -nc --argjson input "$input" --arg log "$place/given" --arg cwd "$place" '{jsonrpc: "2.0", id: 2, method: "tools/call",
      params: {name: "codex.start", arguments: ($input + {cwd: $cwd, args: (($input.args // []) + ["--log-file", $log])})}}')" |
    "$root/mcp/server.sh" >"$place/out" 2>"$place/err" || fail "$name" "$(cat "$place/err")"
  given=$(cat "$place/given")
  for wanted; do
    case " $given " in *" $wanted "*) ;; *) fail "$name: $wanted is missing" "$given $(cat "$place/out")" ;; esac
  done
  case "$*:$given" in
    *"--sandbox workspace-write"*:*) ;;
    *:*workspace-write*) fail "$name: workspace-write" "$given" ;;
  esac
  printf 'ok - %s\n' "$name"
}

gives "dangerouslyBypass" '{"dangerouslyBypass":true}' "$bypass" "--sandbox danger-full-access"
gives "the bypass among the arguments" "{\"args\":[\"$bypass\",\"--task\",\"write\"]}" "$bypass" "--sandbox danger-full-access"
gives "a bypass asks for no approval" '{"dangerouslyBypass":true,"approvalPolicy":"never"}' "$bypass" "--sandbox danger-full-access"
case $given in *--ask-for-approval*) fail "a bypass asks for no approval" "$given" ;; esac
gives "a sandbox that is named stays" '{"dangerouslyBypass":true,"sandbox":"read-only"}' "$bypass" "--sandbox read-only"
gives "without a bypass" '{"args":["--task","write"]}' "--sandbox workspace-write"
case $given in *danger*) fail "without a bypass" "$given" ;; esac
