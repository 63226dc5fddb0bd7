import { cutText, toOneLine } from "../../base/text.ts";
import type { StartOptions } from "../../contract/codex-jobs.ts";
import { type Outcome, refuse, succeed } from "../../contract/faults.ts";
import { compilePattern } from "./patterns.ts";
import { NEEDS, START_REFUSALS, START_WARNINGS } from "./start-texts.ts";

/** Options during parsing: the same names, but mutable. */
export type StartDraft = {
  -readonly [K in keyof StartOptions]: StartOptions[K] extends readonly (infer Item)[] ? Item[] : StartOptions[K];
} & {
  readonly presets: string[];
  /** True if the caller set a limit, which presets then leave unchanged. */
  namesEchoLimit: boolean;
};

type Take = (draft: StartDraft, value: string) => Outcome<null>;

/** Defines how an option is parsed. */
export interface StartOption {
  /** All spellings; the last one is the long form. */
  readonly names: readonly string[];
  /** Description of the value; null for an option without one. */
  readonly needs: string | null;
  /** `rest`: all arguments up to the next option; `any`: the next argument, even if it is an option's name. */
  readonly values: "none" | "one" | "rest" | "any";
  readonly take: Take;
}

/** Parses an integer or a number of seconds within limits. Contract: anything else is refused with an explanation. */
export function readNumber(option: string, given: string, { min, max, whole }: NumberRange): Outcome<number> {
  const value = (whole ? /^\d{1,15}$/ : /^\d{1,15}(?:\.\d{1,3})?$/).test(given) ? Number(given) : Number.NaN;
  if (value >= min && value <= max) return succeed(value);
  const range = `${whole ? "a whole number" : "a number"} from ${min} to ${max}`;
  return refuse(...START_REFUSALS.number(option, toShown(given), range));
}

interface NumberRange {
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
}

/** Range for numbers of lines. */
export const LINES: NumberRange = { min: 0, max: 1_000_000_000, whole: true };
/** Range for numbers of retries. */
export const RETRIES: NumberRange = { min: 0, max: 100, whole: true };
const RUNS: NumberRange = { min: 1, max: 10_000, whole: true };
const DAY: NumberRange = { min: 0, max: 86_400, whole: false };
// Node's timers cannot wait longer than 24 days.
const WEEKS: NumberRange = { min: 0, max: 2_000_000, whole: false };

/** Formats user input for a single line of a terminal. */
export function toShown(given: string): string {
  return cutText(toOneLine(given), 120).text;
}

function flag(names: readonly string[], change: Partial<StartDraft>): StartOption {
  return { names, needs: null, values: "none", take: (draft) => done(Object.assign(draft, change)) };
}

function passed(name: string): StartOption {
  return { names: [name], needs: null, values: "none", take: ({ codexArgs }) => done(codexArgs.push(name)) };
}

function value(names: readonly string[], needs: string, change: (draft: StartDraft, value: string) => void) {
  return { names, needs, values: "one", take: (draft, given) => done(change(draft, given)) } satisfies StartOption;
}

function setting(names: readonly string[], needs: string, toChange: (value: string) => Partial<StartDraft>) {
  return value(names, needs, (draft, given) => Object.assign(draft, toChange(given)));
}

function number(name: string, range: NumberRange, toChange: (value: number) => Partial<StartDraft>): StartOption {
  return checked(name, NEEDS.number, (draft, given) => {
    const read = readNumber(name, given, range);
    return read.ok ? done(Object.assign(draft, toChange(read.value))) : read;
  });
}

function pattern(name: string, change: (draft: StartDraft, pattern: string) => void): StartOption {
  return checked(name, NEEDS.regex, (draft, given) =>
    compilePattern(given) === null ? refuse(...START_REFUSALS.regex(name, toShown(given))) : done(change(draft, given)),
  );
}

function files(names: readonly string[]): StartOption {
  const take: Take = (draft, path) => {
    if (path === "") return refuse(...START_REFUSALS.missing(names.join("/"), NEEDS.paths));
    return done(draft.sources.push({ kind: "file", path }));
  };
  return { names, needs: NEEDS.paths, values: "rest", take };
}

