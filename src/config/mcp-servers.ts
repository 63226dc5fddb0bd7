import { isAbsolute } from "node:path";
import { findNearest } from "../base/edit-distance.ts";
import { isLoopbackUrl } from "../base/send-request.ts";
import { LIMITS, type Limit } from "../contract/limits.ts";
import type { YamlValue } from "./yaml-file.ts";

/** An argument of an automatic call: a constant, or text with `{query}`, `{symbol}`, `{path}` or `{error}`. */
type ArgTemplate = string | number | boolean;

/** A tool that the user allows to run automatically, with its limits. */
export interface AutoTool {
  readonly tier: 1 | 2;
  readonly args: Readonly<Record<string, ArgTemplate>>;
  readonly ceilings: Readonly<Record<string, number>>;
  readonly timeoutMs: number;
}

/** How to reach a server: by starting a program, or at an address. */
export type Reach =
  | {
      readonly kind: "program";
      readonly command: string;
      /** `{root}` is replaced by the root of the repository, here and in `cwd`. */
      readonly args: readonly string[];
      /** Empty for the home folder: a program that searches its working directory must not find repository files. */
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly kind: "address"; readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** An MCP server configured by the user. */
export interface McpServer {
  readonly name: string;
  readonly reach: Reach;
  /** Milliseconds until it must have started and listed its tools. */
  readonly timeoutMs: number;
  /** Tools that automatic plans may use. */
  readonly tools: ReadonlyMap<string, AutoTool>;
}

/** Key in a settings file. */
export const SERVERS_KEY = "mcp_servers";
/** Placeholders allowed in the arguments of an automatic call. */
export const CLUE_NAMES = ["query", "symbol", "path", "error"] as const;

const START_MS = 5_000;
const CALL_MS = 2_000;
const MAX_START_MS = 60_000;
/** Maximum wall clock budget that a file may set, and therefore the maximum time of an automatic call. */
const MAX_CALL_MS = 10_000;
const MAX_TEXT = 4_096;

/** Name of an external tool, as used by plans and callers. Contract: none of our own tools has such a name. */
export function toExternalName(server: string, tool: string): string {
  return `${server}__${tool}`;
}

/** Splits an external name into server and tool; null if it is not such a name. */
export function splitExternalName(name: string): { readonly server: string; readonly tool: string } | null {
  const at = name.indexOf("__");
  return at > 0 && at + 2 < name.length ? { server: name.slice(0, at), tool: name.slice(at + 2) } : null;
}

/**
 * Describes in one line which program is started or which address is contacted. Contract: the values of environment
 * variables are included only if `values` is true; the values of headers and the query of an address never are.
 */
export function describeServer({ reach, tools }: McpServer, { values }: { readonly values: boolean }): string {
  const pairs = (given: Readonly<Record<string, string>>) =>
    naming(
      "with",
      Object.entries(given).map(([key, value]) => (values ? `${key}=${JSON.stringify(value)}` : key)),
    );
  const parts =
    reach.kind === "program"
      ? [
          `runs ${[reach.command, ...reach.args].map((part) => JSON.stringify(part)).join(" ")}`,
          reach.cwd === "" ? "" : `in ${reach.cwd}`,
          pairs(reach.env),
        ]
      : [`asks ${new URL(reach.url).origin}${new URL(reach.url).pathname}`, naming("with", Object.keys(reach.headers))];
  return `${parts.filter(Boolean).join(" ")}; automatic: ${[...tools.keys()].join(", ") || "none"}`;
}

function naming(word: string, names: readonly string[]): string {
  return names.length === 0 ? "" : `${word} ${names.join(", ")}`;
}

/** Reads the servers of a file. Contract: never throws; invalid parts are reported in `limits` and ignored. */
export function readServers(value: YamlValue, where: string, limits: Limit[]): McpServer[] {
  const refuse = (key: string, accepted: string) => {
    limits.push(LIMITS.settingInvalid(where, key, accepted));
    return null;
  };
  if (!(value instanceof Map)) {
    refuse(SERVERS_KEY, "a mapping of names to servers");
    return [];
  }
  return [...value].flatMap(([name, entry]) => {
    const key = `${SERVERS_KEY}.${name}`;
    const server = isServerName(name)
      ? readServer(name, entry, { key, refuse, say: (limit) => limits.push(limit), where })
      : refuse(key, "names of letters, digits and single - or _ between them, at most 40");
    return server === null ? [] : [server];
  });
}

/** Context of an entry, for reporting what is wrong with it. */
interface Reader {
  readonly key: string;
  readonly where: string;
  readonly refuse: (key: string, accepted: string) => null;
  readonly say: (limit: Limit) => void;
}

const PROGRAM_KEYS = ["command", "args", "env", "cwd"];
const ADDRESS_KEYS = ["url", "headers"];
const SERVER_KEYS = [...PROGRAM_KEYS, ...ADDRESS_KEYS, "timeout_ms", "tools"];
const TOOL_KEYS = ["tier", "args", "ceilings", "timeout_ms"];

function readServer(name: string, entry: YamlValue, reader: Reader): McpServer | null {
  const { key, refuse } = reader;
  if (!(entry instanceof Map)) return refuse(key, `a mapping with ${SERVER_KEYS.join(", ")}`);
  sayUnknown(entry, SERVER_KEYS, reader);
  const isProgram = entry.has("command");
  const others = isProgram ? ADDRESS_KEYS : PROGRAM_KEYS;
  if (isProgram === entry.has("url") || others.some((other) => entry.has(other)))
    return refuse(key, "either command (with args, env, cwd) or url (with headers)");
  const reach = isProgram ? readProgram(entry, reader) : readAddress(entry, reader);
  if (reach === null) return null;
  const timeoutMs = entry.get("timeout_ms") ?? START_MS;
  if (!isWithin(timeoutMs, MAX_START_MS)) return refuse(`${key}.timeout_ms`, `1 to ${MAX_START_MS}`);
  return { name, reach, timeoutMs, tools: readTools(entry.get("tools"), { ...reader, key: `${key}.tools` }) };
}

function readProgram(entry: Map<string, YamlValue>, { key, refuse }: Reader): Reach | null {
  const command = entry.get("command");
  const args = entry.get("args") ?? [];
  const cwd = entry.get("cwd") ?? "";
  const env = toTexts(entry.get("env"), isVariableName, isPlainText);
  if (!isPlainText(command) || command === "" || !isPlace(command))
    return refuse(`${key}.command`, "a program on PATH, or a path that starts with / or ~/");
  if (!Array.isArray(args) || !args.every(isPlainText)) return refuse(`${key}.args`, "a list of texts");
  if (!isPlainText(cwd) || (cwd !== "" && !(cwd.includes("/") && isPlace(cwd)) && !/^\{root\}/.test(cwd)))
    return refuse(`${key}.cwd`, "a folder that starts with /, ~/ or {root}");
  if (env === null) return refuse(`${key}.env`, "a mapping of variables to texts");
  return { kind: "program", command, args, cwd, env };
}

function readAddress(entry: Map<string, YamlValue>, { key, refuse }: Reader): Reach | null {
  const url = entry.get("url");
  const headers = toTexts(entry.get("headers"), isHeaderName, isHeaderValue);
  if (!isAddress(url)) return refuse(`${key}.url`, "an https address, or an http address on this machine");
  if (headers === null) return refuse(`${key}.headers`, "a mapping of header names to texts");
  return { kind: "address", url, headers };
}

function readTools(value: YamlValue | undefined, reader: Reader): ReadonlyMap<string, AutoTool> {
  const tools = new Map<string, AutoTool>();
  if (value === undefined || value === null) return tools;
  if (!(value instanceof Map)) reader.refuse(reader.key, "a mapping of the server's tools to rules");
  else
    for (const [name, rule] of value) {
      const tool = readTool(rule, { ...reader, key: `${reader.key}.${name}` });
      if (tool !== null) tools.set(String(name), tool);
    }
  return tools;
}

function readTool(rule: YamlValue, reader: Reader): AutoTool | null {
  const { key, refuse } = reader;
  if (!(rule instanceof Map)) return refuse(key, `a mapping with ${TOOL_KEYS.join(", ")}`);
  sayUnknown(rule, TOOL_KEYS, reader);
  const tier = rule.get("tier");
  // No default: automatic execution must be requested explicitly.
  if (tier !== 1 && tier !== 2) return refuse(`${key}.tier`, "1 or 2");
  const args = toPlain(rule.get("args"), isTemplate);
  if (args === null)
    return refuse(`${key}.args`, `inputs with constants or texts with {${CLUE_NAMES.join("}, {")}}; no other braces`);
  const ceilings = toPlain(rule.get("ceilings"), isWhole);
  if (ceilings === null) return refuse(`${key}.ceilings`, "inputs with whole numbers");
  const timeoutMs = rule.get("timeout_ms") ?? CALL_MS;
  if (!isWithin(timeoutMs, MAX_CALL_MS)) return refuse(`${key}.timeout_ms`, `1 to ${MAX_CALL_MS}`);
  return { tier, args, ceilings, timeoutMs };
}

function sayUnknown(entry: Map<string, YamlValue>, known: readonly string[], { key, where, say }: Reader): void {
  for (const found of entry.keys()) {
    if (known.includes(found)) continue;
    say(LIMITS.settingUnknown(where, `${key}.${found}`, findNearest(String(found), known)));
  }
}

function isServerName(name: unknown): name is string {
  return typeof name === "string" && name.length <= 40 && /^[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*$/.test(name);
}

function isPlainText(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_TEXT && !value.includes("\0");
}

/** A bare name, or a path that means the same in any working directory. */
function isPlace(text: string): boolean {
  return !text.includes("/") || isAbsolute(text) || text.startsWith("~/");
}

function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

function isHeaderName(name: string): boolean {
  return /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name);
}

function isHeaderValue(value: unknown): value is string {
  return isPlainText(value) && /^[\t\x20-\x7e]*$/.test(value);
}

function isAddress(value: unknown): value is string {
  if (typeof value !== "string" || value.length > MAX_TEXT || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (protocol === "https:" && username === "" && password === "") || isLoopbackUrl(value);
}

function isTemplate(value: unknown): value is ArgTemplate {
  if (typeof value === "number" || typeof value === "boolean") return true;
  if (!isPlainText(value)) return false;
  // A misspelt placeholder would be sent literally.
  return Array.from(value.matchAll(/\{(\w*)\}/g), (match) => match[1]).every((name) =>
    CLUE_NAMES.some((known) => known === name),
  );
}

function isWhole(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0;
}

function isWithin(value: YamlValue, most: number): value is number {
  return isWhole(value) && value <= most;
}

/** Converts a mapping to a plain object; null if a value is not accepted. */
function toPlain<T>(
  value: YamlValue | undefined,
  accepts: (value: unknown) => value is T,
): Readonly<Record<string, T>> | null {
  if (value === undefined || value === null) return {};
  if (!(value instanceof Map)) return null;
  const entries: [string, T][] = [];
  for (const [key, item] of value) {
    if (!accepts(item)) return null;
    entries.push([String(key), item]);
  }
  return Object.fromEntries(entries);
}

function toTexts(
  value: YamlValue | undefined,
  acceptsName: (name: string) => boolean,
  accepts: (value: unknown) => value is string,
): Readonly<Record<string, string>> | null {
  const texts = toPlain(value, accepts);
  return texts !== null && Object.keys(texts).every(acceptsName) ? texts : null;
}
