# shellcheck shell=bash
# Shared by the shell tests. Every test has its own home, state folder and repository below BATS_TEST_TMPDIR, so that
# tests may run in any order and concurrently.

PROJECT=$(cd "$BATS_TEST_DIRNAME/.." && pwd -P)
HOOK=$PROJECT/hooks/context-inject-global.sh
AUGMENT=$PROJECT/hooks/augment-context-global.sh
ORCHESTRATOR=$PROJECT/hooks/auto-tool-orchestrator.sh
CODEX_AUTO=$PROJECT/bin/codex-auto

# A question about code that needs no tool of tier 2: a complete answer leaves [Limits] empty.
# A question to which no tool of tier 2 would add anything.
CALM_QUESTION='add a new option type for colours'
QUESTION='fix rateFor in src/tax.ts: it returns the wrong rate'
# A question that also needs tier 2.
DEEP_QUESTION='fix the bug in rateFor and trace its call chain and impact'
TIER2_HINT='tier-2 disabled by default; set CI_AUTO_TOOLS_TIER_MAX=2 to enable'
TIER2_IGNORED='tier-2 requires CI_AUTO_TOOLS_TIER_MAX=2 (config ignored)'
INVALID_OUTPUT='orchestrator output invalid; fallback to empty context'
NO_SESSION='session continuity unavailable; fallback to stateless exec'

# --- the place -------------------------------------------------------------------------------------------------------

# Sets up an environment without the machine's settings, and a small repository to ask about.
set_up_place() {
  local name
  for name in $(compgen -e); do
    case $name in CI_* | GROUNDWORK_* | GIT_* | CLAUDE* | CODEX* | XDG_* | WORKING_DIRECTORY) unset "$name" ;; esac
  done
  PLACE=$(cd "$BATS_TEST_TMPDIR" && pwd -P)
  REPO=$PLACE/repo
  WHERE=$REPO # folder in which doors are called
  PATH=$PLACE/bin:$PATH
  # No builder and no resident may outlive a test; tests about them enable them.
  export CI_AUTO_TOOLS_INDEX=off GROUNDWORK_RESIDENT=off
  # Shared code caches, because a new state folder has none.
  export GROUNDWORK_CODE_CACHE=$PROJECT/node_modules/.cache/groundwork-code
  export HOME=$PLACE/home GROUNDWORK_HOME=$PLACE/state RECORD=$PLACE/codex-record
  mkdir "$HOME" "$GROUNDWORK_HOME" "$RECORD" "$PLACE/bin"
  make_repo "$REPO"
}

# Makes a git repository with one file, in which one function calls the other.
make_repo() {
  local code='export function rateFor(country: string): number {
  return country === "DE" ? 0.19 : 0.2;
}

export function totalWithTax(net: number, country: string): number {
  return net * (1 + rateFor(country));
}'
  git init -q --template= "$1"
  mkdir "$1/src"
  printf '%s\n' "$code" >"$1/src/tax.ts"
}

# put FILE: writes standard input there, and creates its folders.
put() {
  mkdir -p "$(dirname "$1")"
  cat >"$1"
}

repo_config() { put "$REPO/config/auto-tools.yaml"; }
user_config() { put "$HOME/.groundwork/auto-tools.yaml"; }

# Prints the contents of folders: names and texts.
snapshot() {
  find "$@" | sort
  find "$@" -type f -exec cksum {} + | sort
}

# script FILE: writes standard input there as an executable shell script.
script() {
  { echo '#!/bin/sh'; cat; } | put "$1"
  chmod +x "$1"
}

# runner TOOL: makes standard input the program that replaces a tool.
runner() {
  local file=$PLACE/runners/$1
  script "$file"
  export "CI_AUTO_TOOLS_RUNNER_$(tr '[:lower:]' '[:upper:]' <<<"$1")=$file"
}

# orchestrator: makes standard input the program that replaces the orchestrator.
orchestrator() {
  script "$PLACE/orchestrator"
  export CI_AUTO_TOOLS_ORCHESTRATOR_PATH=$PLACE/orchestrator
}

# fake_results JQ: the array that this jq program prints replaces the results of the tools.
fake_results() {
  jq -n "$RESULT_WORDS $1" >"$PLACE/results.json"
  export CI_AUTO_TOOLS_FAKE_TOOL_RESULTS_FILE=$PLACE/results.json
}