function checked(name: string, needs: string, take: Take): StartOption {
  return { names: [name], needs, values: "one", take };
}

function done(_: unknown): Outcome<null> {
  return succeed(null);
}

/** Every option of start.sh, in the order of its usage text. */
export const START_OPTIONS: readonly StartOption[] = [
  value(["--task"], NEEDS.text, (draft, text) => draft.sources.push({ kind: "text", text })),
  value(["-c", "--content"], NEEDS.text, (draft, text) => draft.sources.push({ kind: "text", text })),
  files(["-f", "--file"]),
  files(["--docs"]),
  value(["--docs-dir"], NEEDS.folder, (draft, path) => draft.sources.push({ kind: "folder", path })),
  setting(["-F", "--file-override"], NEEDS.path, (path) => ({ baseFile: path || null })),
  value(["--prepend"], NEEDS.text, (draft, text) => draft.sources.push({ kind: "prepend-text", text })),
  value(["--append"], NEEDS.text, (draft, text) => draft.sources.push({ kind: "append-text", text })),
  value(["--prepend-file"], NEEDS.plainPath, (draft, path) => draft.sources.push({ kind: "prepend-file", path })),
  value(["--append-file"], NEEDS.plainPath, (draft, path) => draft.sources.push({ kind: "append-file", path })),
  flag(["--patch-mode"], { patchMode: true }),
  flag(["--with-context"], { withContext: true }),

  value(["--sandbox"], NEEDS.sandbox, (draft, mode) => draft.codexArgs.push("--sandbox", mode)),
  value(["--ask-for-approval"], NEEDS.policy, (draft, policy) => draft.codexArgs.push("--ask-for-approval", policy)),
  value(["--approval-mode"], NEEDS.policy, (draft, policy) => draft.codexArgs.push("--ask-for-approval", policy)),
  value(["--approvals"], NEEDS.policy, (draft, policy) => {
    draft.warnings.push(START_WARNINGS.approvals(toShown(policy)));
    draft.codexArgs.push("--ask-for-approval", policy);
  }),
  passed("--full-auto"),
  passed("--dangerously-bypass-approvals-and-sandbox"),
  value(["--profile"], NEEDS.profile, (draft, name) => draft.codexArgs.push("--profile", name)),
  checked("--codex-config", NEEDS.keyValue, (draft, pair) =>
    pair.indexOf("=") > 0
      ? done(draft.codexArgs.push("--config", pair))
      : refuse(...START_REFUSALS.keyValue("--codex-config", toShown(pair))),
  ),
  {
    names: ["--codex-arg"],
    needs: NEEDS.argument,
    values: "any",
    take: (draft, argument) => done(draft.codexArgs.push(argument)),
  },

  setting(["-l", "--log-file"], NEEDS.path, (path) => ({ logFile: path || null })),
  setting(["--log-dir"], NEEDS.folder, (path) => ({ logFolder: path || null })),
  setting(["--tag"], NEEDS.name, (tag) => ({ tag })),
  flag(["--log-subdirs"], { isFlat: false }),
  flag(["--flat-logs"], { isFlat: true }),
  flag(["--echo-instructions"], { echoes: true }),
  flag(["--no-echo-instructions"], { echoes: false }),
  number("--echo-limit", LINES, (echoLimit) => ({ echoLimit, namesEchoLimit: true })),
  flag(["--redact"], { redacts: true }),
  pattern("--redact-pattern", (draft, source) => draft.redactPatterns.push(source)),
  flag(["--no-aggregate"], { aggregates: false }),
  setting(["--aggregate-file"], NEEDS.path, (path) => ({ aggregateFile: path || null })),
  setting(["--aggregate-jsonl-file"], NEEDS.path, (path) => ({ aggregateJsonlFile: path || null })),
  flag(["--json"], { json: true }),
  flag(["--dry-run"], { dryRun: true }),

  number("--max-runs", RUNS, (maxRuns) => ({ maxRuns })),
  pattern("--repeat-until", (draft, source) => Object.assign(draft, { repeatUntil: source || null })),
  number("--sleep-seconds", DAY, (sleepSeconds) => ({ sleepSeconds })),
  flag(["--no-carry-context"], { carriesContext: false }),
  flag(["--no-compress-context"], { compressesContext: false }),
  number("--context-head", LINES, (contextHead) => ({ contextHead })),
  pattern("--context-grep", (draft, source) => draft.contextGrep.push(source)),
  flag(["--no-overflow-retry"], { overflowRetries: 0 }),
  number("--overflow-retries", RETRIES, (overflowRetries) => ({ overflowRetries })),
  value(["--require-change-in"], NEEDS.glob, (draft, glob) => draft.requireChangeIn.push(glob)),
  flag(["--require-git-commit"], { requireGitCommit: true }),
  flag(["--auto-commit-on-done"], { autoCommit: true }),
  setting(["--auto-commit-message"], NEEDS.message, (autoCommitMessage) => ({ autoCommitMessage })),
  flag(["--commit-hooks"], { commitHooks: true }),
  number("--timeout", WEEKS, (timeoutSeconds) => ({ timeoutSeconds })),
  checked("--resume-thread", NEEDS.thread, (draft, id) => {
    // It becomes an argument of codex: a leading dash would make it an option.
    if (!/^[\p{L}\p{N}][\p{L}\p{N}_.:-]{0,127}$/u.test(id))
      return refuse(...START_REFUSALS.thread("--resume-thread", toShown(id)));
    draft.resumeThread = id;
    return succeed(null);
  }),

  value(["--preset"], NEEDS.preset, (draft, name) => draft.presets.push(name)),
  flag(["-h", "--help"], { help: true }),
];

