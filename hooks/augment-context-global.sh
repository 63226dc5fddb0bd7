#!/bin/sh
# Kept for those who know the old name: the same as context-inject-global.sh.
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
[ -L "$0" ] && here=$(PATH=/usr/bin:/bin:$PATH; dirname "$(readlink -f "$0")")
exec "$here/context-inject-global.sh" "$@"
