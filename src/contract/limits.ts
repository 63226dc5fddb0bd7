import { countOf } from "./count-of.ts";
import { FAULTS, type Fault, type FaultCode, sayFault } from "./faults.ts";

/** Fixed texts, which quote nothing but numbers. */
const FIXED = {
  tier2Disabled: () => "tier-2 disabled by default; set CI_AUTO_TOOLS_TIER_MAX=2 to enable",
  tier2ConfigIgnored: () => "tier-2 requires CI_AUTO_TOOLS_TIER_MAX=2 (config ignored)",
  anglesEscaped: () => "angle brackets arrive as &lt; and &gt;",
  planMode: () => "plan mode; no tool was run",
  legacy: () => "legacy mode enabled; using legacy policy",
  bypassRefused: () => "tool invocation must go through orchestrator",
  injectionFiltered: () => "filtered potential injection content (已过滤潜在注入内容)",
  noGitRoot: () => "no-git-root: not inside a git repository; the folder itself is the root",
  emptyPrompt: () => "empty prompt",
  privateLeftOut: () => "text marked private was neither analysed nor kept",
  inputInvalid: () => 'input is no JSON object with a string "prompt"; taken as an empty prompt',
  historyKept: () => "what ran is kept on this machine (groundwork runs; GROUNDWORK_HISTORY=off keeps nothing)",
  notCode: () => "not about this repository's code; nothing injected (CI_AUTO_TOOLS=on asks anyway)",
  nothingFound: () => "nothing found; a path, a symbol name or the error text in the question would help",
  itemsCut: (kept: number, found: number) => `results truncated to ${kept} of ${found} findings (结果截断)`,
  snippetsCut: () => "code excerpts cut to 20 lines each",
  clientCap: (shown: number, total: number) => `${shown} of ${total} findings fit the client's inline limit`,
  promptCut: (chars: number) => `prompt longer than ${chars} characters; the rest is not analysed or recorded`,
  pathsFiltered: (count: number) => `${countOf(count, "result")} from excluded or sensitive paths left out`,
  notIndexed: (files: number) =>
    `not indexed yet: ${countOf(files, "file")} ${files === 1 ? "was" : "were"} read for this answer; symbols and calls come with the index`,
  callsPartial: () => "the index is being built; some calls are not known yet",
  callsStale: (files: number) =>
    `${countOf(files, "file")} changed since indexed; calls in ${files === 1 ? "it" : "them"} are not known yet`,
  trustChanged: () => "repository settings changed since you trusted them; run groundwork trust",
  devbooks: () =>
    "orchestrator settings in .devbooks/config.yaml are ignored; 请迁移到 config/auto-tools.yaml (move them there)",
  lastMessageCut: (bytes: number) => `the last message is longer than ${bytes} bytes; lastMessageFile has all of it`,
  jobsLeftOut: (count: number) =>
    `${count === 1 ? "1 job is" : `${count} jobs are`} not shown: the name reads like an order`,
  jobsCut: (shown: number, found: number) => `only the newest ${shown} of ${found} jobs are shown`,
} as const;

/** What switched it off, by origin, unless it is a file. */
const OFF_BY: Readonly<Record<string, string>> = {
  environment: "CI_AUTO_TOOLS=off",
  prompt: "#nocontext in the prompt",
};

/** Returns what switched it off and, if that was a command, how to undo it. */
function sayOff(origin: string): string {
  if (!origin.startsWith("groundwork off")) return OFF_BY[origin] ?? `auto_tools: off in the ${origin}`;
  return `${origin}; undo: groundwork on${origin.startsWith("groundwork off --repo") ? " --repo" : ""}`;
}