const BY_NAME = new Map(START_OPTIONS.flatMap((option) => option.names.map((name) => [name, option] as const)));

/** Finds an option by any of its spellings. */
export function findOption(name: string): StartOption | undefined {
  return BY_NAME.get(name);
}

/** An option of start.sh as typed, with its values. */
export interface TypedOption {
  /** Without a value joined by `=`. */
  readonly name: string;
  /** The complete option, as typed. */
  readonly words: readonly string[];
  readonly values: readonly string[];
  /** True if the value is joined to the name. */
  readonly isJoined: boolean;
}

/**
 * Groups arguments into options and their values, without validating them: the only place that decides which word
 * belongs to which option. Contract: all words are returned, in order; `rest` is everything after `--`, which is
 * Codex's. An unknown option is a word of its own.
 */
export function readTyped(
  args: readonly string[],
  /** Names of additional options that take a value. */
  others: readonly string[] = [],
): {
  readonly typed: readonly TypedOption[];
  readonly rest: readonly string[];
} {
  const typed: TypedOption[] = [];
  for (let at = 0; at < args.length; ) {
    const word = args[at] ?? "";
    if (word === "--") return { typed, rest: args.slice(at + 1) };
    const name = word.replace(/^(--[^=]*)=.*$/s, "$1");
    const isJoined = name !== word;
    const count = isJoined ? 0 : countValues(others.includes(name) ? "one" : findOption(name)?.values, args, at + 1);
    const words = args.slice(at, at + 1 + count);
    typed.push({ name, words, values: isJoined ? [word.slice(name.length + 1)] : words.slice(1), isJoined });
    at += words.length;
  }
  return { typed, rest: [] };
}

/** Returns how many of the words from an index on are an option's values. */
function countValues(values: StartOption["values"] | undefined, args: readonly string[], from: number): number {
  if (values === undefined || values === "none") return 0;
  if (values !== "rest") return 1;
  const end = args.findIndex((word, at) => at >= from && word.startsWith("-") && word !== "-");
  return (end < 0 ? args.length : end) - from;
}

/** Separates the options from everything after `--`. */
export function splitOptions(args: readonly string[]): {
  readonly options: readonly string[];
  readonly rest: readonly string[];
} {
  const { typed, rest } = readTyped(args);
  return { options: typed.flatMap(({ words }) => words), rest };
}
