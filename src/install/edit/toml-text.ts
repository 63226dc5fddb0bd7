import { parse } from "smol-toml";
import { isRecord, toMessage } from "../../base/text.ts";
import { fail, type Outcome, succeed } from "../../contract/faults.ts";
import { eolOf, splitBom } from "./entry-editor.ts";
import { scanToml, type TomlTable } from "./toml-scan.ts";

/** A file in TOML, with the positions of its tables. */
export interface TomlText {
  /** The byte order mark, or empty. */
  readonly bom: string;
  /** The text without it. */
  readonly body: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly tables: readonly TomlTable[];
}

/** Parses a file in TOML. Contract: anything that an edit could damage is a fault that names the file. */
export function parseToml(path: string, bytes: Buffer): Outcome<TomlText> {
  const content = bytes.toString("utf8");
  if (!Buffer.from(content, "utf8").equals(bytes)) return refuseEdit(path, "not UTF-8 text");
  const { bom, body } = splitBom(content);
  try {
    return succeed({ bom, body, data: readData(body), tables: scanToml(body) });
  } catch (thrown) {
    return refuseEdit(path, `not valid TOML (${toMessage(thrown).split("\n")[0] ?? ""})`);
  }
}

/** Parses the text as TOML. Contract: throws if it is not valid. */
function readData(body: string): Record<string, unknown> {
  return parse(body, { integersAsBigInt: "asNeeded" });
}

/** Value of one key of a table; undefined if the table does not have it. */
export function readPair(toml: TomlText, table: TomlTable, key: string): unknown {
  const text = readPairText(toml, table, key);
  return text === "" ? undefined : readData(`v = ${text}`)["v"];
}

/** The same value as it is written; empty if the table does not have the key. */
export function readPairText({ body }: TomlText, table: TomlTable, key: string): string {
  const pair = table.pairs.find(({ name }) => name === key);
  return pair === undefined ? "" : body.slice(pair.valueStart, pair.valueEnd);
}

/** Appends a table. Contract: only inserts; the new table is at the end, after an empty line. */
export function appendTable({ body }: TomlText, header: string, pairs: Readonly<Record<string, unknown>>): string {
  const eol = eolOf(body);
  const gap = body === "" ? "" : body.endsWith("\n") ? eol : eol + eol;
  const lines = [header, ...Object.entries(pairs).map(([key, value]) => `${key} = ${toToml(value)}`)];
  return body + gap + lines.map((line) => line + eol).join("");
}

/** Removes tables, each with the empty line before it. Contract: keeps everything else, comments included. */
export function removeTables({ body }: TomlText, tables: readonly TomlTable[]): string {
  let text = body;
  for (const { start, end } of tables.toSorted((a, b) => b.start - a.start)) {
    const before = text.slice(0, start).replace(/(^|\n)\r?\n$/, "$1");
    text = before + text.slice(end);
  }
  return text;
}

/** Sets keys of a table. Contract: all other bytes are preserved; a missing key is added after the last one. */
export function setPairs(toml: TomlText, table: TomlTable, pairs: Readonly<Record<string, unknown>>): string {
  const eol = eolOf(toml.body);
  const edits = Object.entries(pairs).map(([key, value]) => {
    const pair = table.pairs.find(({ name }) => name === key);
    const { body } = toml;
    if (pair !== undefined) return { from: pair.valueStart, to: pair.valueEnd, text: toToml(value) };
    const isLineEnd = body.slice(0, table.end).endsWith("\n");
    const line = `${key} = ${toToml(value)}`;
    return { from: table.end, to: table.end, text: isLineEnd ? line + eol : eol + line };
  });
  return edits
    .toSorted((a, b) => b.from - a.from)
    .reduce((text, { from, to, text: added }) => text.slice(0, from) + added + text.slice(to), toml.body);
}

/** Sets a key of a table to a value as it was written; an empty text removes the key with its line. */
export function restorePair({ body }: TomlText, table: TomlTable, key: string, text: string): string {
  const pair = table.pairs.find(({ name }) => name === key);
  if (pair === undefined) return body;
  if (text !== "") return body.slice(0, pair.valueStart) + text + body.slice(pair.valueEnd);
  const before = body.slice(0, body.lastIndexOf("\n", pair.valueStart) + 1);
  const newline = body.indexOf("\n", pair.valueEnd);
  return newline === -1 ? before.replace(/\r?\n$/, "") : before + body.slice(newline + 1);
}

/** True if the data of two texts differs only by what `change` does to the data of the first. */
export function changesOnly(
  before: string,
  after: string,
  change: (data: Record<string, unknown>, after: Readonly<Record<string, unknown>>) => void,
): boolean {
  try {
    const wanted = readData(before);
    const now = readData(after);
    change(wanted, now);
    return toComparable(now) === toComparable(wanted);
  } catch {
    return false;
  }
}

/** Serialises data so that equal data gives equal text, regardless of key order and of the parser's classes. */
export function toComparable(data: unknown): string | undefined {
  return JSON.stringify(data, (_key, value: unknown) => {
    if (typeof value === "bigint" || typeof value === "number") return String(value);
    return isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
  });
}

/** Returns the tables of an array of tables. */
export function recordsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Returns the fault for a file that must not be edited. */
export function refuseEdit(path: string, why: string) {
  return fail("E_CONFIG", `${path}: ${why}; nothing was changed; fix it, then run this again`);
}

/** Strings, numbers and lists of strings have the same notation in JSON and TOML. */
function toToml(value: unknown): string {
  return Array.isArray(value) ? `[${value.map((item) => JSON.stringify(item)).join(", ")}]` : JSON.stringify(value);
}
