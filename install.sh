#!/bin/sh
# Builds what is missing, then hands over to "groundwork install" or "groundwork uninstall".
set -eu
say() { printf '%s\n' "$*" >&2; }
action=install deps=yes dry=no flags=
for arg do
  case $arg in
    --global | --local | --with-hook) flags="$flags $arg" ;;
    --dry-run) flags="$flags $arg" dry=yes ;;
    --skip-deps) deps=no ;;
    --uninstall) action=uninstall ;;
    --help | -h)
      echo "usage: install.sh [--with-hook] [--global | --local] [--skip-deps] [--dry-run] | --uninstall [--dry-run] | --help
  --with-hook  add the hook to ~/.claude/settings.json   --skip-deps  neither npm ci nor build
  --global     link codex-auto into /usr/local/bin       --dry-run    show what would change, write nothing
  --local      use codex-auto from its folder (default)  --uninstall  take everything away again"
      exit 0 ;;
    *) say "install.sh: unknown option: $arg (try --help)"; exit 1 ;;
  esac
done
self=$0
while [ -L "$self" ]; do
  link=$(readlink "$self")
  case $link in /*) self=$link ;; *) self=$(dirname "$self")/$link ;; esac
done
root=$(CDPATH='' cd -P "$(dirname "$self")" && pwd)
fits='var v = process.versions.node.split("."); process.exit(v[0] > 20 || (v[0] == 20 && v[1] >= 19) ? 0 : 1)'
node -e "$fits" 2>/dev/null || { say "install.sh: needs node 20.19 or newer on PATH, found: $(node --version 2>/dev/null || echo none)"; exit 1; }
# Only what is missing, in our own folder: the caller's working directory stays the repository to be cleaned.
prepare() {
  [ "$deps" = yes ] || { say "install.sh: $root/dist/cli.cjs is missing; run this without --skip-deps"; exit 1; }
  if [ "$dry" = yes ]; then say "dry run: would first run in $root: $*"; else say "in $root: $*"; (cd "$root" && "$@" >&2); fi
}
if [ "$deps" = yes ] && [ "$action" = install ] || [ ! -f "$root/dist/cli.cjs" ]; then
  [ -d "$root/node_modules" ] || prepare npm ci --ignore-scripts
  [ -f "$root/dist/cli.cjs" ] || prepare npm run build
  [ "$dry" = no ] || [ -f "$root/dist/cli.cjs" ] || exit 0
fi
exec node "$root/dist/cli.cjs" "$action" $flags
