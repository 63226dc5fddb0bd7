import { findNodeAtLocation, getNodeValue, type JSONPath, type Node, parseTree } from "jsonc-parser";
import { isRecord } from "../../base/text.ts";
import type { Judge, Kinship } from "../clients/our-commands.ts";
import type { EntryAdded } from "./entry-editor.ts";
import { appendChild, removeAt, replaceAt } from "./json-text.ts";
import type { SettingsText } from "./settings-text.ts";

/** A hook of ours below `hooks.<event>`, in the shape that Claude Code, Codex, Gemini CLI and Qwen Code share. */
export interface HookSpec {
  readonly event: string;
  /** Properties of our entry's group other than its handlers. */
  readonly group: Readonly<Record<string, unknown>>;
  /** Our handler; the client may allow more keys. */
  readonly handler: { readonly type: "command"; readonly command: string; readonly timeout: number } & Readonly<
    Record<string, unknown>
  >;
  readonly judge: Judge;
}

interface HookAdded extends Pick<EntryAdded, "text" | "made" | "found"> {
  /** JSON text of that entry's timeout if it was changed, "" if it had none; null if nothing changed. */
  readonly timeoutBefore: string | null;
}

interface FoundHandler {
  readonly at: JSONPath;
  readonly kinship: Kinship;
  readonly command: string;
  readonly timeout: unknown;
}

/**
 * Adds our entry, or corrects the existing one. Contract: pure; never adds a second one; an entry of another version or
 * location of ours gets our command; all other content is kept.
 */
export function addHook(settings: SettingsText, hook: HookSpec): HookAdded {
  const { body, bom, root } = settings;
  const entry = { ...hook.group, hooks: [hook.handler] };
  const { event } = hook;
  if (root === null) {
    const eol = body.includes("\r\n") ? "\r\n" : "\n";
    const text = `${JSON.stringify({ hooks: { [event]: [entry] } }, null, 2)}\n`.replaceAll("\n", eol);
    return { text: bom + text, made: ["hooks", `hooks.${event}`], found: false, timeoutBefore: null };
  }
  const handlers = findHandlers(root, hook);
  const handler = handlers.find(({ kinship }) => kinship === "same") ?? handlers[0];
  if (handler !== undefined) {
    const timeoutBefore = handler.kinship === "same" ? readTimeout(root, body, handler.at, hook) : null;
    const mended =
      handler.kinship === "older"
        ? takeOver(body, handler.at, hook)
        : correctTimeout(body, handler.at, hook, timeoutBefore);
    return { text: bom + removeOlder(mended, hook), made: [], found: true, timeoutBefore };
  }
  const missing = [["hooks"], ["hooks", event]].filter((path) => findNodeAtLocation(root, path) === undefined);
  const made = missing.map((path) => path.join("."));
  const text =
    missing.length === 2
      ? appendChild(body, [], { key: "hooks", value: { [event]: [entry] } })
      : missing.length === 1
        ? appendChild(body, ["hooks"], { key: event, value: [entry] })
        : appendChild(body, ["hooks", event], { key: null, value: entry });
  return { text: bom + text, made, found: false, timeoutBefore: null };
}

/**
 * Removes every entry with our command, and the containers in `made` once they are empty. Contract: pure; other handlers of the same group are kept; returns the same text if it contains nothing of ours.
 */
export function removeHook(settings: SettingsText, hook: HookSpec, made: readonly string[]): string {
  let { body, root } = settings;
  for (let path = findRemovable(root, hook, made); path !== null; path = findRemovable(root, hook, made)) {
    body = removeAt(body, path);
    root = parse(body);
  }
  return settings.bom + body;
}

/** Restores the timeout of an entry that was not ours. */
export function restoreTimeout(settings: SettingsText, hook: HookSpec, timeoutBefore: string): string {
  const { body, bom, root } = settings;
  const handler = root === null ? undefined : findHandlers(root, hook)[0];
  if (root === null || handler === undefined || readTimeout(root, body, handler.at, hook) !== null) return bom + body;
  const path = [...handler.at, "timeout"];
  return bom + (timeoutBefore === "" ? removeAt(body, path) : replaceAt(body, path, timeoutBefore));
}

