#!/usr/bin/env bats
# Commands with which a user allows a repository to do more than narrow settings, through bin/groundwork and the doors.

bats_require_minimum_version 1.5.0
load helpers

setup() { set_up_place; }

GROUNDWORK=$PROJECT/bin/groundwork
WIDE='auto_tools: on
budget: { wall_ms: 9000, max_concurrency: 2 }
tier_max: 2'
CHANGED='repository settings changed since you trusted them; run groundwork trust'

groundwork() { feed '' "$GROUNDWORK" "$@"; }

# on_terminal INPUT COMMAND…: the same with a terminal on all three descriptors; $output is what it shows.
on_terminal() {
  local input=$1
  shift
  command script --version 2>/dev/null | grep -q util-linux || skip "no script(1) of util-linux to make a terminal"
  run keys_into "$input" "$(printf '%q ' "$@")"
}
keys_into() {
  cd "$WHERE" || return 99
  local shown=$PLACE/shown tries
  : >"$shown"
  # Typed only once the question is displayed.
  (
    for ((tries = 0; tries < 1000; tries++)); do
      grep -qF '[y/N]' "$shown" && break
      sleep 0.1
    done
    printf '%b' "$1"
    sleep 1
  ) | command script -qefc "$2" "$shown"
}

sha256_of() {
  node -e 'const { createHash } = require("crypto");
    console.log(createHash("sha256").update(require("fs").readFileSync(process.argv[1])).digest("hex"))' "$1"
}

trust_file() { echo "$HOME/.groundwork/trust.json"; }
nothing_recorded() { [ ! -e "$(trust_file)" ]; }

@test "[decision 8] trust shows files, hashes and what would change, and records it with --yes" {
  repo_config <<<"$WIDE"
  groundwork trust --yes
  exits 0
  shows "config/auto-tools.yaml  $(sha256_of "$REPO/config/auto-tools.yaml")"
  shows "auto_tools      auto -> on"
  shows "budget.wall_ms  5000 -> 9000"
  hides "max_concurrency "
  shows "$TIER2_IGNORED"
  shows 'Trusted. Undo it with "groundwork untrust".'
  [ -n "$(find "$(trust_file)" -perm 600)" ]
  [ -n "$(find "$HOME/.groundwork" -prune -perm 700)" ]
  plan "hello"
  expect .tool_plan.budget.wall_ms 9000 .tool_plan.tier_max 1
  limit "$TIER2_IGNORED"
  planned "ci_index_status ci_search ci_graph_rag"
}

@test "[decision 8] without a terminal and without --yes nothing is recorded, exit 2 says what to do" {
  repo_config <<<"$WIDE"
  groundwork trust
  exits 2
  shows "budget.wall_ms  5000 -> 9000"
  contains "$stderr" "run it with --yes"
  nothing_recorded
  groundwork trust --json
  exits 2
  expect .recorded false .trust.kind none '.changes | length' 2
  nothing_recorded
  feed $'y\n' "$GROUNDWORK" trust
  exits 2
  nothing_recorded
}

@test "[decision 8] on a terminal it asks, and only yes records" {
  repo_config <<<"$WIDE"
  on_terminal '\n' "$GROUNDWORK" trust
  exits 1
  shows "Trust these files? [y/N]"
  shows "Nothing was trusted."
  nothing_recorded
  on_terminal 'yesterday\n' "$GROUNDWORK" trust
  exits 1
  on_terminal '\004' "$GROUNDWORK" trust
  exits 1
  nothing_recorded
  on_terminal 'y\n' "$GROUNDWORK" trust
  exits 0
  shows "Trusted."
  groundwork config explain --json
  expect .trust.kind trusted
}

@test "[decision 8] Ctrl-C at the question records nothing" {
  repo_config <<<"$WIDE"
  on_terminal '\003' "$GROUNDWORK" trust
  exits 130
  shows "Trust these files? [y/N]"
  nothing_recorded
}

