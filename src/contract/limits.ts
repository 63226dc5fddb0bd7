import { FAULTS, type FaultCode } from "./faults.ts";

/** Why an embedding model was not, or not fully, heard. */
export type EmbeddingTrouble = "silent" | "refused" | "garbled" | "late";

const EMBEDDING_TROUBLES: Readonly<Record<EmbeddingTrouble, string>> = {
  silent: "does not answer",
  refused: "answered with an error",
  garbled: "answered with something else than vectors",
  late: "did not answer in time",
};

/** Why a model did not lead an investigation to its end. */
export type ModelTrouble = EmbeddingTrouble | "endless";

const MODEL_TROUBLES: Readonly<Record<ModelTrouble, string>> = {
  ...EMBEDDING_TROUBLES,
  garbled: "answered with something that cannot be read",
  endless: "kept calling tools when no step was left",
};

/**
 * The texts of [Limits] lines that are not faults, without their prefix. Texts named in the founding documents stand
 * here word for word; other code only ever calls these functions.
 */
export const LIMITS = {
  tier2Disabled: () => "tier-2 disabled by default; set CI_AUTO_TOOLS_TIER_MAX=2 to enable",
  tier2ConfigIgnored: () => "tier-2 requires CI_AUTO_TOOLS_TIER_MAX=2 (config ignored)",
  planMode: () => "plan mode; no tool was run",
  legacy: () => "legacy mode enabled; using legacy policy",
  bypassRefused: () => "tool invocation must go through orchestrator",
  injectionFiltered: () => "filtered potential injection content (已过滤潜在注入内容)",
  clamped: (tool: string, key: string, max: number) => `${tool}: ${key} clamped to ${max}`,
  argsRejected: (tool: string, key: string) => `${tool}: ${FAULTS.E_INVALID_ARGS.limit} (${key})`,
  noGitRoot: () => "no-git-root: not inside a git repository; the folder itself is the root",
  emptyPrompt: () => "empty prompt",
  inputInvalid: () => 'input is no JSON object with a string "prompt"; taken as an empty prompt',
  off: (origin: string) =>
    `switched off (${origin === "environment" ? "CI_AUTO_TOOLS=off" : `auto_tools: off in the ${origin}`})`,
  notCode: () => "not about this repository's code; nothing injected (CI_AUTO_TOOLS=on asks anyway)",
  nothingFound: () => "nothing found; a path, a symbol name or the error text in the question would help",
  nameNotHere: (name: string, nearest: readonly string[]) =>
    `${name} stands nowhere here; did you mean ${nearest.join(", ")}?`,
  itemsCut: (kept: number, found: number) => `results truncated to ${kept} of ${found} findings (结果截断)`,
  snippetsCut: () => "code excerpts cut to 20 lines each",
  clientCap: (shown: number, total: number) => `${shown} of ${total} findings fit the client's inline limit`,
  promptCut: (chars: number) => `prompt longer than ${chars} characters; the rest is not analysed or recorded`,
  pathOutside: (path: string) => `E_REPO_ROOT: ${path} lies outside the repository; not read`,
  pathRefused: (why: string) => `E_REPO_ROOT: ${why}; not read`,
  pathSensitive: (path: string) => `${path} may hold secrets; its content is not read`,
  pathsFiltered: (count: number) =>
    `${count} result${count === 1 ? "" : "s"} from excluded or sensitive paths left out`,
  redacted: (count: number, kinds: string) =>
    `${count} secret-looking value${count === 1 ? "" : "s"} hidden (${kinds})`,
  scanPartial: (files: number) => `not indexed: there was time to read ${files} files; results are partial`,
  notIndexed: (files: number) =>
    `not indexed yet: ${files} files were read for this answer; symbols and calls come with the index`,
  indexDamaged: (why: string) => `the index cannot be read and is built anew: ${why}`,
  memoryDamaged: (why: string) => `what was said before in this session is not known: ${why}`,
  indexUnchecked: () => "no time to look for changed files; what is said may be older than they are",
  indexStale: (files: number) =>
    `${files} file${files === 1 ? "" : "s"} changed since they were indexed and not read yet`,
  callsPartial: () => "the index is being built; some calls are not known yet",
  callsStale: (files: number) =>
    `${files} file${files === 1 ? "" : "s"} changed since indexed; calls in ${files === 1 ? "it" : "them"} are not known yet`,
  moreThanShown: (tool: string, shown: number) => `${tool}: only the first ${shown} are shown`,
  lookCut: (tool: string) => `${tool}: there was more than could be looked at`,
  noHistory: (tool: string) => `${tool}: no history to be read; ranked by complexity alone`,
  historyCut: (tool: string) => `${tool}: more commits than could be read; the oldest are not counted`,
  noSuchPath: (tool: string, from: string, to: string) => `${tool}: no calls lead from ${from} to ${to}`,
  embeddingsCut: (trouble: EmbeddingTrouble, compared: number, of: number) =>
    compared === 0
      ? `the embedding model ${EMBEDDING_TROUBLES[trouble]}; ranked by words alone`
      : `the embedding model ${EMBEDDING_TROUBLES[trouble]}; ${compared} of ${of} places compared by meaning`,
  modelCut: (trouble: ModelTrouble, model: string) =>
    `the model${model === "" ? "" : ` ${model}`} ${MODEL_TROUBLES[trouble]}; investigated by rules instead`,
  stepRefused: (tool: string) => `${tool} may not be called here; not run`,
  stepRepeated: (tool: string) => `${tool} was called with the same arguments before; not run again`,
  settingInvalid: (where: string, key: string, accepted: string) => `${where}: ${key} ignored; accepted: ${accepted}`,
  settingUnknown: (where: string, key: string, nearest: string) =>
    `${where}: unknown key ${key} ignored${nearest ? `; did you mean ${nearest}?` : ""}`,
  settingWidens: (where: string, key: string) => `${where}: ${key} refused; a repository's file may only narrow`,
  toolRaises: (where: string, key: string) => `${where}: ${key} refused; a file may only lower what a tool may do`,
  trustChanged: () => "repository settings changed since you trusted them; run groundwork trust",
  trustDamaged: (why: string) => `nothing is trusted: ${why}; run groundwork trust`,
  hooksUntrusted: (folders: string) =>
    `hooks in this repository's ${folders} are not run until you trust it: groundwork trust`,
  hookIgnored: (file: string, why: string) => `${file}: ${why}; not run`,
  hookWarned: (tool: string, moment: string, command: string, said: string) =>
    `${tool}: ${moment} hook warns: ${command}${said === "" ? "" : `: ${said}`}`,
  hookFailed: (tool: string, moment: string, command: string, exitCode: number, said: string) =>
    `${tool}: ${moment} hook failed: ${command} (exit ${exitCode})${said === "" ? "" : `: ${said}`}`,
  notReadOnly: (tool: string) => `${tool}: does not declare itself read-only; run only when you ask for it`,
  partsLeftOut: (tool: string, count: number) =>
    `${tool}: ${count} part${count === 1 ? "" : "s"} of the answer left out, being no text`,
  serverTaken: (where: string, key: string) => `${where}: ${key} ignored; your own file has a server of that name`,
  settingNotHere: (where: string, key: string, env: string) => `${where}: ${key} ignored; set ${env} instead`,
  devbooks: () =>
    "orchestrator settings in .devbooks/config.yaml are ignored; 请迁移到 config/auto-tools.yaml (move them there)",
  laterSchema: (version: string) => `the orchestrator's schema ${version} is newer than 1.x; only its text is used`,
  fault: (code: FaultCode, detail?: string) => `${FAULTS[code].limit}${detail ? ` (${detail})` : ""}`,
} as const;

/** True for a text that quotes nothing, or nothing but numbers: it is ours word for word. */
export function isFixedLimit(text: string): boolean {
  if (text.replace(/\d{1,9}/g, "0") === LIMITS.itemsCut(0, 0)) return true;
  return Object.values(LIMITS).some((make) => make.length === 0 && (make as () => string)() === text);
}

const PREFIX = "[Limits] ";

/** Joins limits to `limits_text`. Contract: every line begins with `[Limits] `, duplicates stand once, first place kept. */
export function toLimitsText(limits: readonly string[]): string {
  const lines = new Set<string>();
  for (const limit of limits) {
    const flat = limit.replace(/\s+/g, " ").trim();
    if (flat !== "") lines.add(PREFIX + flat);
  }
  return [...lines].join("\n");
}
