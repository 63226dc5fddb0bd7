#!/bin/sh
# Kept for those who know the old name: the same as context-inject-global.sh.
case $0 in */*) project=${0%/*}/.. ;; *) project=.. ;; esac
[ -L "$0" ] && project=$(PATH=/usr/bin:/bin:$PATH; dirname "$(readlink -f "$0")")/..
exec "$project/hooks/context-inject-global.sh" "$@"