/** Texts that quote settings, paths, prompts or programs. */
const QUOTING = {
  off: (origin: string) => `switched off (${sayOff(origin)})`,
  nameNotHere: (name: string, nearest: readonly string[]) =>
    `${name} is not in this repository; did you mean ${nearest.join(", ")}?`,
  pathOutside: (path: string) => `E_REPO_ROOT: ${path} is outside the repository; not read`,
  pathRefused: (why: string) => `E_REPO_ROOT: ${why}; not read`,
  pathSensitive: (path: string) => `${path} may hold secrets; its content is not read`,
  redacted: (count: number, kinds: string) => `${countOf(count, "secret-looking value")} hidden (${kinds})`,
  teamAsked: (url: string) => `words of the question were sent to the team's server at ${url}`,
  teamSilent: (why: string) => `without other repositories: ${why}`,
  teamUnknown: (names: string) => `not on the team's server, or not for this token: ${names}`,
  indexDamaged: (why: string) => `the index cannot be read and is being rebuilt: ${why}`,
  memoryDamaged: (why: string) => `earlier answers of this session are not known: ${why}`,
  embeddingsCut: (fault: Fault, compared: number, of: number) =>
    `${fault.message}; ${compared === 0 ? "ranked by words alone" : `${compared} of ${of} places compared by meaning`}`,
  modelCut: (fault: Fault) => `${fault.message}; investigated by rules instead`,
  settingInvalid: (where: string, key: string, accepted: string) => `${where}: ${key} ignored; accepted: ${accepted}`,
  settingUnknown: (where: string, key: string, nearest: string) =>
    `${where}: unknown key ${key} ignored${nearest ? `; did you mean ${nearest}?` : ""}`,
  settingWidens: (where: string, key: string) => `${where}: ${key} refused; a repository's file may only narrow`,
  toolRaises: (where: string, key: string) => `${where}: ${key} refused; a file may only lower what a tool may do`,
  trustDamaged: (why: string) => `nothing is trusted: ${why}; run groundwork trust`,
  hooksUntrusted: (folders: string) =>
    `hooks in this repository's ${folders} are not run until you trust it: groundwork trust`,
  hookIgnored: (file: string, why: string) => `${file}: ${why}; not run`,
  serverTaken: (where: string, key: string) => `${where}: ${key} ignored; your own file has a server of that name`,
  settingNotHere: (where: string, key: string, env: string) => `${where}: ${key} ignored; set ${env} instead`,
  laterSchema: (version: string) => `the orchestrator's schema ${version} is newer than 1.x; only its text is used`,
  /** A line that another program reported as its own limit. */
  quoted: (line: string) => line,
} as const;

/** Texts about one tool, whose name is their first argument. */
const OF_TOOL = {
  clamped: (tool: string, key: string, max: number) => `${tool}: ${key} clamped to ${max}`,
  moreThanShown: (tool: string, shown: number) => `${tool}: only the first ${shown} are shown`,
  lookCut: (tool: string) => `${tool}: not everything could be examined`,
  noHistory: (tool: string) => `${tool}: no history available; ranked by complexity alone`,
  historyCut: (tool: string) => `${tool}: more commits than could be read; the oldest are not counted`,
  noSuchPath: (tool: string, from: string, to: string) => `${tool}: no calls lead from ${from} to ${to}`,
  stepRefused: (tool: string) => `${tool} may not be called here; not run`,
  stepRepeated: (tool: string) => `${tool} was called with the same arguments before; not run again`,
  hookWarned: (tool: string, moment: string, command: string, said: string) =>
    `${tool}: ${moment} hook warns: ${command}${said === "" ? "" : `: ${said}`}`,
  hookFailed: (tool: string, moment: string, command: string, exitCode: number, said: string) =>
    `${tool}: ${moment} hook failed: ${command} (exit ${exitCode})${said === "" ? "" : `: ${said}`}`,
  notReadOnly: (tool: string) => `${tool}: does not declare itself read-only; run only when you ask for it`,
  partsLeftOut: (tool: string, count: number) => `${tool}: ${countOf(count, "part")} of the answer left out: not text`,
} as const;

/** What was skipped for lack of time: an empty result must not claim that there is nothing. */
const PARTIAL = {
  scanPartial: (files: number) => {
    const brief = `there was time to read ${countOf(files, "file")}`;
    return { text: `not indexed: ${brief}; results are partial`, brief };
  },
  indexUnchecked: () => ({
    text: "no time to check for changed files; the answer may be out of date",
    brief: "there was no time to check for changed files",
  }),
  indexStale: (files: number) => {
    const changed = `${countOf(files, "file")} changed`;
    return { text: `${changed} since they were indexed and not read yet`, brief: `${changed} and not read yet` };
  },
} as const;

/** Kind of a limit: the name of its maker, or the code of the fault that it reports. */
type LimitCode = keyof typeof FIXED | keyof typeof QUOTING | keyof typeof OF_TOOL | keyof typeof PARTIAL | FaultCode;

