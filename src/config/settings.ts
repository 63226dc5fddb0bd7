import { isEditorLink } from "../base/editor-link.ts";
import type { Environment } from "../base/environment.ts";
import { isQuickPattern } from "../base/exclusions.ts";
import { isLoopbackUrl, isSafeUrl } from "../base/send-request.ts";
import { HISTORY_CHOICES, HISTORY_VARIABLE } from "./history-setting.ts";

// Hand-written checks instead of a schema library: these few run before every answer, and building schemas for them
// would cost more than all other work on the settings.

type Check<T> = (value: unknown) => value is T;

/** How a setting is named, read and restricted. */
export interface SettingRow<T> {
  /** Key in `auto-tools.yaml`, dotted if nested. */
  readonly key: string;
  /** Environment variable that overrides every file; empty if there is none. */
  readonly env: string;
  readonly accepts: Check<T>;
  /** Set if a file may set less than the environment. */
  readonly acceptsInFile?: Check<T>;
  readonly fallback: NoInfer<T>;
  /** True if a repository's value only restricts the current one; null for a setting that files may not make. */
  readonly narrows: ((next: T, current: T) => boolean) | null;
  /** Description of the accepted values. */
  readonly accepted: string;
  readonly doc: string;
}

const lower = (next: number, current: number) => next <= current;
const always = () => true;
/** A repository's file may repeat the value that applies anyway, as the generated file does. */
const unchanged = <T>(next: T, current: T) => next === current;

function rank<T extends string>(...order: T[]): (next: T, current: T) => boolean {
  return (next, current) => order.indexOf(next) <= order.indexOf(current);
}

/** Accepts one of the given words. */
function choice<T extends string>(...values: T[]): Pick<SettingRow<T>, "accepts" | "accepted"> {
  return { accepts: (value): value is T => values.some((known) => known === value), accepted: values.join(", ") };
}

function wholeNumber(min: number, max: number): Check<number> {
  return (value): value is number => Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
}

const isSwitch: Check<boolean> = (value) => typeof value === "boolean";

function textUpTo(max: number): Check<string> {
  return (value): value is string => typeof value === "string" && value.length > 0 && value.length <= max;
}

const isVariableName: Check<string> = (value): value is string =>
  typeof value === "string" && /^[A-Za-z_]\w{0,99}$/.test(value);

const isPatternList: Check<readonly string[]> = (value): value is readonly string[] =>
  Array.isArray(value) && value.length <= 256 && value.every(textUpTo(256)) && value.every(isQuickPattern);

/** Infers the type of a setting from what it accepts. */
function setting<T>(row: SettingRow<T>): SettingRow<T> {
  return row;
}

