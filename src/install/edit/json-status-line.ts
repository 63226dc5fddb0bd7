import { findNodeAtLocation, type Node } from "jsonc-parser";
import { type Outcome, succeed } from "../../contract/faults.ts";
import type { Judge, Kinship } from "../clients/our-commands.ts";
import type { EntryAdded, EntryEditor } from "./entry-editor.ts";
import { appendChild, removeAt, replaceAt } from "./json-text.ts";
import { parseSettings } from "./settings-text.ts";

/** The status line of a settings file in JSON, a single value at a key of its own. */
interface JsonStatusLine {
  readonly command: string;
  readonly judge: Judge;
  /** True if the user asked for it; otherwise an existing line of ours is only updated. */
  readonly isWanted: boolean;
}

const KEY = "statusLine";

/** Extends an editor to our status line in the same file. Contract: a foreign one is kept, and the user is told. */
export function withStatusLine(editor: EntryEditor, line: JsonStatusLine): EntryEditor {
  return {
    ...editor,
    add: (path, bytes) => {
      const added = editor.add(path, bytes);
      return added.ok ? addLine(path, added.value, line) : added;
    },
    remove: (path, bytes, made) => {
      const removed = editor.remove(path, bytes, made);
      return removed.ok ? removeLine(path, removed.value, line) : removed;
    },
  };
}

function addLine(path: string, added: EntryAdded, line: JsonStatusLine): Outcome<EntryAdded> {
  const settings = parseSettings(path, Buffer.from(added.text), []);
  if (!settings.ok) return settings;
  const { bom, body, root } = settings.value;
  const { command } = line;
  const found = root === null ? null : findLine(root, line);
  if (found === "older")
    return succeed({ ...added, text: bom + replaceAt(body, [KEY, "command"], JSON.stringify(command)) });
  if (!line.isWanted || found === "same") return succeed(added);
  if (found === "foreign") {
    const note = `your own ${KEY} stays in ${path}; to show ours as well, let it call: ${command}`;
    return succeed({ ...added, notes: [...added.notes, note] });
  }
  const text = bom + appendChild(body, [], { key: KEY, value: { type: "command", command } });
  return succeed({ ...added, text });
}

function removeLine(path: string, text: string, line: JsonStatusLine): Outcome<string> {
  const settings = parseSettings(path, Buffer.from(text), []);
  if (!settings.ok) return settings;
  const { bom, body, root } = settings.value;
  const found = root === null ? null : findLine(root, line);
  return succeed(found === "same" || found === "older" ? bom + removeAt(body, [KEY]) : text);
}

/** Classifies the current status line: ours, foreign, or null if there is none. */
function findLine(root: Node, { judge }: JsonStatusLine): Kinship | "foreign" | null {
  const keys = (root.children ?? []).filter(({ children }) => children?.[0]?.value === KEY);
  if (keys.length === 0) return null;
  // With duplicate keys, a client reads the last one, but an edit finds the first.
  const command: unknown = keys.length > 1 ? undefined : findNodeAtLocation(root, [KEY, "command"])?.value;
  return (typeof command === "string" ? judge(command) : null) ?? "foreign";
}
