import { randomBytes } from "node:crypto";
import { type Database, inTransaction } from "../base/sqlite.ts";
import type { DayFigures, FigureBatch } from "../contract/figures.ts";
import type { SharingState } from "../contract/run-history.ts";
import { countFigures } from "./figures.ts";
import type { KeptRow } from "./rows.ts";

/**
 * What is counted of runs for a team, from the run to the server. A run counts once: which batch it went into and that it did so are one
 * transaction. A batch keeps its id until the server has it, so that the server counts it once, too.
 */
export interface FigureBook {
  /** Runs that begin from now on count, unless some do already. */
  begin(nowMs: number): void;
  /** No run counts any more, and what waits is forgotten. */
  stop(): void;
  /** Forgets what waits. */
  clear(): void;
  /** Null where no run counts. */
  state(): SharingState | null;
  /** What would be sent now: what waits, and what is new; where no run counts, what there would be if all had counted. */
  pending(nowMs: number, tools: readonly string[]): readonly DayFigures[];
  /** Whether it is time to send something. Contract: of several who ask at once one gets true, then nobody for an hour. */
  claim(nowMs: number): boolean;
  /** Makes a batch of what is new, unless one waits that is new enough. Returns all that wait, oldest first. */
  collect(nowMs: number, tools: readonly string[]): readonly FigureBatch[];
  /** The server has this batch, or will never take it. */
  remove(batch: string): void;
  /** Keeps what came of an attempt: empty where all was sent. */
  note(nowMs: number, trouble: string): void;
}

const HOUR_MS = 3_600_000;
/** While the server is away, so many hours of runs go into one batch: few batches wait, and none outlives its runs. */
const FRESH_MS = 6 * HOUR_MS;
/** What waits longer is lost. */
const MAX_AGE_MS = 90 * 24 * HOUR_MS;

/** How much of a run was counted. */
const SHARED = { run: 1, verdict: 2 } as const;
/** Runs between two moments of which not all was counted. A verdict counts as it was when it was first counted. */
const NEW = `FROM runs WHERE at BETWEEN ?1 AND ?2
  AND (shared = 0 OR (shared = ${SHARED.run} AND verdict IS NOT NULL))`;

interface WaitingBatch {
  readonly id: string;
  readonly at: number;
  /** JSON. */
  readonly days: string;
}

/** Makes the book of a store. Contract: methods throw where the store breaks. */
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
      // Nearly nobody shares anything: a look takes no lock.
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
      // A clock that was set back must not stop it.
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

/** How it stands with sharing in a store; null where no run counts. */
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
