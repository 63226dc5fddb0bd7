# Sourced by the doors to Codex after door.sh: runs Codex without evidence if none of our programs can run.

# Passes the prompt in the arguments of codex-auto to a new codex session; a dry run starts nothing.
plain_codex() {
  echo '[Limits] orchestrator unavailable (not built, or no node found; run "npm ci --ignore-scripts && npm run build" in the project)' >&2
  prompt='' dry=${CI_AUTO_TOOLS_DRY_RUN:-} mode=${CI_AUTO_TOOLS_MODE:-run}
  while [ $# -gt 0 ]; do
    case $1 in
      --) shift; prompt="$prompt${prompt:+ }$*"; break ;;
      --mode) mode=${2:-}; shift ;;
      --session-mode | --sandbox) shift ;;
      --dry-run) dry=1 ;;
      --help | -h | --version | -v) empty_injection json ;;
      -?*) ;;
      *) prompt="$prompt${prompt:+ }$1" ;;
    esac
    [ $# -eq 0 ] || shift
  done
  [ "$dry" = 1 ] || [ "$mode" = plan ] && empty_injection json
  PATH=$safe_path
  command -v codex >/dev/null || { echo 'codex-auto: codex is not on PATH; install it with: npm install -g @openai/codex' >&2; exit 40; }
  # Without words in the arguments, or with "-", codex reads standard input directly.
  case $prompt in '' | -) exec codex exec - ;; esac
  printf '%s' "$prompt" | codex exec -
  exit
}
