#!/bin/sh
# Which policies start.sh refuses, changes and passes on. Needs a build; one line per case, exit code 1 if one fails.
# Usage: tests/smoke_start_conflicts.sh
set -u
project=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
unset ALLOW_DFA_WITH_NEVER DFA_DEGRADE_ON_NEVER DFA_DEGRADE_TARGET DEFAULT_APPROVAL_FOR_DFA
for name in $(env | sed -n 's/^\(CODEX_[A-Z_]*\)=.*/\1/p'); do unset "$name"; done

# Replaces codex: records how it was called.
mkdir "$scratch/bin" "$scratch/work"
cat >"$scratch/bin/codex" <<'CODE'
#!/bin/sh
[ "$1" = --version ] && { echo 'codex-cli 0.166.0'; exit 0; }
printf '%s\n' "$*" >>"$RECORD"
cat >/dev/null
CODE
chmod +x "$scratch/bin/codex"
PATH=$scratch/bin:$PATH HOME=$scratch RECORD=$scratch/record
export PATH HOME RECORD

bypass=--dangerously-bypass-approvals-and-sandbox
full='--sandbox danger-full-access'
never='--ask-for-approval never'
number=0 failures=0 with=

# start OPTION…: runs start.sh with its own log, and the variable in $with. Sets code, log (text), said (stderr) and
# args (the arguments that codex would get).
# shellcheck disable=SC2086 # one variable, or none
start() {
  number=$((number + 1)) file=$scratch/$number.log
  : >"$RECORD"
  (cd "$scratch/work" && env $with "$project/start.sh" --task 'say hello' -l "$file" "$@") >/dev/null 2>"$scratch/said" </dev/null
  code=$? with=
  log=$(cat "$file" 2>/dev/null) said=$(cat "$scratch/said")
  args=$(printf '%s\n' "$log" | sed -n '/^codex global args:$/,/^codex exec args:$/s/^  //p' | tr '\n' ' ')
  args=${args% }
}

has() { case $1 in *"$2"*) return 0 ;; esac; why="$why; missing: $2"; return 1; }
lacks() { case $1 in *"$2"*) why="$why; must not be there: $2"; return 1 ;; esac; }
is() { [ "$1" = "$2" ] || { why="$why; wanted: $2; got: $1"; return 1; }; }
not_started() { [ ! -s "$RECORD" ] || { why="$why; codex was started: $(cat "$RECORD")"; return 1; }; }
refused() { is "$code" 2 && has "$said" "$1" && has "$log" '[arg-check]' && has "$log" 'Exit Code: 2' && not_started; }

# check NAME CONDITION…: each condition is a command of the above, run when all are given.
check() {
  name=$1 why='' ok=1
  shift
  while [ $# -gt 0 ]; do
    condition=$1
    eval "$condition" || ok=0
    shift
  done
  if [ $ok = 1 ]; then echo "ok - $name"; else
    failures=$((failures + 1))
    echo "not ok - $name${why}"
  fi
}

# shellcheck disable=SC2086 # options are split on purpose
{
  start $bypass $never
  check 'bypass with --ask-for-approval is a conflict' 'refused 参数冲突' 'has "$said" "$bypass"' 'has "$said" --ask-for-approval'
  start $bypass --full-auto
  check 'bypass with --full-auto is a conflict' 'refused 参数冲突' 'has "$said" --full-auto'
  start --codex-arg $bypass --full-auto
  check 'bypass by --codex-arg counts' 'refused 参数冲突'
  start $never -- $bypass
  check 'bypass behind -- counts' 'refused 参数冲突'

  start --dry-run $full $never
  check 'full access without asking is degraded' 'is $code 0' 'is "$args" "--sandbox workspace-write $never"' 'has "$log" "[arg-normalize]"'
  with=ALLOW_DFA_WITH_NEVER=1
  start --dry-run $full $never
  check 'full access without asking, allowed, is the bypass' 'is $code 0' 'is "$args" "$full $bypass"' 'has "$log" "[arg-normalize]"'
  with=ALLOW_DFA_WITH_NEVER=1
  start $full $never
  check 'and codex is called that way' 'is $code 0' 'has "$(cat "$RECORD")" "$full $bypass exec "' 'lacks "$(cat "$RECORD")" --ask-for-approval'
  with=DFA_DEGRADE_ON_NEVER=0
  start $full $never
  check 'full access without asking, neither allowed nor degraded' 'refused 组合无效'

  start --dry-run $full
  check 'full access asks' 'is $code 0' 'is "$args" "$full --ask-for-approval on-request"'
  start --dry-run --sandbox read-only $never
  check 'read-only is passed on' 'is $code 0' 'is "$args" "--sandbox read-only $never"'
  start --dry-run --sandbox workspace-write $never --codex-config sandbox_workspace_write.network_access=true
  check 'the network is switched on by its setting' 'is $code 0' 'has "$args" "--config sandbox_workspace_write.network_access=true"'
  start --dry-run
  check 'no sandbox is added' 'is $code 0' 'is "$args" ""' 'has "$log" "[DRY-RUN] 跳过 codex 执行"' not_started
}
echo "$failures failed"
[ $failures = 0 ]
