import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { toInside } from "../../base/jail.ts";
import { toShown } from "../run/start-option-table.ts";
import { readOption } from "./args.ts";
import { OPENING_NOTES } from "./texts.ts";

/** An argument for Codex that reaches beyond its sandbox. */
interface Opening {
  /** The argument as written; a setting without its value. */
  readonly name: string;
  /** Description of what it opens. */
  readonly opens: string;
}

/** Segments of setting names, at any depth, and what a setting with or below them opens. */
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

/** Switching off a server only removes a program. */
const CLOSING = /^\s*mcp_servers\.[^.=]+\.enabled\s*=\s*false\s*$/;

/** Options of Codex that open something on their own. */
const OPENING_FLAGS: ReadonlyMap<string, string> = new Map([
  ["--dangerously-bypass-hook-trust", OPENING_NOTES.trust],
  ["--ignore-rules", OPENING_NOTES.rules],
  ["--remote", OPENING_NOTES.server],
]);

const PATH_OPTIONS = ["--add-dir", "-C", "--cd", "-o", "--output-last-message", "-i", "--image", "--output-schema"];

/** Options of Codex that take no value: a word after one of them is a command or a prompt. */
const FLAGS = [
  ...["--strict-config", "--oss", "--approve-for-me", "--dangerously-bypass-approvals-and-sandbox", "--yolo"],
  ...["--full-auto", "--dangerously-bypass-hook-trust", "--worktree", "--search", "--no-alt-screen", "--no-daemon"],
  ...["-h", "--help", "-V", "--version", "--skip-git-repo-check", "--ephemeral", "--ignore-user-config"],
  ...["--ignore-rules", "--json"],
];

/**
 * Finds everything that Codex's arguments open beyond the sandbox: programs started outside of it, wider rights than
 * its name suggests, paths outside the working folder. Contract: in the order of the arguments, each name once;
 * symlinks in a path are resolved; `cwd` is a real path.
 */
export function findOpenings(args: readonly string[], cwd: string): readonly Opening[] {
  const found = readCodexArgs(args).flatMap(({ name, values }): readonly Opening[] => {
    if (name === "-c" || name === "--config") return values.flatMap(openingOfSetting);
    const flag = OPENING_FLAGS.get(name);
    if (flag !== undefined) return [{ name, opens: flag }];
    if (!PATH_OPTIONS.includes(name)) return [];
    // One word may contain several images.
    const paths = isImage(name) ? values.flatMap((value) => value.split(",")) : values;
    return paths
      .filter((path) => !isInsideFolder(path, cwd))
      .map((path) => ({ name: `${name} ${toShown(path)}`, opens: OPENING_NOTES.path }));
  });
  return found.filter(({ name }, at) => found.findIndex((other) => other.name === name) === at);
}

/** Returns words among Codex's arguments that belong to no option: Codex treats them as a command or a prompt. */
export function findPlainWords(args: readonly string[]): readonly string[] {
  return readCodexArgs(args).flatMap(({ name, values, isOption }) => {
    // A single dash means standard input.
    if (!isOption) return name === "-" ? [] : [name];
    return FLAGS.includes(name) ? values : [];
  });
}

function openingOfSetting(setting: string): readonly Opening[] {
  if (CLOSING.test(setting)) return [];
  const [, key = "", value = ""] = /^([^=]*)=?([\s\S]*)$/.exec(setting) ?? [];
  const parts = key.split(".").map((part) => part.trim().replace(/^["']|["']$/g, ""));
  const named = parts.find((part) => OPENING_KEYS.has(part));
  // The same, written as a table: sandbox_workspace_write={writable_roots=["/"]}.
  const inner = named ?? [...OPENING_KEYS.keys()].find((part) => isKeyIn(value, part));
  return inner === undefined ? [] : [{ name: toShown(key.trim()), opens: OPENING_KEYS.get(inner) ?? "" }];
}

/** True if a value is a table (or an array) that contains a key, at any depth. */
function isKeyIn(value: string, key: string): boolean {
  return /^\s*[{[]/.test(value) && new RegExp(`[{,.\\s"']${key}["']?\\s*[.=]`).test(value);
}

interface CodexArg {
  readonly name: string;
  readonly values: readonly string[];
  readonly isOption: boolean;
}

/** Groups the arguments into options with the words after them; the first word is the value if the option takes one. */
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
 * True if a given path, existing or not, lies in a folder once symlinks are resolved. Contract: never throws; `folder`
 * is a real path; a dangling symlink is not inside, because whatever is written to it could end up anywhere.
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
