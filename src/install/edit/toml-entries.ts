import { isRecord } from "../../base/text.ts";
import { type Outcome, succeed } from "../../contract/faults.ts";
import type { Judge, Kinship } from "../clients/our-commands.ts";
import type { EntryAdded, EntryEditor, FoundEntry, OldTimeouts } from "./entry-editor.ts";
import type { TomlTable } from "./toml-scan.ts";
import {
  appendTable,
  changesOnly,
  parseToml,
  readPair,
  readPairText,
  recordsOf,
  refuseEdit,
  removeTables,
  restorePair,
  setPairs,
  type TomlText,
  toComparable,
} from "./toml-text.ts";

/** A hook of ours in an array of tables, `[[hooks]]`. */
interface TomlHook {
  readonly event: string;
  readonly command: string;
  readonly timeout: number;
  readonly judge: Judge;
}

/** A server of ours, `[mcp_servers.<name>]`. */
interface TomlServer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Is given the command with its arguments. */
  readonly judge: Judge;
}

interface Ours {
  readonly table: TomlTable;
  readonly kinship: Kinship;
  readonly entry: FoundEntry;
}

/** The differences between kinds of entries in TOML. */
interface TomlEntry {
  readonly header: string;
  readonly pairs: Readonly<Record<string, unknown>>;
  /** Finds all tables of ours. */
  readonly find: (toml: TomlText) => readonly Ours[];
  /** Why the entry cannot be added here: a fault, or a note if the file is fine as it is. */
  readonly obstacle: (toml: TomlText) => { readonly fault?: string; readonly note?: string } | null;
  /**
   * Changes parsed data as the edit should: `put` adds the entry, `drop` removes all of ours. Used to verify an edit.
   */
  readonly put: (data: Record<string, unknown>) => void;
  readonly drop: (data: Record<string, unknown>, after: Readonly<Record<string, unknown>>) => void;
  /** True for a table that is removed together with the given table of ours. */
  readonly belongs: (table: TomlTable, ours: TomlTable) => boolean;
}

const TIMEOUT = "timeout";
const BLANK: TomlText = { bom: "", body: "", data: {}, tables: [] };

/** Returns the editor for a file with hooks as an array of tables. */
export function editTomlHook({ event, command, timeout, judge }: TomlHook): EntryEditor {
  const isOurs = (hook: Readonly<Record<string, unknown>>) =>
    hook["event"] === event && typeof hook["command"] === "string" && judge(hook["command"]) !== null;
  return editToml({
    header: "[[hooks]]",
    pairs: { event, command, timeout },
    find: (toml) =>
      toml.tables.flatMap((table) => {
        if (!table.isArray || table.path.join(".") !== "hooks" || readPair(toml, table, "event") !== event) return [];
        const found = readPair(toml, table, "command");
        const kinship = typeof found === "string" ? judge(found) : null;
        if (kinship === null) return [];
        const limit = readPair(toml, table, "timeout");
        const timeoutMs = typeof limit === "number" ? limit * 1_000 : null;
        const position = String(toml.tables.indexOf(table));
        const isCurrent = kinship === "same";
        return [{ table, kinship, entry: { event, command: String(found), timeoutMs, position, isCurrent } }];
      }),
    obstacle: ({ data, tables }) => {
      if (!("hooks" in data) || tables.some(({ path, isArray }) => isArray && path.join(".") === "hooks")) return null;
      return { fault: "hooks is written as one value; write each hook as a separate table, [[hooks]]" };
    },
    put: (data) => {
      data["hooks"] = [...recordsOf(data["hooks"]), { event, command, timeout }];
    },
    drop: (data) => {
      if (!recordsOf(data["hooks"]).some(isOurs)) return;
      const left = recordsOf(data["hooks"]).filter((hook) => !isOurs(hook));
      if (left.length > 0) data["hooks"] = left;
      else delete data["hooks"];
    },
    belongs: () => false,
  });
}

/** Returns the editor for a file with MCP servers as tables. */
export function editTomlServer({ name, command, args, judge }: TomlServer): EntryEditor {
  const toCommand = (server: unknown) => {
    if (!isRecord(server) || typeof server["command"] !== "string") return "";
    return [server["command"], ...(Array.isArray(server["args"]) ? server["args"] : [])].join(" ");
  };
  const judgeServer = (server: unknown) => judge(toCommand(server));
  const serversOf = (data: Readonly<Record<string, unknown>>) =>
    isRecord(data["mcp_servers"]) ? data["mcp_servers"] : {};
  return editToml({
    header: `[mcp_servers.${name}]`,
    pairs: { command, args },
    find: (toml) =>
      Object.entries(serversOf(toml.data)).flatMap(([key, server]) => {
        const kinship = judgeServer(server);
        const table = toml.tables.find(({ path }) => path.length === 2 && path[0] === "mcp_servers" && path[1] === key);
        if (kinship === null || table === undefined || !isRecord(server)) return [];
        const entry = {
          event: "",
          command: String(server["command"]),
          timeoutMs: null,
          position: String(toml.tables.indexOf(table)),
          isCurrent: kinship === "same",
        };
        return [{ table, kinship, entry }];
      }),
    obstacle: ({ data }) => {
      const foreign = Object.entries(serversOf(data)).find(
        ([key, server]) => key === name || toCommand(server).includes("code-intelligence-mcp"),
      );
      if (foreign === undefined) return null;
      return { note: `mcp_servers.${foreign[0]} is your own entry; it stays as it is` };
    },
    put: (data) => {
      data["mcp_servers"] = { ...serversOf(data), [name]: { command, args: [...args] } };
    },
    drop: (data, after) => {
      const servers = Object.entries(serversOf(data));
      const left = servers.filter(([, server]) => judgeServer(server) === null);
      if (left.length === servers.length) return;
      // An empty `mcp_servers` table may have a header of its own, which is not ours.
      if (left.length > 0 || "mcp_servers" in after) data["mcp_servers"] = Object.fromEntries(left);
      else delete data["mcp_servers"];
    },
    belongs: ({ path }, ours) => path.length > 2 && ours.path.every((part, at) => path[at] === part),
  });
}

