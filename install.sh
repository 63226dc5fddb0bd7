#!/bin/sh
# Installs and builds what is missing, then hands over to "groundwork install" or "groundwork uninstall".
case $0 in */*) project=${0%/*} ;; *) project=. ;; esac
[ -L "$0" ] && project=$(PATH=/usr/bin:/bin:$PATH; dirname "$(readlink -f "$0")")
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
# A dry run writes nothing, so it can only go on where there is a build already.
if [ "$dry" = yes ] && [ ! -f "$root/dist/cli.cjs" ]; then
  say "dry run: would first install the packages and build in $root"
  exit 0
fi
[ "$deps" = no ] || [ "$dry" = yes ] || [ "$action" = uninstall ] || node "$root/scripts/prepare.mjs"
[ -f "$root/dist/cli.cjs" ] || { say "not built; run this without --skip-deps"; exit 1; }
exec node "$root/dist/cli.cjs" "$action" $flags