# jq functions for fake_results: a result, a hit in it, claims in it.
RESULT_WORDS='def result(tool; data): {tool: tool, status: "ok", started_at: "2026-01-02T03:04:05Z", duration_ms: 1,
    summary: "an answer", data: data, error: {message: ""}, redactions: [], truncated: false};
  def hit(path; symbol; score; summary): {file: path, line: 1, symbol: symbol, score: score, summary: summary};
  def claims(key; polarity; text): {claims: [{claim_key: key, polarity: polarity, claim: text, evidence_refs: []}]};'

# Makes a copy of the project that a test may break.
copy_project() {
  mkdir "$PLACE/copy"
  cp -R "$PROJECT/hooks" "$PROJECT/bin" "$PROJECT/dist" "$PLACE/copy/"
}

# --- codex -----------------------------------------------------------------------------------------------------------

# Makes a codex on the PATH that records its calls. FAKE_RESUME_EXIT and FAKE_EXIT are its exit codes; it prints output
# only if it succeeds, or if FAKE_SPEAKS is set.
fake_codex() {
  script "$PLACE/bin/codex" <<'CODE'
calls=$(($(cat "$RECORD/count" 2>/dev/null || echo 0) + 1))
echo "$calls" >"$RECORD/count"
printf '%s\n' "$*" >>"$RECORD/argv"
printf '%s\n' "$@" >"$RECORD/$calls.argv"
cat >"$RECORD/$calls.stdin"
case "$*" in *resume*) code=${FAKE_RESUME_EXIT:-0} ;; *) code=${FAKE_EXIT:-0} ;; esac
if [ "$code" = 0 ] || [ -n "${FAKE_SPEAKS:-}" ]; then echo "codex answers $calls"; fi
exit "$code"
CODE
}

# codex_auto ARGUMENT…: runs the wrapper with empty standard input.
codex_auto() { feed '' "$CODEX_AUTO" "$@"; }

