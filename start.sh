#!/bin/sh
# One run of Codex in the foreground: instructions put together, policy checked, everything kept. Options: --help.
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
[ -L "$0" ] && here=$(PATH=/usr/bin:/bin:$PATH; dirname "$(readlink -f "$0")")
here=$here/hooks
[ -r "$here/lib/door.sh" ] || { echo 'start.sh: not a whole installation' >&2; exit 10; }
. "$here/lib/door.sh"
[ -n "$node" ] && [ -r "$project/dist/codex-start.cjs" ] || {
  echo 'start.sh: not built, or no node found; run "npm ci --ignore-scripts && npm run build" in the project' >&2
  exit 10
}
# On its own it keeps its runs beside itself.
GROUNDWORK_START_ROOT=$project
export GROUNDWORK_START_ROOT
exec "$node" "$project/dist/codex-start.cjs" "$@"