const ROWS = {
  autoTools: setting({
    key: "auto_tools",
    env: "CI_AUTO_TOOLS",
    ...choice("auto", "on", "off"),
    fallback: "auto",
    narrows: rank("off", "auto", "on"),
    doc: "auto = tools only for questions about code; on = for every prompt; off = nothing at all",
  }),
  mode: setting({
    key: "mode",
    env: "CI_AUTO_TOOLS_MODE",
    ...choice("run", "plan"),
    fallback: "run",
    narrows: rank("plan", "run"),
    doc: "plan = decide and explain, run nothing",
  }),
  dryRun: setting({
    key: "dry_run",
    env: "CI_AUTO_TOOLS_DRY_RUN",
    accepts: isSwitch,
    fallback: false,
    narrows: (next, current) => next || !current,
    accepted: "0, 1 (in a file: false, true)",
    doc: "1 = the same as mode plan",
  }),
  threshold: setting({
    key: "threshold",
    env: "",
    accepts: (value): value is number => typeof value === "number" && value >= 0 && value <= 1,
    fallback: 0.5,
    narrows: (next, current) => next >= current,
    accepted: "0 to 1",
    doc: "how sure it must be that a prompt is about code, in auto_tools: auto",
  }),
  tierMax: setting({
    key: "tier_max",
    env: "CI_AUTO_TOOLS_TIER_MAX",
    accepts: wholeNumber(0, 2),
    acceptsInFile: wholeNumber(0, 1),
    fallback: 1,
    narrows: lower,
    accepted: "0, 1; 2 by the variable alone",
    doc: "highest tier that may run: 0 status, 1 search, 2 deep analysis (only by the variable)",
  }),
  wallMs: setting({
    key: "budget.wall_ms",
    env: "CI_AUTO_TOOLS_BUDGET_WALL_MS",
    accepts: wholeNumber(1, 60_000),
    // The watchdog of the entry points cannot read files, so a limit set in a file must expire before it.
    acceptsInFile: wholeNumber(1, 10_000),
    fallback: 5_000,
    narrows: lower,
    accepted: "1 to 60000 (in a file to 10000)",
    doc: "milliseconds for all tools together; triggered tier-2 tools add 5000",
  }),
  maxConcurrency: setting({
    key: "budget.max_concurrency",
    env: "CI_AUTO_TOOLS_MAX_CONCURRENCY",
    accepts: wholeNumber(1, 16),
    fallback: 3,
    narrows: lower,
    accepted: "1 to 16",
    doc: "maximum number of tools running at once",
  }),
  maxInjectedChars: setting({
    key: "budget.max_injected_chars",
    env: "CI_AUTO_TOOLS_MAX_INJECTED_CHARS",
    accepts: wholeNumber(0, 12_000),
    fallback: 12_000,
    narrows: lower,
    accepted: "0 to 12000",
    doc: "maximum number of characters of injected text; a client's own limit may be lower",
  }),
  repoRoot: setting({
    key: "repo_root",
    env: "CI_AUTO_TOOLS_REPO_ROOT",
    accepts: textUpTo(4_096),
    fallback: "",
    narrows: always,
    accepted: "a folder (in a file: one inside the repository)",
    doc: "root of the files that may be read; default: the top of the git work tree, else the current folder",
  }),
  exclude: setting({
    key: "exclude",
    env: "",
    accepts: isPatternList,
    fallback: [],
    narrows: always,
    accepted: "a list of patterns as in .gitignore, ** at most twice in each",
    doc: "paths that are never read, besides the built-in ones; lists of several files add up",
  }),
  index: setting({
    key: "index",
    env: "CI_AUTO_TOOLS_INDEX",
    ...choice("auto", "off"),
    fallback: "auto",
    narrows: rank("off", "auto"),
    doc: "auto = an index outside the repository, kept up to date in the background; off = files are read for each question",
  }),
  resident: setting({
    key: "resident",
    env: "GROUNDWORK_RESIDENT",
    ...choice("auto", "off"),
    fallback: "auto",
    narrows: rank("off", "auto"),
    doc: "auto = a process in the background answers the next questions from memory; off = each prompt does all of the work itself, with the same answer",
  }),
  sessionMemory: setting({
    key: "session_memory",
    env: "CI_AUTO_TOOLS_SESSION_MEMORY",
    accepts: isSwitch,
    fallback: true,
    narrows: (next, current) => !next || current,
    accepted: "0, 1 (in a file: false, true)",
    doc: "remember the topics and the evidence of a session, and the lines typed into codex-auto's loop; 0 = neither read nor write this",
  }),
  history: setting({
    key: "history",
    env: HISTORY_VARIABLE,
    ...choice(...HISTORY_CHOICES),
    fallback: "full",
    narrows: rank(...HISTORY_CHOICES),
    doc: "what to keep of runs, in the state folder: full = the run document and the injected text; no-prompts = times, counts and a hash of the question; off = nothing",
  }),
  historyDays: setting({
    key: "history_days",
    env: "GROUNDWORK_HISTORY_DAYS",
    accepts: wholeNumber(1, 3_650),
    fallback: 30,
    // All repositories share one history, which none of them may shorten.
    narrows: unchanged,
    accepted: "1 to 3650 (not in a repository's file)",
    doc: "days that a run is kept",
  }),
  historyMb: setting({
    key: "history_mb",
    env: "GROUNDWORK_HISTORY_MB",
    accepts: wholeNumber(1, 10_000),
    fallback: 50,
    narrows: unchanged,
    accepted: "1 to 10000 (not in a repository's file)",
    doc: "megabytes that all kept runs may take together; the oldest go first",
  }),
  teamFigures: setting({
    key: "team_figures",
    env: "GROUNDWORK_TEAM_FIGURES",
    ...choice("off", "on"),
    fallback: "off",
    // Only the user may decide whether anything leaves the machine.
    narrows: unchanged,
    accepted: "off, on (not in a repository's file)",
    doc: "on = counts, times, tools, limits and outcomes of your runs go to your team's server (docs/team.md); no texts, no names",
  }),
  editorLink: setting({
    key: "editor_link",
    env: "GROUNDWORK_EDITOR_LINK",
    accepts: (value): value is string => value === "off" || isEditorLink(value),
    fallback: "vscode://file/{path}:{line}",
    // Only the user may choose an address that opens a program.
    narrows: unchanged,
    accepted: "an address of your editor with {path}, and {line} where it takes one; off (not in a repository's file)",
    doc: "what a click on a place opens in the page of groundwork ui; off = no links",
  }),
  legacy: setting({
    key: "legacy",
    env: "CI_AUTO_TOOLS_LEGACY",
    accepts: isSwitch,
    fallback: false,
    narrows: null,
    accepted: "0, 1",
    doc: "1 = mark the output as legacy policy",
  }),
  sessionMode: setting({
    key: "codex.session_mode",
    env: "CI_CODEX_SESSION_MODE",
    ...choice("resume_last", "exec"),
    fallback: "resume_last",
    narrows: null,
    doc: "whether codex-auto goes on in the newest session or starts a new one each round; its loop at a terminal goes on in its own unless this is set",
  }),
  embeddingsUrl: setting({
    key: "embeddings.url",
    env: "GROUNDWORK_EMBEDDINGS_URL",
    accepts: isLoopbackUrl,
    fallback: "",
    narrows: null,
    accepted: "an http address on this machine (127.0.0.1, [::1] or localhost), because nothing is sent elsewhere",
    doc: "OpenAI-compatible server of an embedding model of yours, which then has a say in the order of hits",
  }),
  embeddingsModel: setting({
    key: "embeddings.model",
    env: "GROUNDWORK_EMBEDDINGS_MODEL",
    accepts: textUpTo(200),
    fallback: "",
    narrows: null,
    accepted: "a name of at most 200 characters",
    doc: "name of that model, where the server has several",
  }),
  investigateEndpoint: setting({
    key: "investigate.endpoint",
    env: "GROUNDWORK_INVESTIGATE_ENDPOINT",
    accepts: isSafeUrl,
    fallback: "",
    narrows: null,
    accepted: "an https address, or an http address on this machine",
    doc: "server of a language model that leads investigations; your questions and what the tools find are sent there",
  }),
  investigateApi: setting({
    key: "investigate.api",
    env: "GROUNDWORK_INVESTIGATE_API",
    ...choice("openai", "anthropic"),
    fallback: "openai",
    narrows: null,
    doc: "how that server is spoken to: /v1/chat/completions or /v1/messages",
  }),
  investigateModel: setting({
    key: "investigate.model",
    env: "GROUNDWORK_INVESTIGATE_MODEL",
    accepts: textUpTo(200),
    fallback: "",
    narrows: null,
    accepted: "a name of at most 200 characters",
    doc: "name of that model",
  }),
  investigateKeyVariable: setting({
    key: "investigate.key_variable",
    env: "GROUNDWORK_INVESTIGATE_KEY_VARIABLE",
    accepts: isVariableName,
    fallback: "",
    narrows: null,
    accepted: "the name of a variable",
    doc: "variable that holds the key for that server; without it no key is sent",
  }),
  teamRepos: setting({
    key: "team.repos",
    env: "GROUNDWORK_TEAM_REPOS",
    accepts: textUpTo(2_000),
    fallback: "",
    narrows: null,
    accepted: "names of repositories with commas between them, or * for all",
    doc: "repositories on your team's server that prompts are answered from as well: words of the prompt are then sent there",
  }),
};