# codex_was_called LINE…: the command lines of all starts, in order; none means that codex was never started.
codex_was_called() {
  local wanted='' got=''
  [ $# -eq 0 ] || wanted=$(printf '%s\n' "$@")
  [ ! -e "$RECORD/argv" ] || got=$(<"$RECORD/argv")
  same "$wanted" "$got" "calls of codex"
}

# codex_got TEXT: the last call of codex read this text.
codex_got() { same "$1" "$(<"$RECORD/$(<"$RECORD/count").stdin")" "what codex was told"; }

# codex_auto_alone ARGUMENT…: runs the wrapper on a PATH with node but without codex.
codex_auto_alone() {
  mkdir -p "$PLACE/node"
  ln -sf "$(command -v node)" "$PLACE/node/node"
  feed '' env PATH="$PLACE/node" "$CODEX_AUTO" "$@"
}

# --- asking ----------------------------------------------------------------------------------------------------------

# feed INPUT COMMAND…: runs a command in $WHERE with this input. Sets status, output and stderr.
feed() { run --separate-stderr pipe_into "$@"; }

pipe_into() {
  cd "$WHERE" || return 99
  printf '%s' "$1" | "${@:2}"
}

# payload PROMPT: what Claude Code sends to a UserPromptSubmit hook, without a session.
payload() {
  local prompt=${1//\\/\\\\}
  prompt=${prompt//\"/\\\"}
  printf '{"cwd":"%s","hook_event_name":"UserPromptSubmit","prompt":"%s"}' "$WHERE" "${prompt//$'\n'/\\n}"
}

# ask_hook PROMPT [OPTION…]: calls the entry as a client does.
ask_hook() { feed "$(payload "$1")" "$HOOK" "${@:2}"; }
# ask PROMPT [OPTION…]: calls the entry for a run document. On a busy machine a tool may run out of time; unless a
# runner of the test sleeps, the test is not about that, and the question is repeated.
ask() {
  local try
  for try in 1 2 3 4; do
    feed "$(payload "$1")" "$HOOK" --format json "${@:2}"
    [[ $output == *'"code":"E_TIMEOUT"'* || $output == *'there was time to read '* ]] || return 0
    grep -qs sleep "$PLACE/runners/"* "$PLACE/orchestrator" && return 0
  done
}
# plan PROMPT [OPTION…]: the same in plan mode.
plan() { CI_AUTO_TOOLS_MODE=plan ask "$@"; }

# --- asserting -------------------------------------------------------------------------------------------------------

# same WANTED GOT [WHAT]
same() {
  [ "$1" = "$2" ] && return
  printf '%s\nwanted: %s\ngot:    %s\n' "${3:-differs}" "$1" "$2"
  return 1
}

exits() {
  same "$1" "$status" "exit code" && return
  printf 'stdout: %s\nstderr: %s\n' "$output" "${stderr:-}"
  return 1
}

# jq functions for expect and holds.
DOCUMENT_WORDS='def injected: .fused_context.for_model.additional_context;
  def findings: .fused_context.for_model.structured.findings;
  def for_user: .fused_context.for_user;'

# expect FILTER VALUE [FILTER VALUE…]: each filter gives its value for the output.
expect() {
  local filters="($1)" values=$2
  while shift 2 && (($# > 0)); do
    filters+=", ($1)" values+=$'\n'$2
  done
  same "$(printf '%s' "$values")" "$(jq -rc "$DOCUMENT_WORDS $filters" <<<"$output")" "$filters"
}

# holds FILTER: the filter is true of the output.
holds() {
  jq -e "$DOCUMENT_WORDS $1" <<<"$output" >/dev/null && return
  printf 'does not hold: %s\nof: %s\n' "$1" "$output"
  return 1
}

# shows TEXT, hides TEXT: anywhere on standard output.
shows() { contains "$output" "$1"; }
hides() { lacks "$output" "$1"; }

contains() {
  [[ $1 == *"$2"* ]] && return
  printf 'missing: %s\nin: %s\n' "$2" "$1"
  return 1
}

lacks() {
  [[ $1 != *"$2"* ]] && return
  printf 'must not be there: %s\nin: %s\n' "$2" "$1"
  return 1
}

# Sets LIMITS and CONTEXT from the last document, with one call of jq for all checks of the two.
read_document() {
  [ "$output" != "${DOCUMENT:-}" ] || return 0
  DOCUMENT=$output
  eval "$(jq -r '@sh "LIMITS=\(.fused_context.for_user.limits_text) CONTEXT=\(.fused_context.for_model.additional_context)"' \
    <<<"$output")"
}

# limit TEXT: one [Limits] line is exactly this.
limit() {
  read_document
  [[ $'\n'$LIMITS$'\n' == *$'\n'"[Limits] $1"$'\n'* ]] && return
  printf 'no such line: [Limits] %s\nin: %s\n' "$1" "$LIMITS"
  return 1
}

# limit_with TEXT…: one [Limits] line contains all of these.
limit_with() {
  local line word
  read_document
  while read -r line; do
    for word in '[Limits] ' "$@"; do [[ $line == *"$word"* ]] || continue 2; done
    return 0
  done <<<"$LIMITS"
  printf 'no [Limits] line with: %s\nin: %s\n' "$*" "$LIMITS"
  return 1
}

no_limit_with() {
  read_document
  lacks "$LIMITS" "$1"
}

# tells TEXT, tells_not TEXT: the text for the model contains this, or does not.
tells() {
  read_document
  contains "$CONTEXT" "$1"
}

tells_not() {
  read_document
  lacks "$CONTEXT" "$1"
}

# degraded CODE: the run says that it is degraded, and names the fault.
degraded() { holds ".degraded | .is_degraded and (.reason | contains(\"$1\"))"; }

# empty_injection TEXT: nothing ran, nothing is injected, and [Limits] is exactly this.
empty_injection() {
  holds '.schema_version == "1.0" and (.run_id | test("^empty")) and .tool_plan.tools == [] and .tool_results == []
    and .tool_plan.tier_max == 0 and ([.tool_plan.budget[]] | all(. == 0))
    and injected == "" and .degraded.is_degraded and .degraded.degraded_to == "empty"
    and .enforcement == {single_tool_entry: true, source: "adapter"}' &&
    limit "$1"
}

# The output is one that both clients accept: documented keys only, nothing that blocks the prompt, under 10,000 units.
is_envelope() {
  exits 0 &&
    holds '(keys - ["hookSpecificOutput", "systemMessage"]) == [] and (.hookSpecificOutput |
      keys == ["additionalContext", "hookEventName"] and .hookEventName == "UserPromptSubmit"
      and (.additionalContext | type == "string" and length <= 10000))'
}

# The envelope is empty except for a message to the person.
injects_nothing() {
  exits 0 && holds 'del(.systemMessage) == {hookSpecificOutput: {hookEventName: "UserPromptSubmit", additionalContext: ""}}'
}

# result TOOL STATUS [CODE]: the document has this result of a tool.
result() {
  same "$2 ${3:-}" "$(jq -r --arg tool "$1" '.tool_results[] | select(.tool == $tool) | "\(.status) \(.error.code // "")"' \
    <<<"$output")" "result of $1"
}

planned() { expect '[.tool_plan.tools[].tool] | join(" ")' "$1"; }
arg() { expect ".tool_plan.tools[] | select(.tool == \"$1\") | .args.$2" "$3"; }
