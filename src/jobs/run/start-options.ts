import { editDistance } from "../../base/edit-distance.ts";
import type { Environment } from "../../base/environment.ts";
import type { StartOptions } from "../../contract/codex-jobs.ts";
import { type Outcome, refuse, succeed } from "../../contract/faults.ts";
import {
  findOption,
  LINES,
  RETRIES,
  readNumber,
  readTyped,
  START_OPTIONS,
  type StartDraft,
  type StartOption,
  type TypedOption,
  toShown,
} from "./start-option-table.ts";
import { START_REFUSALS, START_WARNINGS, startUsageLine } from "./start-texts.ts";

/**
 * Parses the options of start.sh and the corresponding environment variables. Contract: never throws; options win over
 * variables, later options over earlier ones; `--help` stops the parsing, whatever follows it; `codexArgs` keeps the
 * given order, with presets first, so that the caller's own arguments take precedence.
 */
export function parseStartOptions(argv: readonly string[], env: Environment): Outcome<StartOptions> {
  const draft = makeDraft();
  const ofEnvironment = readEnvironment(draft, env);
  const ofArguments = readArguments(draft, argv);
  const read = ofArguments.ok ? ofEnvironment : ofArguments;
  if (!read.ok && !draft.help) return read;
  const fromPresets = applyPresets(draft);
  if (draft.redactPatterns.length > 0 && !draft.redacts) draft.warnings.push(START_WARNINGS.patternsUnused);
  const { presets: _presets, namesEchoLimit: _namesEchoLimit, ...options } = draft;
  return succeed({ ...options, codexArgs: [...fromPresets, ...options.codexArgs] });
}

/** Counts how often the options name standard input; 0 if they are invalid. */
export function countStdinUses(argv: readonly string[], env: Environment): number {
  const options = parseStartOptions(argv, env);
  if (!options.ok) return 0;
  const { sources, baseFile } = options.value;
  const paths = [baseFile, ...sources.map((source) => ("path" in source ? source.path : null))];
  return paths.filter((path) => path === "-").length;
}

function makeDraft(): StartDraft {
  return {
    help: false,
    dryRun: false,
    json: false,
    sources: [],
    baseFile: null,
    logFile: null,
    logFolder: null,
    isFlat: false,
    tag: "",
    echoes: true,
    echoLimit: 0,
    codexArgs: [],
    redacts: false,
    redactPatterns: [],
    replacement: "***REDACTED***",
    patchMode: false,
    requireChangeIn: [],
    requireGitCommit: false,
    autoCommit: false,
    autoCommitMessage: "docs(progress): auto update",
    commitHooks: false,
    repeatUntil: null,
    maxRuns: 1,
    sleepSeconds: 0,
    carriesContext: true,
    compressesContext: true,
    contextHead: 120,
    contextGrep: [],
    overflowRetries: 2,
    aggregates: true,
    aggregateFile: null,
    aggregateJsonlFile: null,
    withContext: false,
    timeoutSeconds: 0,
    resumeThread: null,
    warnings: [],
    presets: [],
    namesEchoLimit: false,
  };
}

/**
 * Reads the environment variables. Contract: an empty variable counts as unset; a switch is off for 0, false, no and
 * off.
 */
