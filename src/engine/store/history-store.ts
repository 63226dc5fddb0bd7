import type { Database } from "../../base/sqlite.ts";
import {
  type Commit,
  type CommitWindow,
  type History,
  type HistoryUpdate,
  startOfWindow,
} from "../history/read-history.ts";
import { isBelow } from "../history/tree.ts";
import { inTransaction } from "./database.ts";

/** Which history is kept. */
export interface KeptHead {
  /** Tells the state of the repository that was looked at from others. */
  readonly key: string;
  /** Whether anything could be read; where it could not, there is no use in trying again before the key is another. */
  readonly isRead: boolean;
  /** Whether there are older commits than those that are kept. */
  readonly isCut: boolean;
  readonly submodules: readonly string[];
}

interface CommitRow {
  readonly id: string;
  readonly at: number;
  readonly author: string;
  readonly subject: string;
  readonly files: string;
}

const COLUMNS = "id, at, author, subject, files";
const NEWEST_FIRST = "ORDER BY at DESC, number DESC";
/** Stands before, between and after the paths of a commit, so that one of them can be looked for. */
const BETWEEN = "\n";

/**
 * Commits and the tree of the commit that was checked out, as the builder kept them. Contract: whoever reads asks first
 * whether `head` is what is checked out now; throws where the database is damaged.
 */
export class HistoryStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** What is kept; null where no history has been looked at. */
  head(): KeptHead | null {
    const row = this.#database.prepare("SELECT value FROM meta WHERE key = 'history'").get();
    return row === undefined ? null : (JSON.parse((row as { value: string }).value) as KeptHead);
  }

  /** The newest commits, and what else is known of the files. */
  history(most: number): History {
    const blob = this.#database.prepare("SELECT id FROM committed WHERE path = ?");
    const submodules = this.head()?.submodules ?? [];
    return {
      commits: this.#commits(`${NEWEST_FIRST} LIMIT ?`, most),
      commitsOf: (path) => this.#commits(`WHERE instr(files, ?) > 0 ${NEWEST_FIRST}`, BETWEEN + path + BETWEEN),
      tree: {
        blobOf: (path) => (blob.get(path) as { id: string } | undefined)?.id ?? null,
        isInSubmodule: (path) => isBelow(path, submodules),
      },
    };
  }

  /** The commits of the last days, as `readWindow` tells them; null where the newest is not kept. */
  window(days: number): CommitWindow | null {
    const head = this.head();
    const [newest] = this.#commits("WHERE id = ?", head?.key.split(" ")[0] ?? "");
    if (head === null || newest === undefined) return null;
    const fromMs = startOfWindow(newest.atMs, days);
    const commits = this.#commits(`WHERE at >= ? ${NEWEST_FIRST}`, fromMs);
    const isCut = head.isCut && this.#commits("WHERE at < ? LIMIT 1", fromMs).length === 0;
    return { commits, untilMs: newest.atMs, fromMs, isCut };
  }

  /** Notes that nothing can be read of a state; null stands for no history at all. */
  clear(key: string | null): void {
    inTransaction(this.#database, () => {
      this.#database.exec("DELETE FROM commits; DELETE FROM committed; DELETE FROM meta WHERE key = 'history'");
      if (key !== null) this.#setHead({ key, isRead: false, isCut: false, submodules: [] });
    });
  }

  /** Keeps what was read, at most so many commits. Contract: all of it or nothing. */
  update({ key, isAnew, commits, gone, isCut, tree }: HistoryUpdate, most: number): void {
    const before = isAnew ? null : this.head();
    inTransaction(this.#database, () => {
      if (isAnew) this.#database.exec("DELETE FROM commits");
      else this.#dropCommits(gone);
      this.#addCommits(commits);
      const isTrimmed = this.#trim(most);
      this.#setTree(tree.blobs);
      this.#setHead({
        key,
        isRead: true,
        isCut: isCut || isTrimmed || before?.isCut === true,
        submodules: tree.submodules,
      });
    });
  }

  #commits(which: string, value: string | number): Commit[] {
    const rows = this.#database.prepare(`SELECT ${COLUMNS} FROM commits ${which}`).all(value) as unknown as CommitRow[];
    return rows.map(({ id, at, author, subject, files }) => ({
      id,
      atMs: at,
      author,
      subject,
      files: files === "" ? [] : files.slice(1, -1).split(BETWEEN),
    }));
  }

  #dropCommits(ids: ReadonlySet<string>): void {
    const drop = this.#database.prepare("DELETE FROM commits WHERE id = ?");
    for (const id of ids) drop.run(id);
  }

  #addCommits(commits: readonly Commit[]): void {
    const last = this.#database.prepare("SELECT coalesce(max(number), 0) AS number FROM commits").get();
    let { number } = last as { number: number };
    const add = this.#database.prepare(`INSERT INTO commits (number, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`);
    for (const { id, atMs, author, subject, files } of commits.toReversed()) {
      const listed = files.filter((path) => !path.includes(BETWEEN));
      const packed = listed.length === 0 ? "" : BETWEEN + listed.join(BETWEEN) + BETWEEN;
      add.run(++number, id, atMs, author, subject, packed);
    }
  }

  #trim(most: number): boolean {
    const trim =
      "DELETE FROM commits WHERE (at, number) IN (SELECT at, number FROM commits ORDER BY at DESC, number DESC LIMIT -1 OFFSET ?)";
    return this.#database.prepare(trim).run(most).changes > 0;
  }

  /** Writes what differs: most files are the same from one commit to the next. */
  #setTree(blobs: ReadonlyMap<string, string>): void {
    const rows = this.#database.prepare("SELECT path, id FROM committed").all() as { path: string; id: string }[];
    const known = new Map(rows.map(({ path, id }) => [path, id]));
    const put = this.#database.prepare("INSERT OR REPLACE INTO committed (path, id) VALUES (?, ?)");
    const drop = this.#database.prepare("DELETE FROM committed WHERE path = ?");
    for (const [path, id] of blobs) if (known.get(path) !== id) put.run(path, id);
    for (const path of known.keys()) if (!blobs.has(path)) drop.run(path);
  }

  #setHead(head: KeptHead): void {
    this.#database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('history', ?)").run(JSON.stringify(head));
  }
}
