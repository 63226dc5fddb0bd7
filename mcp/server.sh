#!/bin/sh
# The MCP server for Codex jobs, on standard input and output. MCP_TS_SERVER names another program file to run instead.
case $0 in */*) self=$0 ;; *) self=./$0 ;; esac
while [ -L "$self" ]; do link=$(PATH=/usr/bin:/bin:$PATH; readlink "$self"); case $link in /*) self=$link ;; *) self=${self%/*}/$link ;; esac; done
project=${self%/*}/..
[ -r "$project/hooks/lib/door.sh" ] || { echo 'mcp/server.sh: not a whole installation' >&2; exit 1; }
. "$project/hooks/lib/door.sh"
server=${MCP_TS_SERVER:-$project/mcp/codex-mcp-server/dist/index.js}
[ -n "$node" ] || { echo 'mcp/server.sh: no node found; install Node 20.19 or newer' >&2; exit 1; }
[ -r "$server" ] && [ -r "${MCP_TS_SERVER:-$project/dist/codex-mcp.cjs}" ] || {
  echo "mcp/server.sh: $server is not there, or the project is not built; run \"npm install && npm run build\" in $project/mcp/codex-mcp-server" >&2
  exit 1
}
exec "$node" "$server" "$@"