@test "[decision 8] any change undoes it, which is reported at every door" {
  repo_config <<<"$WIDE"
  groundwork trust --yes
  groundwork config explain
  shows "Trust: trusted since 2"
  shows "repository file (trusted)"
  echo '# a comment' >>"$REPO/config/auto-tools.yaml"
  plan "$QUESTION"
  expect .tool_plan.budget.wall_ms 5000
  limit "$CHANGED"
  limit "config/auto-tools.yaml: budget.wall_ms refused; a repository's file may only narrow"
  groundwork config explain
  shows "Trust: changed since you trusted it at 2"
  groundwork trust --yes
  plan "$QUESTION"
  expect .tool_plan.budget.wall_ms 9000
  no_limit_with "$CHANGED"
  put "$REPO/.groundwork/hooks/beforeToolCall.json" <<<'{}'
  plan "$QUESTION"
  expect .tool_plan.budget.wall_ms 5000
  limit "$CHANGED"
}

@test "[decision 8] the hook respects auto_tools: on only from a trusted repository" {
  repo_config <<<'auto_tools: on'
  ask_hook "tell me a joke about taxes"
  injects_nothing
  hides "3 tools"
  groundwork trust --yes
  exits 0
  ask_hook "tell me a joke about taxes"
  is_envelope
  shows "3 tools"
}

@test "[decision 8] untrust revokes it; untrusting an untrusted repository is no error" {
  repo_config <<<"$WIDE"
  groundwork trust --yes
  WHERE=$REPO/src groundwork untrust
  exits 0
  shows "$REPO is no longer trusted"
  plan "$QUESTION"
  expect .tool_plan.budget.wall_ms 5000
  groundwork untrust
  exits 0
  shows "was not trusted"
  groundwork untrust "$PLACE/gone" --json
  exits 0
  expect . "{\"root\":\"$PLACE/gone\",\"removed\":false}"
}

@test "[decision 8] --list names what is trusted, what changed and what is gone" {
  groundwork trust --list
  exits 0
  same "No repository is trusted." "$output"
  repo_config <<<"$WIDE"
  groundwork trust --yes
  make_repo "$PLACE/仓库 two"
  put "$PLACE/仓库 two/config/auto-tools.yaml" <<<'auto_tools: on'
  groundwork trust --yes "$PLACE/仓库 two"
  exits 0
  echo >>"$REPO/config/auto-tools.yaml"
  groundwork trust --list
  shows "$REPO (changed since"
  shows "$PLACE/仓库 two (trusted since"
  rm -r "$PLACE/仓库 two"
  groundwork trust --list --json
  holds '.version == 1 and ([.repositories[].files[].sha256 | length] == [64, 64])'
  holds '[.repositories[] | select(.state == "no longer there")] | length == 1'
  groundwork untrust "$PLACE/仓库 two"
  shows "no longer trusted"
}

@test "[decision 8] nothing to trust: a missing file, or one that only narrows" {
  groundwork trust --yes
  exits 0
  shows "Nothing to trust"
  repo_config <<<'auto_tools: off'
  groundwork trust --yes
  exits 0
  shows "Nothing would change"
  nothing_recorded
  repo_config <<<"$WIDE"
  groundwork trust --yes
  repo_config <<<'auto_tools: off'
  groundwork trust
  exits 0
  shows "What you trusted before was taken out"
  plan "$QUESTION"
  no_limit_with "$CHANGED"
}

@test "[decision 8] hook files alone can be trusted" {
  put "$REPO/.snow/hooks/afterToolCall.json" <<<'{}'
  groundwork trust --yes --json
  exits 0
  expect .recorded true '[.files[].path]' '[".snow/hooks/afterToolCall.json"]' .changes '[]'
  groundwork config explain --json
  expect .trust.kind trusted
  groundwork trust --yes
  shows "Already trusted since"
}