function readEnvironment(draft: StartDraft, env: Environment): Outcome<null> {
  const isOn = (name: string, usual: boolean) => (env[name] ? !/^(?:0|false|no|off)$/i.test(env[name]) : usual);
  draft.logFolder = env["CODEX_LOG_DIR"] || null;
  draft.logFile = env["CODEX_LOG_FILE"] || null;
  draft.tag = env["CODEX_LOG_TAG"] ?? "";
  draft.isFlat = !isOn("CODEX_LOG_SUBDIRS", true);
  draft.aggregates = isOn("CODEX_LOG_AGGREGATE", true);
  draft.aggregateFile = env["CODEX_LOG_AGGREGATE_FILE"] || null;
  draft.aggregateJsonlFile = env["CODEX_LOG_AGGREGATE_JSONL_FILE"] || null;
  draft.echoes = isOn("CODEX_ECHO_INSTRUCTIONS", true);
  draft.redacts = isOn("REDACT_ENABLE", false);
  draft.replacement = env["REDACT_REPLACEMENT"] || draft.replacement;
  draft.autoCommitMessage = env["AUTO_COMMIT_MESSAGE"] || draft.autoCommitMessage;
  draft.commitHooks = isOn("AUTO_COMMIT_HOOKS", false);
  const numbers = [
    ["CODEX_ECHO_INSTRUCTIONS_LIMIT", LINES, (echoLimit: number) => ({ echoLimit, namesEchoLimit: true })],
    ["ON_CONTEXT_OVERFLOW_MAX_RETRIES", RETRIES, (overflowRetries: number) => ({ overflowRetries })],
  ] as const;
  for (const [name, range, toChange] of numbers) {
    const given = env[name];
    if (!given) continue;
    const read = readNumber(name, given, range);
    if (!read.ok) return read;
    Object.assign(draft, toChange(read.value));
  }
  if (!isOn("ON_CONTEXT_OVERFLOW_RETRY", true)) draft.overflowRetries = 0;
  return succeed(null);
}

function readArguments(draft: StartDraft, argv: readonly string[]): Outcome<null> {
  const { typed, rest } = readTyped(argv);
  for (const each of typed) {
    const option = findOption(each.name);
    if (option === undefined) return refuse(...START_REFUSALS.unknown(toShown(each.name), suggestFor(each.name)));
    const taken = readOption(draft, option, each);
    if (!taken.ok || draft.help) return taken;
  }
  draft.codexArgs = [...draft.codexArgs, ...rest];
  return succeed(null);
}

function readOption(draft: StartDraft, option: StartOption, { values, isJoined }: TypedOption): Outcome<null> {
  const label = option.names.join("/");
  if (option.needs === null) return isJoined ? refuse(...START_REFUSALS.takesNothing(label)) : option.take(draft, "");
  const [first] = values;
  if (first === undefined) return refuse(...START_REFUSALS.missing(label, option.needs));
  // `--task --dry-run` is a missing task: taking the option as its value would start codex although a dry run was
  // requested.
  if (option.values === "one" && !isJoined && (first === "--" || findOption(first) !== undefined)) {
    return refuse(...START_REFUSALS.optionAsValue(label, option.needs, option.names.at(-1) ?? "", first));
  }
  for (const value of values) {
    const taken = option.take(draft, value);
    if (!taken.ok) return taken;
  }
  return succeed(null);
}

/** Applies all named presets, and returns their arguments for codex. */
function applyPresets(draft: StartDraft): string[] {
  return draft.presets.flatMap((name) => {
    if (name === "sprint") {
      return ["--full-auto", ...toConfig("auto_continue=true", "max_consecutive_steps=200", "timebox_minutes=60")];
    }
    if (name === "fast") return toConfig("timebox_minutes=5", "max_consecutive_steps=20");
    if (name === "secure") draft.redacts = true;
    else if (name !== "analysis") draft.warnings.push(START_WARNINGS.preset(toShown(name)));
    else if (!draft.namesEchoLimit) draft.echoLimit = 200;
    return [];
  });
}

function toConfig(...pairs: readonly string[]): string[] {
  return pairs.flatMap((pair) => ["--config", `execution.${pair}`]);
}

const ALWAYS_SUGGESTED = ["--task", "--docs", "--docs-dir"];
const MAX_SUGGESTIONS = 5;

/** Returns usage lines of the options with the closest names, and of the three options that are needed most. */
function suggestFor(name: string): string[] {
  const bare = name.replace(/^-+/, "").slice(0, 64).toLowerCase();
  const near = START_OPTIONS.map((option) => option.names.at(-1) ?? "")
    .map((long) => ({ long, distance: editDistance(bare, long.replace(/^-+/, "")) }))
    .sort((one, other) => one.distance - other.distance);
  const others = near.filter(({ long }) => !ALWAYS_SUGGESTED.includes(long));
  const chosen = new Set(others.slice(0, MAX_SUGGESTIONS - ALWAYS_SUGGESTED.length).map(({ long }) => long));
  const shown = near.filter(({ long }) => chosen.has(long) || ALWAYS_SUGGESTED.includes(long));
  return shown.map(({ long }) => startUsageLine(long));
}