/** Finds all handlers of ours for a hook's event. */
export function findHandlers(root: Node, hook: HookSpec): FoundHandler[] {
  const node = findNodeAtLocation(root, ["hooks", hook.event]);
  const groups: unknown = node === undefined ? null : getNodeValue(node);
  if (!Array.isArray(groups)) return [];
  return groups.flatMap((group: unknown, groupIndex) => {
    const handlers = isRecord(group) ? group.hooks : null;
    if (!Array.isArray(handlers)) return [];
    return handlers.flatMap((handler: unknown, index): FoundHandler[] => {
      if (!isRecord(handler) || typeof handler.command !== "string") return [];
      const command = [handler.command, ...(Array.isArray(handler.args) ? handler.args : [])].join(" ");
      const kinship = hook.judge(command);
      if (kinship === null) return [];
      return [{ at: ["hooks", hook.event, groupIndex, "hooks", index], kinship, command, timeout: handler.timeout }];
    });
  });
}

/** Gives an entry of another version or location of ours our current values. */
function takeOver(body: string, at: JSONPath, { handler }: HookSpec): string {
  let text = body;
  for (const [key, value] of Object.entries(handler)) {
    const node = nodeAt(text, [...at, key]);
    if (node === undefined) text = appendChild(text, at, { key, value });
    else if (node.value !== value) text = replaceAt(text, [...at, key], JSON.stringify(value));
  }
  return nodeAt(text, [...at, "args"]) === undefined ? text : removeAt(text, [...at, "args"]);
}

/** Removes duplicates: two entries of ours would inject twice. */
function removeOlder(body: string, hook: HookSpec): string {
  let text = body;
  for (;;) {
    const root = parse(text);
    const older = root === null ? undefined : findHandlers(root, hook).find(({ kinship }) => kinship === "older");
    if (root === null || older === undefined) return text;
    const isAlone = findNodeAtLocation(root, older.at.slice(0, -1))?.children?.length === 1;
    text = removeAt(text, isAlone ? older.at.slice(0, 3) : older.at);
  }
}

function findRemovable(root: Node | null, hook: HookSpec, made: readonly string[]): JSONPath | null {
  if (root === null) return null;
  const { event } = hook;
  const isMade = { hooks: made.includes("hooks"), event: made.includes(`hooks.${event}`) };
  const handler = findHandlers(root, hook)[0]?.at;
  const isEmptied = (path: JSONPath, left: number) => findNodeAtLocation(root, path)?.children?.length === left;
  if (handler === undefined) {
    if (isMade.hooks && isEmptied(["hooks"], 0)) return ["hooks"];
    return isMade.event && isEmptied(["hooks", event], 0) ? ["hooks", event] : null;
  }
  // The outermost container that becomes empty, in one cut: removing level by level would leave whitespace behind.
  if (!isEmptied(handler.slice(0, -1), 1)) return handler;
  const isWholeEvent = isMade.event && isEmptied(["hooks", event], 1);
  if (!isWholeEvent) return handler.slice(0, 3);
  return isMade.hooks && isEmptied(["hooks"], 1) ? ["hooks"] : ["hooks", event];
}

/** Returns the JSON text of a timeout that differs from ours, "" if there is none, null if it is correct. */
function readTimeout(root: Node, body: string, at: JSONPath, hook: HookSpec): string | null {
  const node = findNodeAtLocation(root, [...at, "timeout"]);
  if (node === undefined) return "";
  return node.value === hook.handler.timeout ? null : body.slice(node.offset, node.offset + node.length);
}

function correctTimeout(body: string, at: JSONPath, { handler }: HookSpec, before: string | null): string {
  if (before === null) return body;
  const { timeout } = handler;
  if (before === "") return appendChild(body, at, { key: "timeout", value: timeout });
  return replaceAt(body, [...at, "timeout"], String(timeout));
}

const parse = (text: string) => parseTree(text, [], { allowTrailingComma: true }) ?? null;

function nodeAt(text: string, path: JSONPath): Node | undefined {
  const root = parse(text);
  return root === null ? undefined : findNodeAtLocation(root, path);
}
