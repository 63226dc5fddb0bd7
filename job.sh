#!/bin/sh
# Codex in the background: start, status, logs, stop, list, resume, clean, metrics. Options: --help.
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
[ -L "$0" ] && here=$(PATH=/usr/bin:/bin:$PATH; dirname "$(readlink -f "$0")")
here=$here/hooks
[ -r "$here/lib/door.sh" ] || { echo 'job.sh: not a whole installation' >&2; exit 10; }
. "$here/lib/door.sh"
[ -n "$node" ] && [ -r "$project/dist/codex-job.cjs" ] || {
  echo 'job.sh: not built, or no node found; run "npm ci --ignore-scripts && npm run build" in the project' >&2
  exit 10
}
exec "$node" "$project/dist/codex-job.cjs" "$@"
