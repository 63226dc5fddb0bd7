import { dirname } from "node:path";
import { isRecord } from "../base/text.ts";
import { LIMITS, type Limit } from "../contract/limits.ts";
import {
  type HookAction,
  type HookPattern,
  type HookRule,
  OTHER_HOOK_TYPES,
  TOOL_HOOK_TYPES,
  type ToolHooks,
} from "../contract/tool-hooks.ts";
import { HOOK_FOLDERS } from "./places.ts";
import { readSmallFile, whyUnread } from "./small-file.ts";
import { judgeTrust, listHookFiles, type SeenFile } from "./trust.ts";

const DEFAULT_TIMEOUT_MS = 5_000;
const MAX_TIMEOUT_MS = 600_000;
const MAX_RULES = 100;
const MAX_MATCHER_CHARS = 2_000;
/** Maximum number of wildcards in a pattern: each may be tried at every position of a value. */
const MAX_WILDCARDS = 8;

/**
 * Loads the commands that run before and after tool calls: the repository's, if the user trusts it, otherwise the
 * user's own. For each event, only the first file with a rule counts. Contract: read-only; never throws; everything
 * ignored is reported as a limit.
 */
export function loadToolHooks(home: string | null, top: string): ToolHooks {
  const limits: Limit[] = [];
  // If the repository is the home folder itself, its files are the user's own.
  const files = [
    ...(top === home ? [] : trustedFiles(home, top, limits)),
    ...(home === null ? [] : readFolders(home, "~/", limits)),
  ];
  const rulesOf = (type: string): readonly HookRule[] => {
    for (const file of files.filter((own) => own.type === type)) {
      const rules = toRules(file, limits);
      if (rules.length > 0) return rules;
    }
    return [];
  };
  return { before: rulesOf(TOOL_HOOK_TYPES.before), after: rulesOf(TOOL_HOOK_TYPES.after), limits };
}

/** Lists all commands that the hook files of a repository would run if they were trusted, with their files. */
export function listHookCommands(root: string): { readonly file: string; readonly command: string }[] {
  return readFolders(root, "", []).flatMap((file) =>
    toRules(file, []).flatMap(({ actions }) => actions.map(({ command }) => ({ file: file.path, command }))),
  );
}

/** A hook file as read: the same bytes are used for the trust check and for parsing the rules. */
interface HookFile extends SeenFile {
  readonly type: string;
  /** Name shown to the user. */
  readonly name: string;
  readonly cut: boolean;
}

function trustedFiles(home: string | null, top: string, limits: Limit[]): HookFile[] {
  const said: Limit[] = [];
  const files = readFolders(top, "", said);
  if (files.length === 0) return [];
  if (judgeTrust(home, top, files).kind === "trusted") {
    limits.push(...said);
    return files;
  }
  limits.push(LIMITS.hooksUntrusted([...new Set(files.map(({ path }) => dirname(path)))].join(", ")));
  return [];
}

/** Reads all hook files below a root; files of unknown type and unreadable files are reported in `limits`. */
function readFolders(root: string, prefix: string, limits: Limit[]): HookFile[] {
  const types: readonly string[] = Object.values(TOOL_HOOK_TYPES);
  const others: readonly string[] = OTHER_HOOK_TYPES;
  return HOOK_FOLDERS.flatMap((folder) =>
    (listHookFiles(root, folder) ?? []).flatMap((file) => {
      const [path, type] = [`${folder}/${file}`, file.replace(/\.json$/, "")];
      if (!types.includes(type)) {
        if (!others.includes(type)) limits.push(LIMITS.hookIgnored(prefix + path, "no known hook type"));
        return [];
      }
      const read = readSmallFile(root, path);
      if (read !== null) return [{ path, bytes: read.bytes, cut: read.cut, type, name: prefix + path }];
      limits.push(LIMITS.hookIgnored(prefix + path, whyUnread(root, path) ?? "gone meanwhile"));
      return [];
    }),
  );
}

function toRules({ name, type, bytes, cut }: HookFile, limits: Limit[]): HookRule[] {
  const ignore = (why: string) => {
    limits.push(LIMITS.hookIgnored(name, why));
    return [];
  };
  if (cut) return ignore("too large");
  let content: unknown;
  try {
    content = JSON.parse(bytes.toString("utf8"));
  } catch {
    return ignore("not valid JSON");
  }
  const rules = isRecord(content) ? content[type] : content;
  if (!Array.isArray(rules)) return ignore(`no list of rules under "${type}"`);
  return rules.slice(0, MAX_RULES).flatMap((rule: unknown, at) => {
    const read = toRule(rule);
    return typeof read === "string" ? ignore(`rule ${at + 1}: ${read}`) : [read];
  });
}

/** Returns a rule, or the reason why it is invalid. */
function toRule(rule: unknown): HookRule | string {
  if (!isRecord(rule) || !Array.isArray(rule["hooks"])) return 'no list of "hooks"';
  const matcher = toMatcher(rule["matcher"]);
  if (typeof matcher === "string") return matcher;
  const actions: HookAction[] = [];
  for (const action of rule["hooks"] as unknown[]) {
    if (!isRecord(action)) return "a hook that is not an object";
    if (action["enabled"] === false) continue;
    const read = toAction(action);
    if (typeof read === "string") return read;
    actions.push(read);
  }
  return { matcher, actions };
}

function toAction({ type, command, timeout }: Record<string, unknown>): HookAction | string {
  if (type !== "command") return `hooks of type ${JSON.stringify(type) ?? "none"} cannot run here; only "command" can`;
  if (typeof command !== "string" || command.trim() === "" || command.includes("\0")) return "no command";
  if (timeout !== undefined && (typeof timeout !== "number" || !(timeout > 0))) return "timeout is not a valid time";
  return { command, timeoutMs: Math.min(typeof timeout === "number" ? timeout : DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS) };
}

function toMatcher(matcher: unknown): readonly HookPattern[] | null | string {
  if (matcher === undefined || matcher === null || matcher === "") return null;
  if (typeof matcher !== "string" || matcher.length > MAX_MATCHER_CHARS) return "matcher is not a text";
  const patterns: HookPattern[] = [];
  for (const part of matcher.split(",").map((text) => text.trim())) {
    const [, field = "toolName", pattern = ""] = /^(?:([A-Za-z]+):)?(.*)$/s.exec(part) ?? [];
    if (pattern === "" || pattern.split("*").length > MAX_WILDCARDS + 1)
      return `matcher ${JSON.stringify(part)} is not a valid pattern`;
    patterns.push({ field, pattern });
  }
  return patterns;
}