/** All settings, after all sources have been applied. */
export type Settings = {
  [name in keyof typeof ROWS]: (typeof ROWS)[name] extends SettingRow<infer T> ? T : never;
};

/** The single schema of settings: names, types, defaults, variables, YAML keys and documentation derive from it. */
export const SETTINGS: { readonly [name in keyof Settings]: SettingRow<Settings[name]> } = ROWS;

/** Names of all settings, in the order of the table. */
export const SETTING_NAMES = Object.keys(SETTINGS) as (keyof Settings)[];

/** Rule for a tool in a settings file: never allows more than the tool's declaration. */
export interface ToolRule {
  readonly enabled: boolean;
  readonly tier: number;
  readonly timeoutMs: number;
  readonly ceilings: Readonly<Record<string, number>>;
}

/** Upper limits from a tool's declaration. */
export interface ToolBounds extends Omit<ToolRule, "enabled"> {
  readonly name: string;
}

/** The value that the environment gives to a setting; undefined if its variable is unset or its value not accepted. */
export function fromVariable<K extends keyof Settings>(env: Environment, name: K): Settings[K] | undefined {
  const row: SettingRow<Settings[K]> = SETTINGS[name];
  const value = toTyped(env[row.env]?.trim() ?? "", row.fallback);
  return row.accepts(value) ? value : undefined;
}

function toTyped(raw: string, like: unknown): unknown {
  if (typeof like === "number") return /^\d{1,9}$/.test(raw) ? Number(raw) : raw;
  if (typeof like === "boolean") return { "1": true, true: true, "0": false, false: false }[raw.toLowerCase()] ?? raw;
  return raw;
}