@test "[decision 8 ATO-CTL-14] what cannot be trusted is refused: no repository, broken YAML, no home" {
  WHERE=$PLACE groundwork trust --yes
  exits 40
  contains "$stderr" "is not inside a git repository"
  groundwork trust --yes "$PLACE/missing"
  exits 2
  groundwork trust a b
  exits 2
  repo_config <<<'budget: ['
  groundwork trust --yes
  exits 20
  contains "$stderr" "config/auto-tools.yaml:"
  repo_config <<<"$WIDE"
  local home
  for home in '' . home; do
    HOME=$home groundwork trust --yes
    exits 20
    contains "$stderr" "HOME names no folder"
  done
  feed '' env -u HOME "$GROUNDWORK" trust --yes
  exits 20
  nothing_recorded
}

@test "[decision 8] no variable replaces the user's yes" {
  repo_config <<<"$WIDE"
  CI_AUTO_TOOLS_TRUST=1 GROUNDWORK_TRUST=1 GROUNDWORK_YES=1 CI=1 groundwork trust
  exits 2
  nothing_recorded
}

@test "[decision 8] a damaged record trusts nothing, is reported, and is kept" {
  repo_config <<<"$WIDE"
  groundwork trust --yes
  echo 'half a record' >"$(trust_file)"
  plan "$QUESTION"
  expect .tool_plan.budget.wall_ms 5000
  limit_with "nothing is trusted" "trust.json is not a whole trust record"
  groundwork config explain
  shows "Trust: nothing is trusted"
  local command
  for command in "trust" "trust --list" "untrust"; do
    # shellcheck disable=SC2086
    groundwork $command
    exits 20
    contains "$stderr" "groundwork trust --yes"
  done
  same 'half a record' "$(<"$(trust_file)")"
  groundwork trust --yes
  exits 0
  same 'half a record' "$(cat "$HOME"/.groundwork/trust.json.damaged-*)"
  plan "$QUESTION"
  expect .tool_plan.budget.wall_ms 9000
}

@test "[decision 8] [decision 9] it writes only below ~/.groundwork" {
  repo_config <<<"$WIDE"
  mkdir -m 700 "$HOME/.groundwork"
  local before
  before=$(snapshot "$REPO" "$GROUNDWORK_HOME")
  groundwork trust --yes
  groundwork untrust
  groundwork trust --list
  same "$before" "$(snapshot "$REPO" "$GROUNDWORK_HOME")"
  same .groundwork "$(ls -A "$HOME")"
  same trust.json "$(ls -A "$HOME/.groundwork")"
}

@test "[decision 8] text of a repository cannot control the terminal" {
  repo_config <<<'"\e[31m\u202e[Limits] all is well": 1
auto_tools: on
repo_root: "\e]0;title\a"
exclude: ["\e[2J", "\u200b"]'
  local command
  for command in "trust --yes" "trust --list" "config explain" "config explain --json"; do
    # shellcheck disable=SC2086
    groundwork $command
    exits 0
    [[ $output$stderr != *[$'\e\a\u202e\u200b']* ]]
  done
  repo_config <<<$'a: *\e[31mx'
  groundwork trust --yes
  exits 20
  [[ $output$stderr != *$'\e'* ]]
}

@test "[decision 9] uninstall keeps the record, and says so" {
  repo_config <<<"$WIDE"
  groundwork trust --yes
  groundwork install --with-hook
  groundwork uninstall
  exits 0
  shows "~/.groundwork"
  [ -e "$(trust_file)" ]
}

@test "[decision 8] [G D.22] trust shows the commands of hook files, and warns of files that can change later" {
  put "$REPO/.groundwork/hooks/beforeToolCall.json" <<<'[{"hooks":[{"type":"command","command":"./check.sh --all; jq . <notes.md"}]}]'
  put "$REPO/check.sh" <<<'exit 0'
  put "$REPO/notes.md" <<<'x'
  groundwork trust --yes
  exits 0
  shows ".groundwork/hooks/beforeToolCall.json: ./check.sh --all; jq . <notes.md"
  shows "Not pinned, and may change later without asking you again: check.sh, notes.md"
  groundwork trust --json
  expect '[.commands[].unpinned[]]' '["check.sh","notes.md"]'
}
