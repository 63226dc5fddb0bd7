import { join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import { DAY_MS } from "../base/duration.ts";
import type { Environment } from "../base/environment.ts";
import { type Database, inTransaction, isBusy, isSystemTrouble } from "../base/sqlite.ts";
import { removeQuietly } from "../base/state-files.ts";
import { historyFolder } from "../config/places.ts";
import { SETTINGS } from "../config/settings.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import type { RunDetail, RunFilter, RunRow, RunStats, Verdict } from "../contract/run-history.ts";
import { type RowFilter, toCondition } from "./conditions.ts";
import { type FigureBook, makeFigureBook } from "./figure-book.ts";
import type { RunRecord } from "./record.ts";
import { type KeptRow, toRow } from "./rows.ts";
import { takeSpool } from "./spool.ts";
import { countRuns } from "./stats.ts";
import { listAside, openRunStore, setAside, toHistoryFault } from "./store.ts";

/** The user's run history. Contract: methods throw only if the store fails while it is open. */
export interface RunHistory {
  /** Newest first. */
  list(filter: RunFilter): RunRow[];
  count(filter: RunFilter): number;
  /**
   * Finds a run by key, by run id (the newest with that id), by a unique end of a key, or by `last`: the newest run
   * with evidence, of `repo` if given.
   */
  find(id: string, repo?: string): RunDetail | null;
  stats(filter: Pick<RunFilter, "repo" | "since_ms">): RunStats;
  /** Repositories with runs, the most recently used first. */
  repos(): string[];
  /** Stores the user's verdict. Returns false if there is no such run. */
  mark(key: string, verdict: Verdict): boolean;
  /**
   * Removes runs and overwrites their bytes; returns how many were removed. Stores that were set aside are removed in
   * any case: they may contain the same runs. Waiting figures cannot be traced to runs: they go only with all runs.
   */
  purge(which: Pick<RunFilter, "repo" | "before_ms">): number;
  /** Imports the runs that the doors have appended to the spool. */
  refresh(nowMs: number): void;
  /** Figures of the runs for a team. */
  readonly figures: FigureBook;
  close(): void;
}

/** Location of the history, and its bounds. */
interface HistoryPlace {
  readonly env: Environment;
  readonly nowMs: number;
  readonly bounds?: { readonly days: number; readonly mb: number };
}

const MB = 1_000_000;
const USUAL_BOUNDS = { days: SETTINGS.historyDays.fallback, mb: SETTINGS.historyMb.fallback };

/**
 * Opens the history and imports the spool. Contract: never throws; a damaged store is set aside and replaced by a new
 * one; runs that exceed the bounds are removed.
 */
export function openRunHistory({ env, nowMs, bounds = USUAL_BOUNDS }: HistoryPlace): Outcome<RunHistory> {
  const folder = historyFolder(env);
  if (folder === null)
    return fail("E_CONFIG", "there is no folder for a history of runs", "set GROUNDWORK_HOME to a folder");
  for (let tried = 0; ; tried++) {
    const opened = openRunStore(folder);
    if (!opened.ok) return opened;
    const history = makeHistory(folder, opened.value, bounds);
    try {
      history.refresh(nowMs);
      return succeed(history);
    } catch (thrown) {
      // The stored runs remain readable; runs that could not be imported wait for the next reader.
      if (isSystemTrouble(thrown)) return succeed(history);
      history.close();
      if (isBusy(thrown) || tried > 0) return toHistoryFault(thrown);
      setAside(folder);
    }
  }
}

function makeHistory(folder: string, database: Database, bounds: { days: number; mb: number }): RunHistory {
  const rows = (filter: RowFilter) => {
    const { sql, values } = toCondition(filter);
    const most = filter.limit === undefined ? "" : ` LIMIT ${Math.max(0, Math.floor(filter.limit))}`;
    return database.prepare(`SELECT * FROM runs WHERE ${sql} ORDER BY key DESC${most}`).all(...values) as KeptRow[];
  };
  const detailOf = (kept: KeptRow | undefined): RunDetail | null => {
    if (kept === undefined) return null;
    const body = database.prepare("SELECT body FROM details WHERE key = ?").get(kept.key)?.["body"];
    const rest = body instanceof Uint8Array ? unpack(body) : NO_DETAIL;
    return { row: toRow(kept), ...rest };
  };
  const figures = makeFigureBook(database);
  return {
    list: (filter) => rows(filter).map(toRow),
    count: (filter) => {
      const { sql, values } = toCondition(filter);
      return Number(database.prepare(`SELECT count(*) AS n FROM runs WHERE ${sql}`).get(...values)?.["n"] ?? 0);
    },
    find: (id, repo) => {
      if (id === "last") return detailOf(rows({ repo, given: true, limit: 1 })[0]);
      const found = database.prepare("SELECT * FROM runs WHERE key = ?1 OR run_id = ?1 ORDER BY key DESC LIMIT 1");
      return detailOf((found.get(id) as KeptRow | undefined) ?? findByEnd(database, id));
    },
    stats: (filter) => countRuns(database, filter),
    repos: () =>
      database
        .prepare("SELECT repo FROM runs WHERE repo <> '' GROUP BY repo ORDER BY max(key) DESC")
        .all()
        .map(({ repo }) => String(repo)),
    mark: (key, verdict) =>
      Number(database.prepare("UPDATE runs SET verdict = ? WHERE key = ?").run(verdict, key).changes) > 0,
    purge: ({ repo, before_ms }) => {
      const removed = removeRuns(database, { repo, before_ms });
      if (repo === undefined && before_ms === undefined) figures.clear();
      for (const name of listAside(folder)) removeQuietly(join(folder, name));
      return removed;
    },
    refresh: (nowMs) => {
      const taken = takeSpool(folder);
      if (taken.records.length > 0)
        inTransaction(database, () => {
          for (const record of taken.records) insert(database, record);
        });
      taken.done();
      keepWithin(database, bounds, nowMs);
    },
    figures,
    close: () => database.close(),
  };
}

/** The end of a key, long enough not to match by accident. */
const KEY_END = /^[0-9a-f]{4,16}$/;

function findByEnd(database: Database, end: string): KeptRow | undefined {
  if (!KEY_END.test(end)) return undefined;
  const keys = database.prepare("SELECT key FROM runs WHERE substr(key, ?) = ? LIMIT 2").all(-end.length, end);
  const [only, another] = keys;
  if (only === undefined || another !== undefined) return undefined;
  return database.prepare("SELECT * FROM runs WHERE key = ?").get(String(only["key"])) as KeptRow | undefined;
}

function insert(database: Database, { row, at, hash, codes = [], failed = [], detail }: RunRecord): void {
  const names = "key, run_id, repo, door, client, intent, outcome, injected_chars, duration_ms, prompt, reason";
  const values = names.split(", ").map((name) => (row[name as keyof typeof row] ?? "") as string | number);
  database
    .prepare(
      `INSERT OR IGNORE INTO runs (${names}, at, hash, tools, limits, codes, failed)
       VALUES (${"?, ".repeat(values.length)}?, ?, ?, ?, ?, ?)`,
    )
    .run(
      ...values,
      Math.floor(at),
      hash,
      ...[row.tools, row.limits, codes, failed].map((list) => JSON.stringify(list)),
    );
  if (detail === undefined) return;
  const body = deflateSync(JSON.stringify(detail), { level: 6 });
  database.prepare("INSERT OR IGNORE INTO details (key, body) VALUES (?, ?)").run(row.key, body);
}

const NO_DETAIL = { document: null, injected: "", client_max: 0, timeline: [], cut: [] };

function unpack(body: Uint8Array): Omit<RunDetail, "row"> {
  return { ...NO_DETAIL, ...(JSON.parse(inflateSync(body).toString("utf8")) as Partial<RunDetail>) };
}

/** Removes all matching runs, silent ones too. Contract: their bytes are overwritten, and the file shrinks. */
function removeRuns(database: Database, filter: RunFilter): number {
  const { sql, values } = toCondition({ ...filter, silent: true });
  return inTransaction(database, () => {
    database.prepare(`DELETE FROM details WHERE key IN (SELECT key FROM runs WHERE ${sql})`).run(...values);
    return Number(database.prepare(`DELETE FROM runs WHERE ${sql}`).run(...values).changes);
  });
}

/** Share of the oldest runs that is removed at a time if the store is too large. */
const SHARE = 0.1;

function keepWithin(database: Database, { days, mb }: { days: number; mb: number }, nowMs: number): void {
  const oldest = nowMs - days * DAY_MS;
  if (database.prepare("SELECT 1 FROM runs WHERE at < ? LIMIT 1").get(oldest) !== undefined)
    removeRuns(database, { before_ms: oldest });
  const read = (name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
  while (read("page_count") * read("page_size") > mb * MB) {
    const count = Number(database.prepare("SELECT count(*) AS n FROM runs").get()?.["n"] ?? 0);
    if (count === 0) return;
    const most = Math.floor(count * SHARE) + 1;
    const oldestKept = database.prepare("SELECT key FROM runs ORDER BY key LIMIT 1 OFFSET ?").get(most)?.["key"];
    removeRuns(database, { before: oldestKept === undefined ? undefined : String(oldestKept) });
  }
}
