import { isAbsolute, join } from "node:path";
import { lstatOrNull } from "../base/file-facts.ts";
import { toSha256 } from "../base/hash.ts";
import { isRecord, parseObject } from "../base/text.ts";
import { doubtOfFolder, readOwnFile } from "./own-record.ts";
import { JOINS_FILE } from "./places.ts";

/** A repository whose index may use bases from a store. */
export interface Join {
  /** Real path of its git folder, which all its work trees share. */
  readonly repository: string;
  /** Absolute path of a folder, or an address. */
  readonly store: string;
  /** Public keys that may sign published bases. */
  readonly keys: readonly string[];
  /** Highest sequence number of a list seen so far; a list with a lower one is refused. */
  readonly highest: number;
  /** Time of joining, ISO 8601. */
  readonly at: string;
}

/** The user's record of joins. */
export interface JoinBook {
  readonly path: string;
  /** Empty if the record is damaged, so that no base is used. */
  readonly joins: readonly Join[];
  /** Why it cannot be used; null if it can, or if there is none. */
  readonly damage: string | null;
  /** Hash of the current file; null if there is none or it cannot be read. */
  readonly sha256: string | null;
}

/** Maximum size of a record. */
const MAX_JOINS_BYTES = 1024 * 1024;

/** Reads the record in a home folder. Contract: as `readTrustBook`. */
export function readJoinBook(home: string): JoinBook {
  const path = join(home, JOINS_FILE);
  const book = { path, joins: [], damage: null, sha256: null };
  if (lstatOrNull(path) === null) return book;
  const doubt = doubtOfFolder(home);
  if (doubt !== null) return { ...book, damage: doubt };
  const read = readOwnFile(path, MAX_JOINS_BYTES);
  if (typeof read === "string") return { ...book, damage: `~/${JOINS_FILE} ${read}` };
  const sha256 = toSha256(read);
  const { version, joins } = parseObject(read.toString("utf8")) ?? {};
  if (version !== 1 || !Array.isArray(joins) || !joins.every(isJoin))
    return { ...book, damage: `~/${JOINS_FILE} is not a whole record of version 1`, sha256 };
  return { ...book, joins, sha256 };
}

/** Serialises a record. Contract: equal records give equal text; sorted by repository. */
export function toJoinText(joins: readonly Join[]): string {
  const sorted = joins.toSorted((a, b) => (a.repository < b.repository ? -1 : 1));
  return `${JSON.stringify({ version: 1, joins: sorted }, null, 2)}\n`;
}

function isJoin(value: unknown): value is Join {
  if (!isRecord(value)) return false;
  const { repository, store, keys, highest, at } = value;
  return (
    typeof repository === "string" &&
    isAbsolute(repository) &&
    typeof store === "string" &&
    store !== "" &&
    Array.isArray(keys) &&
    keys.length > 0 &&
    keys.every((key) => typeof key === "string") &&
    Number.isSafeInteger(highest) &&
    typeof at === "string"
  );
}
