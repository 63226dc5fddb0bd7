import { randomBytes } from "node:crypto";
import { type Database, inTransaction } from "../base/sqlite.ts";
import type { DayFigures, FigureBatch } from "../contract/figures.ts";
import type { SharingState } from "../contract/run-history.ts";
import { countFigures } from "./figures.ts";
import type { KeptRow } from "./rows.ts";

/**
 * Figures of runs for a team, from counting to sending. Each run is counted once: adding it to a batch and marking it
 * as counted is one transaction. A batch keeps its id until the server has it, so that the server counts it only once,
 * too.
 */
export interface FigureBook {
  /** Starts sharing: runs from now on are counted. No effect if sharing is on already. */
  begin(nowMs: number): void;
  /** Stops sharing and deletes waiting batches. */
  stop(): void;
  /** Deletes waiting batches. */
  clear(): void;
  /** Null if sharing is off. */
  state(): SharingState | null;
  /**
   * Returns what would be sent now: waiting and new figures; if sharing is off, the figures as if all runs were
   * counted.
   */
  pending(nowMs: number, tools: readonly string[]): readonly DayFigures[];
  /** True if it is time to send. Contract: of concurrent callers only one gets true, then none for an hour. */
  claim(nowMs: number): boolean;
  /** Creates a batch of new figures, unless a recent one is waiting. Returns all waiting batches, oldest first. */
  collect(nowMs: number, tools: readonly string[]): readonly FigureBatch[];
  /** Removes a batch that the server has received or will never accept. */
  remove(batch: string): void;
  /** Records the result of an attempt; `trouble` is empty if everything was sent. */
  note(nowMs: number, trouble: string): void;
}

const HOUR_MS = 3_600_000;
/** While the server is unavailable, a batch covers this many hours: few batches wait, and none outlives its runs. */
const FRESH_MS = 6 * HOUR_MS;
/** Batches that wait longer are deleted. */
const MAX_AGE_MS = 90 * 24 * HOUR_MS;

/** How much of a run has been counted. */
const SHARED = { run: 1, verdict: 2 } as const;
/** Runs within a period that are not fully counted. A verdict is counted once, with its value at that time. */
const NEW = `FROM runs WHERE at BETWEEN ?1 AND ?2
  AND (shared = 0 OR (shared = ${SHARED.run} AND verdict IS NOT NULL))`;

interface WaitingBatch {
  readonly id: string;
  readonly at: number;
  /** JSON. */
  readonly days: string;
}

/** Creates the figure book of a store. Contract: methods throw if the store fails. */
export function makeFigureBook(database: Database): FigureBook {
  const state = () => readSharing(database);
  const listWaiting = () =>
    database.prepare("SELECT id, at, days FROM batches ORDER BY at, id").all() as unknown as WaitingBatch[];
  const countNew = (times: readonly [number, number], tools: readonly string[]) => {
    const runs = database.prepare(`SELECT * ${NEW} ORDER BY key`).all(...times) as unknown as KeptRow[];
    const counted = runs.map((run) => ({ ...run, isOnlyVerdict: run.shared === SHARED.run }));
    return countFigures(counted, tools);
  };
  return {
    begin: (nowMs) => {
      if (state() === null)
        database.prepare("INSERT OR IGNORE INTO sharing (id, since) VALUES (1, ?)").run(Math.floor(nowMs));
    },
    stop: () => {
      // Sharing is usually off: a plain read takes no write lock.
      if (state() !== null) inTransaction(database, () => database.exec("DELETE FROM batches; DELETE FROM sharing"));
    },
    clear: () => database.exec("DELETE FROM batches"),
    state,
    pending: (nowMs, tools) => [
      ...listWaiting().flatMap((waiting) => toBatch(waiting).days),
      ...countNew(timesOf(state()?.since ?? 0, nowMs), tools),
    ],
    claim: (nowMs) => {
      const since = state()?.since;
      if (since === undefined) return false;
      const something = database.prepare(`SELECT 1 FROM batches UNION ALL SELECT 1 ${NEW} LIMIT 1`);
      if (something.get(...timesOf(since, nowMs)) === undefined) return false;
      // The second condition handles a clock that was set back.
      const claimed = database.prepare("UPDATE sharing SET tried_at = ?1 WHERE tried_at <= ?1 - ?2 OR tried_at > ?1");
      return Number(claimed.run(Math.floor(nowMs), HOUR_MS).changes) > 0;
    },
    collect: (nowMs, tools) =>
      inTransaction(database, () => {
        const since = state()?.since;
        if (since === undefined) return [];
        database.prepare("DELETE FROM batches WHERE at < ?").run(Math.floor(nowMs - MAX_AGE_MS));
        const newest = listWaiting().at(-1);
        const times = timesOf(since, nowMs);
        const days = newest === undefined || nowMs - newest.at >= FRESH_MS ? countNew(times, tools) : [];
        if (days.length > 0) {
          const insert = database.prepare("INSERT INTO batches (id, at, days) VALUES (?, ?, ?)");
          insert.run(randomBytes(16).toString("hex"), Math.floor(nowMs), JSON.stringify(days));
          const shared = `CASE WHEN verdict IS NULL THEN ${SHARED.run} ELSE ${SHARED.verdict} END`;
          database.prepare(`UPDATE runs SET shared = ${shared} WHERE key IN (SELECT key ${NEW})`).run(...times);
        }
        return listWaiting().map(toBatch);
      }),
    remove: (batch) => void database.prepare("DELETE FROM batches WHERE id = ?").run(batch),
    note: (nowMs, trouble) => {
      const sent = trouble === "" ? Math.floor(nowMs) : null;
      database.prepare("UPDATE sharing SET trouble = ?, sent_at = coalesce(?, sent_at)").run(trouble, sent);
    },
  };
}

function timesOf(since: number, nowMs: number): readonly [number, number] {
  return [Math.floor(Math.max(since, nowMs - MAX_AGE_MS)), Math.floor(nowMs)];
}

function toBatch({ id, days }: WaitingBatch): FigureBatch {
  return { batch: id, days: JSON.parse(days) as DayFigures[] };
}

/** Returns the sharing state of a store; null if sharing is off. */
export function readSharing(database: Database): SharingState | null {
  const row = database
    .prepare("SELECT since, tried_at, sent_at, trouble, (SELECT count(*) FROM batches) AS waiting FROM sharing")
    .get();
  if (row === undefined) return null;
  return {
    since: Number(row["since"]),
    triedAt: Number(row["tried_at"]),
    sentAt: Number(row["sent_at"]),
    trouble: String(row["trouble"]),
    waiting: Number(row["waiting"]),
  };
}