function sameFirst(ours: readonly Ours[]): Ours[] {
  return ours.toSorted((a, b) => (a.kinship === b.kinship ? 0 : a.kinship === "same" ? -1 : 1));
}

function editToml(spec: TomlEntry): EntryEditor {
  const { header, pairs, find, obstacle, put, drop, belongs } = spec;
  return {
    find: (path, bytes) => {
      const toml = parseToml(path, bytes);
      return toml.ok ? succeed(find(toml.value).map(({ entry }) => entry)) : toml;
    },
    add: (path, bytes) => {
      const toml = bytes === null ? succeed(BLANK) : parseToml(path, bytes);
      return toml.ok ? addTo(path, toml.value) : toml;
    },
    remove: (path, bytes) => {
      const toml = parseToml(path, bytes);
      if (!toml.ok) return toml;
      const text = cut(toml.value, find(toml.value));
      if (!changesOnly(toml.value.body, text, drop)) return refuseEdit(path, `${header} could not be removed`);
      return succeed(toml.value.bom + text);
    },
    restoreTimeout: (path, bytes, timeoutBefore) => {
      const toml = parseToml(path, bytes);
      return toml.ok ? restoreTo(path, toml.value, timeoutBefore) : toml;
    },
    isBlank: (text) => /^\uFEFF?\s*$/.test(text),
  };

  function addTo(path: string, toml: TomlText): Outcome<EntryAdded> {
    const nothing = { made: [], found: false, timeoutBefore: null, notes: [] };
    const { bom, body } = toml;
    const [first, ...rest] = sameFirst(find(toml));
    if (first === undefined) {
      const { fault, note } = obstacle(toml) ?? {};
      if (fault !== undefined) return refuseEdit(path, fault);
      if (note !== undefined) return succeed({ ...nothing, text: bom + body, notes: [note] });
      const text = appendTable(toml, header, pairs);
      if (!changesOnly(body, text, put))
        return refuseEdit(path, `${header} cannot be added without touching other content`);
      return succeed({ ...nothing, text: bom + text });
    }
    const wrong = Object.entries(pairs).filter(([key]) => !isRight(toml, first, key));
    if (wrong.length === 0 && rest.length === 0) return succeed({ ...nothing, text: bom + body, found: true });
    const mended = setPairs(toml, first.table, Object.fromEntries(wrong));
    const again = parseToml(path, Buffer.from(mended));
    if (!again.ok) return again;
    const text = cut(
      again.value,
      find(again.value).filter(({ kinship }) => kinship === "older"),
    );
    if (!changesOnly(withoutOurs(body), withoutOurs(text), () => {}))
      return refuseEdit(path, `${header} cannot be corrected without touching other content`);
    const isCorrected = first.kinship === "same" && wrong.some(([key]) => key === TIMEOUT);
    const timeoutBefore = isCorrected ? { [first.entry.event]: readPairText(toml, first.table, TIMEOUT) } : null;
    return succeed({ ...nothing, text: bom + text, found: true, timeoutBefore });
  }

  function restoreTo(path: string, toml: TomlText, timeoutBefore: OldTimeouts | null): Outcome<string> {
    const { bom, body } = toml;
    const [first] = sameFirst(find(toml));
    const before = first === undefined ? undefined : timeoutBefore?.[first.entry.event];
    if (first === undefined || before === undefined || !isRight(toml, first, TIMEOUT)) return succeed(bom + body);
    const text = restorePair(toml, first.table, TIMEOUT, before);
    if (!changesOnly(withoutOurs(body), withoutOurs(text), () => {}))
      return refuseEdit(path, `the ${TIMEOUT} of ${header} cannot be restored without touching other content`);
    return succeed(bom + text);
  }

  function isRight(toml: TomlText, { table }: Ours, key: string): boolean {
    return toComparable(readPair(toml, table, key)) === toComparable(pairs[key]);
  }

  function withoutOurs(body: string): string {
    const toml = parseToml("", Buffer.from(body));
    return toml.ok ? cut(toml.value, find(toml.value)) : body;
  }

  /** Removes tables of ours together with the tables that belong to them. */
  function cut(toml: TomlText, ours: readonly Ours[]): string {
    return removeTables(
      toml,
      toml.tables.filter((table) => ours.some((one) => one.table === table || belongs(table, one.table))),
    );
  }
}
