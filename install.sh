#!/bin/sh
# In a clone, installs and builds what is missing; then runs "groundwork install" or "groundwork uninstall".
case $0 in */*) self=$0 ;; *) self=./$0 ;; esac
while [ -L "$self" ]; do link=$(PATH=/usr/bin:/bin:$PATH; readlink "$self"); case $link in /*) self=$link ;; *) self=${self%/*}/$link ;; esac; done
project=${self%/*}
set -eu
say() { printf '%s\n' "install.sh: $*" >&2; }
action=install deps=yes dry=no flags=
for arg do
  case $arg in
    --global | --local | --with-hook) flags="$flags $arg" ;;
    --dry-run) flags="$flags $arg" dry=yes ;;
    --skip-deps) deps=no ;;
    --uninstall) action=uninstall ;;
    --help | -h)
      echo "usage: install.sh [--with-hook] [--global | --local] [--skip-deps] [--dry-run] | --uninstall [--dry-run] | --help
  --with-hook  add the hook to ~/.claude/settings.json   --skip-deps  neither install packages nor build
  --global     link codex-auto into /usr/local/bin       --dry-run    show what would change, write nothing
  --local      use codex-auto from its folder (default)  --uninstall  take everything away again"
      exit 0 ;;
    *) say "unknown option: $arg (try --help)"; exit 1 ;;
  esac
done
root=$(CDPATH='' cd -P "$project" && pwd)
fits='var v = process.versions.node.split("."); process.exit(v[0] > 20 || (v[0] == 20 && v[1] >= 19) ? 0 : 1)'
node -e "$fits" 2>/dev/null || { say "needs node 20.19 or newer on PATH, found: $(node --version 2>/dev/null || echo none)"; exit 1; }
# A dry run writes nothing, so it can only continue if there already is a build.
if [ "$dry" = yes ] && [ ! -f "$root/dist/cli.cjs" ]; then
  say "dry run: would first install the packages and build in $root"
  exit 0
fi
# A package is already built, and does not contain this script.
[ "$deps" = no ] || [ "$dry" = yes ] || [ ! -f "$root/scripts/prepare.mjs" ] || [ "$action" = uninstall ] || node "$root/scripts/prepare.mjs"
[ -f "$root/dist/cli.cjs" ] || { say "not built; run this without --skip-deps"; exit 1; }
# Without one of these flags, "groundwork install" covers every client and asks.
case $action,$flags in uninstall,*) flags="$flags --yes" ;; *--with-hook* | *--global* | *--local*) ;; *) flags="$flags --local" ;; esac
# shellcheck disable=SC2086 # the flags are words of ours
exec node "$root/dist/cli.cjs" "$action" $flags
