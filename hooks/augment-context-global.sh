#!/bin/sh
# Kept for compatibility: the old name of context-inject-global.sh.
case $0 in */*) self=$0 ;; *) self=./$0 ;; esac
while [ -L "$self" ]; do link=$(PATH=/usr/bin:/bin:$PATH; readlink "$self"); case $link in /*) self=$link ;; *) self=${self%/*}/$link ;; esac; done
project=${self%/*}/..
exec "$project/hooks/context-inject-global.sh" "$@"
