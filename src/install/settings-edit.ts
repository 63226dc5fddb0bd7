import { findNodeAtLocation, getNodeValue, type JSONPath, type Node, parseTree } from "jsonc-parser";
import { isRecord } from "../base/text.ts";
import { appendChild, makeDocument, removeAt, replaceAt } from "./json-text.ts";
import type { SettingsText } from "./settings-text.ts";

/** The command of our hook as written in the settings. */
const HOOK_COMMAND = "~/.claude/hooks/context-inject-global.sh";
/** Claude Code counts in seconds. */
const TIMEOUT_SECONDS = 20;
const EVENT = "UserPromptSubmit";
const HANDLER = { type: "command", command: HOOK_COMMAND, timeout: TIMEOUT_SECONDS };
const ENTRY = { matcher: "", hooks: [HANDLER] };

/** Which containers of our entry we created. */
export interface MadeByUs {
  readonly hooks: boolean;
  readonly event: boolean;
}

/** Settings with our entry. */
export interface HookAdded {
  /** The complete new text; unchanged if the entry already existed with the right timeout. */
  readonly text: string;
  readonly made: MadeByUs;
  /** True if an entry with our command already existed. */
  readonly found: boolean;
  /** JSON text of that entry's timeout if it was changed, "" if it had none; null if nothing changed. */
  readonly timeoutBefore: string | null;
}

/** Adds our entry, or corrects its timeout. Contract: pure; never adds a second one; all other content is kept. */
export function addHook(settings: SettingsText, home: string): HookAdded {
  const { body, bom, root } = settings;
  if (root === null) {
    const eol = body.includes("\r\n") ? "\r\n" : "\n";
    const text = bom + makeDocument({ key: "hooks", value: { [EVENT]: [ENTRY] } }, eol);
    return { text, made: { hooks: true, event: true }, found: false, timeoutBefore: null };
  }
  const handler = findHandlers(root, home)[0];
  if (handler !== undefined) {
    const timeoutBefore = readTimeout(root, body, handler);
    const text = timeoutBefore === null ? body : correctTimeout(body, handler, timeoutBefore);
    return { text: bom + text, made: { hooks: false, event: false }, found: true, timeoutBefore };
  }
  const made = { hooks: !has(root, ["hooks"]), event: !has(root, ["hooks", EVENT]) };
  const text = made.hooks
    ? appendChild(body, [], { key: "hooks", value: { [EVENT]: [ENTRY] } })
    : made.event
      ? appendChild(body, ["hooks"], { key: EVENT, value: [ENTRY] })
      : appendChild(body, ["hooks", EVENT], { key: null, value: ENTRY });
  return { text: bom + text, made, found: false, timeoutBefore: null };
}

/**
 * Removes every entry with our command, and the containers that we created once they are empty.
 * Contract: pure; other handlers of the same group are kept; returns the same text if it contains nothing of ours.
 */
export function removeHook(settings: SettingsText, home: string, made: MadeByUs): string {
  let { body, root } = settings;
  for (let path = findRemovable(root, home, made); path !== null; path = findRemovable(root, home, made)) {
    body = removeAt(body, path);
    root = parseTree(body, [], { allowTrailingComma: true }) ?? null;
  }
  return settings.bom + body;
}

/** Restores the timeout of an entry that was not ours. */
export function restoreTimeout(settings: SettingsText, home: string, timeoutBefore: string): string {
  const { body, bom, root } = settings;
  const handler = root === null ? undefined : findHandlers(root, home)[0];
  if (root === null || handler === undefined || readTimeout(root, body, handler) !== null) return bom + body;
  const path = [...handler, "timeout"];
  return bom + (timeoutBefore === "" ? removeAt(body, path) : replaceAt(body, path, timeoutBefore));
}

/** True if the settings contain an entry with our command. */
export function hasHook(settings: SettingsText, home: string): boolean {
  return settings.root !== null && findHandlers(settings.root, home).length > 0;
}

function findRemovable(root: Node | null, home: string, made: MadeByUs): JSONPath | null {
  if (root === null) return null;
  const handler = findHandlers(root, home)[0];
  const count = (path: JSONPath) => findNodeAtLocation(root, path)?.children?.length;
  const isEmptied = (path: JSONPath, left: number) => count(path) === left;
  if (handler === undefined) {
    if (made.hooks && isEmptied(["hooks"], 0)) return ["hooks"];
    return made.event && isEmptied(["hooks", EVENT], 0) ? ["hooks", EVENT] : null;
  }
  // The outermost container that becomes empty, in one cut: removing level by level would leave whitespace behind.
  if (!isEmptied(handler.slice(0, -1), 1)) return handler;
  const isWholeEvent = made.event && isEmptied(["hooks", EVENT], 1);
  if (!isWholeEvent) return handler.slice(0, 3);
  return made.hooks && isEmptied(["hooks"], 1) ? ["hooks"] : ["hooks", EVENT];
}

function findHandlers(root: Node, home: string): JSONPath[] {
  const groups = valueAt(root, ["hooks", EVENT]);
  if (!Array.isArray(groups)) return [];
  return groups.flatMap((group: unknown, groupIndex) => {
    const handlers = isRecord(group) ? group.hooks : null;
    if (!Array.isArray(handlers)) return [];
    return handlers.flatMap((handler: unknown, index): JSONPath[] =>
      isRecord(handler) && isOurCommand(handler.command, home) ? [["hooks", EVENT, groupIndex, "hooks", index]] : [],
    );
  });
}

/** Any spelling of the same file counts, or the hook would run twice. */
function isOurCommand(command: unknown, home: string): boolean {
  if (typeof command !== "string") return false;
  const plain = command
    .replace(/["']/g, "")
    .trim()
    .replace(/^(?:\/bin\/|\/usr\/bin\/)?(?:ba)?sh\s+/, "");
  const toPath = (spelt: string) => spelt.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/)/, () => home);
  return toPath(plain) === toPath(HOOK_COMMAND);
}

/** JSON text of a timeout that differs from ours, "" if there is none, null if it is correct. */
function readTimeout(root: Node, body: string, handler: JSONPath): string | null {
  const node = findNodeAtLocation(root, [...handler, "timeout"]);
  if (node === undefined) return "";
  return node.value === TIMEOUT_SECONDS ? null : body.slice(node.offset, node.offset + node.length);
}

function correctTimeout(body: string, handler: JSONPath, timeoutBefore: string): string {
  if (timeoutBefore === "") return appendChild(body, handler, { key: "timeout", value: TIMEOUT_SECONDS });
  return replaceAt(body, [...handler, "timeout"], String(TIMEOUT_SECONDS));
}

const has = (root: Node, path: JSONPath) => findNodeAtLocation(root, path) !== undefined;

function valueAt(root: Node, path: JSONPath): unknown {
  const node = findNodeAtLocation(root, path);
  return node === undefined ? undefined : getNodeValue(node);
}
