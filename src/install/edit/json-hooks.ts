import { type Outcome, succeed } from "../../contract/faults.ts";
import type { EntryAdded, EntryEditor, FoundEntry } from "./entry-editor.ts";
import { addHook, findHandlers, type HookSpec, removeHook, restoreTimeout } from "./settings-edit.ts";
import { checkShape, parseSettings, type SettingsText } from "./settings-text.ts";

interface JsonHooks {
  readonly hooks: readonly HookSpec[];
  /** Hooks that are updated if they exist, but not added. */
  readonly optional?: readonly HookSpec[];
  /** Milliseconds per unit of the client's time limits. */
  readonly unitMs: number;
}

const BLANK: SettingsText = { bom: "", body: "", root: null };

/** Returns the editor for a settings file in JSON (comments allowed). */
export function editJsonHooks({ hooks, optional = [], unitMs }: JsonHooks): EntryEditor {
  const all = [...hooks, ...optional];
  const events = all.map(({ event }) => event);
  const parse = (path: string, bytes: Buffer) => parseSettings(path, bytes, events);
  return {
    find: (path, bytes) => {
      const settings = parse(path, bytes);
      if (!settings.ok) return settings;
      const { root } = settings.value;
      return succeed(root === null ? [] : all.flatMap((hook) => toFound(root, hook, unitMs)));
    },
    add: (path, bytes) => {
      const settings = bytes === null ? succeed(BLANK) : parse(path, bytes);
      if (!settings.ok) return settings;
      const shape = checkShape(path, settings.value, events);
      return shape.ok ? addAll(settings.value, hooks, optional, parse) : shape;
    },
    remove: (path, bytes, made) => {
      let text = bytes.toString("utf8");
      for (const hook of all) {
        const settings = parse(path, Buffer.from(text));
        if (!settings.ok) return settings;
        text = removeHook(settings.value, hook, made);
      }
      return succeed(text);
    },
    restoreTimeout: (path, bytes, timeoutBefore) => {
      let settings = parse(path, bytes);
      for (const hook of all) {
        const before = timeoutBefore?.[hook.event];
        if (settings.ok && before !== undefined)
          settings = parse(path, Buffer.from(restoreTimeout(settings.value, hook, before)));
      }
      return settings.ok ? succeed(settings.value.bom + settings.value.body) : settings;
    },
    isBlank: (text) => /^\uFEFF?\s*\{\s*\}\s*$/.test(text),
  };
}

function addAll(
  settings: SettingsText,
  hooks: readonly HookSpec[],
  optional: readonly HookSpec[],
  parse: (path: string, bytes: Buffer) => Outcome<SettingsText>,
): Outcome<EntryAdded> {
  let now = settings;
  const made = new Set<string>();
  let found = false;
  const timeouts = new Map<string, string>();
  for (const hook of [...hooks, ...optional]) {
    const isThere = now.root !== null && findHandlers(now.root, hook).length > 0;
    if (!isThere && optional.includes(hook)) continue;
    const added = addHook(now, hook);
    for (const name of added.made) made.add(name);
    found ||= added.found;
    if (added.timeoutBefore !== null) timeouts.set(hook.event, added.timeoutBefore);
    const next = parse("", Buffer.from(added.text));
    if (!next.ok) return next;
    now = next.value;
  }
  const timeoutBefore = timeouts.size === 0 ? null : Object.fromEntries(timeouts);
  return succeed({ text: now.bom + now.body, made: [...made], found, timeoutBefore, notes: [] });
}

function toFound(root: NonNullable<SettingsText["root"]>, hook: HookSpec, unitMs: number): FoundEntry[] {
  return findHandlers(root, hook).map(({ at, command, timeout, kinship }) => ({
    event: hook.event,
    command,
    timeoutMs: typeof timeout === "number" ? timeout * unitMs : null,
    position: `${at[2]}:${at[4]}`,
    isCurrent: kinship === "same",
  }));
}
