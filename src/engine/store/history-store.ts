import { getOrMake } from "../../base/maps.ts";
import { once } from "../../base/once.ts";
import {
  type Commit,
  type CommitWindow,
  type History,
  type HistoryUpdate,
  startOfWindow,
} from "../history/read-history.ts";
import { isBelow } from "../history/tree.ts";
import { Meta } from "./meta.ts";
import type { Records } from "./records.ts";
import { checksumOf, sealText, unsealText } from "./sealed.ts";

/** Describes the stored history. */
interface KeptHead {
  /** Identifies the repository state that was read. */
  readonly key: string;
  /** False if history could not be read; then do not retry until the key changes. */
  readonly isRead: boolean;
  /** True if commits older than the stored ones exist. */
  readonly isCut: boolean;
  readonly submodules: readonly string[];
  /** Number of commit chunks, and of tree parts. */
  readonly chunks: number;
  readonly parts: number;
}

type CommitRow = readonly [id: string, atMs: number, author: string, subject: string, files: readonly string[]];

/** Commits per record: asking for the newest commits reads two records. */
const PER_CHUNK = 100;
/** Approximate number of files per tree part. */
const PER_PART = 64;
/** Row id of the first tree part; greater than all chunk ids. */
const FIRST_PART = 1_000_000;
const HEAD = "history";
/** Used as a path separator elsewhere, so paths that contain it are dropped. */
const BETWEEN = "\n";

/**
 * Commits, and the tree of the checked-out commit, as saved by the builder. Contract: callers must first check that
 * `head` matches the current checkout; throws `IndexDamage` if a record is corrupt or missing.
 */
export class HistoryStore {
  readonly #records: Records;
  readonly #meta: Meta;

  constructor(records: Records) {
    this.#records = records;
    this.#meta = new Meta(records);
  }

  /** Description of the stored history; null if no history has been read. */
  head(): KeptHead | null {
    return this.#meta.getJson(HEAD);
  }

  /** The newest commits, and the tree of the checked-out commit. */
  history(most: number): History {
    const head = this.head();
    const { submodules = [], parts = 0 } = head ?? {};
    const read = new Map<number, ReadonlyMap<string, string>>();
    const partAt = (number: number) =>
      getOrMake(read, number, () => new Map(this.#read<[string, string][]>(FIRST_PART + number)));
    const all = once(() => this.#commits(head));
    return {
      commits: this.#commits(head, most),
      commitsOf: (path) => all().filter(({ files }) => files.includes(path)),
      tree: {
        blobOf: (path) => (parts === 0 ? null : (partAt(partOf(path, parts)).get(path) ?? null)),
        isInSubmodule: (path) => isBelow(path, submodules),
      },
    };
  }

  /** The commits of the last days, as `readWindow` returns them; null if the newest commit is not stored. */
  window(days: number): CommitWindow | null {
    const head = this.head();
    const all = this.#commits(head);
    const newest = all.find(({ id }) => id === head?.key.split(" ")[0]);
    if (head === null || newest === undefined) return null;
    const fromMs = startOfWindow(newest.atMs, days);
    const commits = all.filter(({ atMs }) => atMs >= fromMs);
    return { commits, untilMs: newest.atMs, fromMs, isCut: head.isCut && commits.length === all.length };
  }

  /** Reads all stored records. Contract: as for the class. */
  check(): void {
    const head = this.head();
    this.#commits(head);
    for (let part = 0; part < (head?.parts ?? 0); part++) this.#read(FIRST_PART + part);
  }

  /** Records that the history of a state cannot be read; a null key means there is no history at all. */
  clear(key: string | null): void {
    this.#records.write(() => {
      this.#records.run("DELETE FROM history");
      this.#meta.remove(HEAD);
      if (key !== null) this.#setHead({ key, isRead: false, isCut: false, submodules: [], chunks: 0, parts: 0 });
    });
  }

  /** Stores an update, keeping at most `most` commits. Contract: atomic. */
  update({ key, isAnew, commits, gone, isCut, tree }: HistoryUpdate, most: number): void {
    const before = isAnew ? null : this.head();
    const listed = commits.map((commit) => ({
      ...commit,
      files: commit.files.filter((path) => !path.includes(BETWEEN)),
    }));
    const kept = this.#commits(before).filter(({ id }) => !gone.has(id));
    // The sort is stable: of two commits with the same time, the later addition counts as newer.
    const all = [...listed, ...kept].sort((one, other) => other.atMs - one.atMs);
    const rows = all.slice(0, most).map(toRow);
    const parts = splitTree(tree.blobs);
    this.#records.write(() => {
      this.#records.run("DELETE FROM history");
      let chunks = 0;
      for (; chunks * PER_CHUNK < rows.length; chunks++)
        this.#write(chunks, rows.slice(chunks * PER_CHUNK, (chunks + 1) * PER_CHUNK));
      for (const [number, part] of parts.entries()) this.#write(FIRST_PART + number, part);
      this.#setHead({
        key,
        isRead: true,
        isCut: isCut || all.length > most || before?.isCut === true,
        submodules: tree.submodules,
        chunks,
        parts: parts.length,
      });
    });
  }

  /** Stored commits, newest first. */
  #commits(head: KeptHead | null, most = Number.POSITIVE_INFINITY): Commit[] {
    const commits: Commit[] = [];
    for (let chunk = 0; chunk < (head?.chunks ?? 0) && commits.length < most; chunk++)
      commits.push(...this.#read<CommitRow[]>(chunk).map(toCommit));
    return commits.slice(0, most);
  }

  #read<T>(id: number): T {
    const row = this.#records.get("SELECT data FROM history WHERE id = ?", id);
    return this.#records.read(() => JSON.parse(unsealText(labelOf(id), row?.["data"])) as T);
  }

  #write(id: number, value: unknown): void {
    this.#records.run("INSERT INTO history (id, data) VALUES (?, ?)", id, sealText(labelOf(id), JSON.stringify(value)));
  }

  #setHead(head: KeptHead): void {
    this.#meta.setJson(HEAD, head);
  }
}

function labelOf(id: number): string {
  return `history ${id}`;
}

function toRow({ id, atMs, author, subject, files }: Commit): CommitRow {
  return [id, atMs, author, subject, files];
}

function toCommit([id, atMs, author, subject, files]: CommitRow): Commit {
  return { id, atMs, author, subject, files };
}

/** Splits files and their blob ids into parts of similar size, so that looking up one file reads only one part. */
function splitTree(blobs: ReadonlyMap<string, string>): [string, string][][] {
  const parts: [string, string][][] = Array.from({ length: Math.ceil(blobs.size / PER_PART) }, () => []);
  for (const entry of blobs) parts[partOf(entry[0], parts.length)]?.push(entry);
  return parts;
}

function partOf(path: string, parts: number): number {
  return checksumOf(path) % parts;
}
