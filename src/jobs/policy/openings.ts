import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { toInside } from "../../base/jail.ts";
import { toShown } from "../run/start-option-table.ts";
import { readOption } from "./args.ts";
import { OPENING_NOTES } from "./texts.ts";

/** An argument for Codex that reaches past the sandbox it runs in. */
interface Opening {
  /** As it was written, without its value where that is a setting's. */
  readonly name: string;
  /** What it opens. */
  readonly opens: string;
}

/** Parts of settings' names, at any depth, and what a setting below them opens. */
const OPENING_KEYS: ReadonlyMap<string, string> = new Map([
  ...[
    "mcp_servers",
    "notify",
    "hooks",
    "model_providers",
    "plugins",
    "marketplaces",
    "zsh_path",
    "js_repl_node_path",
  ].map((key) => [key, OPENING_NOTES.programs] as const),
  ...["permissions", "default_permissions", "writable_roots"].map((key) => [key, OPENING_NOTES.rights] as const),
  ["shell_environment_policy", OPENING_NOTES.environment],
  ["projects", OPENING_NOTES.trust],
  ...["chatgpt_base_url", "openai_base_url"].map((key) => [key, OPENING_NOTES.server] as const),
]);

/** A server that is switched off is one program less. */
const CLOSING = /^\s*mcp_servers\.[^.=]+\.enabled\s*=\s*false\s*$/;

/** Options of Codex that open something by themselves. */
const OPENING_FLAGS: ReadonlyMap<string, string> = new Map([
  ["--dangerously-bypass-hook-trust", OPENING_NOTES.trust],
  ["--ignore-rules", OPENING_NOTES.rules],
  ["--remote", OPENING_NOTES.server],
]);

/** Options of Codex whose value is a path. */
const PATH_OPTIONS = ["--add-dir", "-C", "--cd", "-o", "--output-last-message", "-i", "--image", "--output-schema"];

/** Options of Codex that take no value: a word behind one of them is a command or a prompt of its own. */
const FLAGS = [
  ...["--strict-config", "--oss", "--approve-for-me", "--dangerously-bypass-approvals-and-sandbox", "--yolo"],
  ...["--full-auto", "--dangerously-bypass-hook-trust", "--worktree", "--search", "--no-alt-screen", "--no-daemon"],
  ...["-h", "--help", "-V", "--version", "--skip-git-repo-check", "--ephemeral", "--ignore-user-config"],
  ...["--ignore-rules", "--json"],
];

/**
 * Finds what Codex's arguments open beyond the sandbox: programs that are started outside of it, rights that are wider than
 * its name says, paths outside the working folder. Contract: in the order of the arguments, each name once; links on the way
 * to a path count by where they lead; `cwd` is a real path.
 */
export function findOpenings(args: readonly string[], cwd: string): readonly Opening[] {
  const found = readCodexArgs(args).flatMap(({ name, values }): readonly Opening[] => {
    if (name === "-c" || name === "--config") return values.flatMap(openingOfSetting);
    const flag = OPENING_FLAGS.get(name);
    if (flag !== undefined) return [{ name, opens: flag }];
    if (!PATH_OPTIONS.includes(name)) return [];
    // Several images may stand in one word.
    const paths = name === "-i" || name === "--image" ? values.flatMap((value) => value.split(",")) : values;
    return paths
      .filter((path) => !isInsideFolder(path, cwd))
      .map((path) => ({ name: `${name} ${toShown(path)}`, opens: OPENING_NOTES.path }));
  });
  return found.filter(({ name }, at) => found.findIndex((other) => other.name === name) === at);
}

/** Words among Codex's arguments that belong to no option: Codex takes them for a command of its own, or for a prompt. */
export function findWords(args: readonly string[]): readonly string[] {
  return readCodexArgs(args).flatMap(({ name, values, isOption }) => {
    // The dash alone is standard input.
    if (!isOption) return name === "-" ? [] : [name];
    return FLAGS.includes(name) ? values : [];
  });
}

function openingOfSetting(setting: string): readonly Opening[] {
  if (CLOSING.test(setting)) return [];
  const [, key = "", value = ""] = /^([^=]*)=?([\s\S]*)$/.exec(setting) ?? [];
  const parts = key.split(".").map((part) => part.trim().replace(/^["']|["']$/g, ""));
  const named = parts.find((part) => OPENING_KEYS.has(part));
  // The same as a table: sandbox_workspace_write={writable_roots=["/"]}.
  const inner = named ?? [...OPENING_KEYS.keys()].find((part) => isKeyIn(value, part));
  return inner === undefined ? [] : [{ name: toShown(key.trim()), opens: OPENING_KEYS.get(inner) ?? "" }];
}

/** True where a value that is a table has a key of that name, at any depth. */
function isKeyIn(value: string, key: string): boolean {
  return /^\s*[{[]/.test(value) && new RegExp(`[{,.\\s"']${key}["']?\\s*[.=]`).test(value);
}

interface CodexArg {
  readonly name: string;
  readonly values: readonly string[];
  readonly isOption: boolean;
}

/** The arguments as options with the words behind them, each option's first word being its value where it takes one. */
function readCodexArgs(args: readonly string[]): readonly CodexArg[] {
  const read: { name: string; values: string[]; isOption: boolean }[] = [];
  for (const token of args) {
    const option = readOption(token);
    const last = read.at(-1);
    if (option !== null) {
      const { name, attached } = option;
      read.push({ name, values: attached === null ? [] : [attached], isOption: true });
    } else if (last?.isOption === true && (last.values.length === 0 || isImage(last.name))) last.values.push(token);
    else read.push({ name: token, values: [], isOption: false });
  }
  return read;
}

function isImage(name: string): boolean {
  return name === "-i" || name === "--image";
}

/**
 * True where a path that somebody names, there or not yet, lies in a folder once links are followed. Contract: never throws;
 * `folder` is a real path; a link that leads nowhere yet is not inside, because what is written there could be anywhere.
 */
export function isInsideFolder(path: string, folder: string): boolean {
  const missing: string[] = [];
  for (let at = resolve(folder, path); ; at = dirname(at)) {
    try {
      return toInside(folder, join(realpathSync(at), ...missing)) !== null;
    } catch {
      if (dirname(at) === at || isLink(at)) return false;
      missing.unshift(basename(at));
    }
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return true;
  }
}