/** All kinds of limits. */
export const LIMIT_CODES: readonly string[] = [FIXED, QUOTING, OF_TOOL, PARTIAL, FAULTS].flatMap(Object.keys);

/** One thing that was left out, cut or refused. It stays a value until it is printed; decisions depend on its code. */
export interface Limit {
  readonly code: LimitCode;
  /** Text for people and models, without the prefix. */
  readonly text: string;
  /** The tool that it concerns. */
  readonly tool?: string;
  /** A short form for lines with little space. */
  readonly brief?: string;
}

type Makers<Texts> = {
  readonly [Code in keyof Texts]: Texts[Code] extends (...args: infer Args) => string
    ? (...args: Args) => Limit
    : never;
};

function makersOf<Texts extends object>(texts: Texts, { nameTool }: { readonly nameTool: boolean }): Makers<Texts> {
  const entries = Object.entries(texts).map(([code, toText]: [string, (...args: unknown[]) => string]) => [
    code,
    (...args: unknown[]) => ({ code, text: toText(...args), ...(nameTool ? { tool: args[0] } : {}) }),
  ]);
  return Object.fromEntries(entries) as Makers<Texts>;
}

/**
 * The table of limits: a maker for each code. Texts from the founding documents are verbatim; all other code makes
 * limits by calling these functions.
 */
export const LIMITS = {
  ...makersOf(FIXED, { nameTool: false }),
  ...makersOf(QUOTING, { nameTool: false }),
  ...makersOf(OF_TOOL, { nameTool: true }),
  scanPartial: (files: number): Limit => ({ code: "scanPartial", ...PARTIAL.scanPartial(files) }),
  indexUnchecked: (): Limit => ({ code: "indexUnchecked", ...PARTIAL.indexUnchecked() }),
  indexStale: (files: number): Limit => ({ code: "indexStale", ...PARTIAL.indexStale(files) }),
  /** The limit of a fault, with the tool if a tool failed. */
  fault: (code: FaultCode, tool?: string): Limit =>
    tool === undefined ? { code, text: FAULTS[code].limit } : { code, text: `${FAULTS[code].limit} (${tool})`, tool },
  /** A rejected call: the message includes the tool and the reason. */
  rejected: (tool: string, message: string): Limit => ({ code: "E_INVALID_ARGS", text: message, tool }),
  /** A fault that ended a whole run. The text for invalid output is fixed verbatim; the others add what to do. */
  runFault: (fault: Fault): Limit => {
    const { code } = fault;
    const { limit } = FAULTS[code];
    return { code, text: code === "E_OUTPUT" ? limit : `${code === "E_REPO_ROOT" ? code : limit}: ${sayFault(fault)}` };
  },
} as const;

/** True for a limit with a fixed text that quotes nothing but numbers. */
export function isFixedLimit({ code }: Limit): boolean {
  return Object.hasOwn(FIXED, code) || Object.hasOwn(PARTIAL, code);
}

/** Prefix of every limit in a text. */
export const LIMITS_PREFIX = "[Limits] ";

/** Valid values of `limits_text`: lines with the prefix, or nothing. */
export const LIMITS_TEXT = /^(\[Limits\] [^\n]+(\n\[Limits\] [^\n]+)*)?$/;

/** Joins limits to `limits_text`. Contract: every line starts with the prefix; of duplicates, the first is kept. */
export function toLimitsText(limits: readonly Limit[]): string {
  const lines = new Set<string>();
  for (const { text } of limits) {
    const flat = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ").trim();
    if (flat !== "") lines.add(LIMITS_PREFIX + flat);
  }
  return [...lines].join("\n");
}

/** Parses a `limits_text` that another program wrote. Contract: the original codes are unknown. */
export function readLimitsText(text: string): Limit[] {
  return text
    .split("\n")
    .map((line) => (line.startsWith(LIMITS_PREFIX) ? line.slice(LIMITS_PREFIX.length) : line))
    .filter((line) => line.trim() !== "")
    .map(LIMITS.quoted);
}

/** The `limits` field next to data; no field if there are no limits. */
export function toLimitsField(limits: readonly Limit[]): { limits?: string[] } {
  return limits.length === 0 ? {} : { limits: toLimitTexts(limits) };
}

/** Texts of limits, as used in JSON. */
export function toLimitTexts(limits: readonly Limit[]): string[] {
  return limits.map(({ text }) => text);
}
