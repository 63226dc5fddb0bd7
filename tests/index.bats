#!/usr/bin/env bats
# The index through the doors: a first prompt, the builder that it starts, the commands.

bats_require_minimum_version 1.5.0
load helpers

setup() {
  set_up_place
  export CI_AUTO_TOOLS_INDEX=auto
}

# No builder may keep working in a folder that is being removed.
teardown() { wait_until no_builder || true; }

GROUNDWORK=$PROJECT/bin/groundwork
NOT_INDEXED='not indexed yet'

groundwork() { feed '' "$GROUNDWORK" "$@"; }
no_builder() { ! pgrep -f "build-index.cjs $REPO" >/dev/null; }
is_ready() { (cd "$REPO" && "$GROUNDWORK" index-status 2>/dev/null) | grep -q '^ready'; }

# wait_until COMMAND…: waits until it succeeds; long, because the machine may be busy.
wait_until() {
  local tries
  for ((tries = 0; tries < 1000; tries++)); do
    "$@" && return
    sleep 0.2
  done
  printf 'never came: %s\n' "$*"
  return 1
}

@test "a first prompt is answered at once, reports that there is no index, and starts a builder that ends by itself" {
  ask "$QUESTION"
  exits 0
  tells "src/tax.ts:1 rateFor"
  contains "$(jq -r .fused_context.for_user.limits_text <<<"$output")" "$NOT_INDEXED"
  wait_until is_ready
  wait_until no_builder
  ask "$QUESTION"
  exits 0
  tells "src/tax.ts:1 rateFor"
  tells "index: ready"
  no_limit_with index
}

@test "a builder leaves nothing in the repository, and its folder is private" {
  local before
  before=$(find "$REPO" -path "$REPO/.git" -prune -o -print | sort)
  groundwork index "$REPO"
  exits 0
  same "$before" "$(find "$REPO" -path "$REPO/.git" -prune -o -print | sort)" "files of the repository"
  same 700 "$(stat -c %a "$GROUNDWORK_HOME"/index/*)" "mode"
}

@test "with CI_AUTO_TOOLS_INDEX=off nothing is built or reported" {
  export CI_AUTO_TOOLS_INDEX=off
  ask "$QUESTION"
  exits 0
  tells "src/tax.ts:1 rateFor"
  no_limit_with index
  sleep 0.5
  same "" "$(ls "$GROUNDWORK_HOME" | grep index || true)" "state"
}

@test "a repository's file can switch the index off, not on" {
  unset CI_AUTO_TOOLS_INDEX
  put "$REPO/config/auto-tools.yaml" <<<'index: off'
  ask "$QUESTION"
  exits 0
  sleep 0.5
  same "" "$(ls "$GROUNDWORK_HOME" | grep index || true)" "state"
  put "$REPO/config/auto-tools.yaml" <<<'index: auto'
  CI_AUTO_TOOLS_INDEX=off ask "$QUESTION"
  sleep 0.5
  same "" "$(ls "$GROUNDWORK_HOME" | grep index || true)" "state"
}

@test "a change is found before it is indexed, and a deleted file is gone" {
  groundwork index "$REPO"
  put "$REPO/src/fresh.ts" <<<'export function brandNew() { return 1; }'
  WHERE=$REPO groundwork search brandNew
  contains "$output" "src/fresh.ts:1"
  rm "$REPO/src/fresh.ts"
  WHERE=$REPO groundwork search brandNew
  [[ $output != *fresh.ts* ]]
}

@test "the commands of the tools: help, JSON, a wrong option, an unknown symbol, piped text" {
  groundwork index "$REPO" --json
  exits 0
  same done "$(jq -r .outcome <<<"$output")" outcome
  WHERE=$REPO groundwork search --help
  contains "$output" "--limit N"
  WHERE=$REPO groundwork search rateFor --json
  same src/tax.ts "$(jq -r '.candidates[0].file' <<<"$output")" file
  WHERE=$REPO groundwork search rateFor --colour red
  exits 2
  WHERE=$REPO groundwork search rateFor --limit 0
  exits 40
  WHERE=$REPO groundwork call-chain ratesFor
  contains "$stderr" "did you mean rateFor"
  WHERE=$REPO feed '错误: rateFor is not a function' "$GROUNDWORK" bug-locate -
  exits 0
  contains "$output" "src/tax.ts"
}

@test "a damaged index counts as missing and is rebuilt" {
  groundwork index "$REPO"
  local file
  file=$(echo "$GROUNDWORK_HOME"/index/*/index.db)
  printf 'no database' >"$file"
  ask "$QUESTION"
  exits 0
  tells "src/tax.ts:1 rateFor"
  wait_until is_ready
}

@test "no index is stored in a state folder inside the repository" {
  export GROUNDWORK_HOME=$REPO/state
  mkdir "$GROUNDWORK_HOME"
  groundwork index "$REPO"
  exits 20
  contains "$stderr" "GROUNDWORK_HOME"
  ask "$QUESTION"
  exits 0
  same "" "$(ls "$GROUNDWORK_HOME" | grep index || true)" "state"
}
