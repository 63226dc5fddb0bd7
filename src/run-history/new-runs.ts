import { statSync } from "node:fs";
import { join } from "node:path";
import type { RunFilter, RunRow } from "../contract/run-history.ts";
import type { RunHistory } from "./run-history.ts";
import { hasSpool } from "./spool.ts";
import { STORE } from "./store.ts";

/** A run is recorded when it ends, so a long one appears after others that started later, but hardly later than this. */
const LATE_MS = 10 * 60_000;

/**
 * Makes a function that lists the runs recorded since its last call, newest first; nothing on the first call. The order
 * of keys does not identify them: a run that started earlier may be recorded later.
 */
export function makeNewRunsReader(filter: RunFilter): (history: RunHistory, nowMs: number) => readonly RunRow[] {
  let seen: ReadonlySet<string> | null = null;
  return (history, nowMs) => {
    const rows = history.list({ ...filter, since_ms: Math.max(filter.since_ms ?? 0, nowMs - LATE_MS) });
    const before = seen;
    seen = new Set(rows.map(({ key }) => key));
    return before === null ? [] : rows.filter(({ key }) => !before.has(key));
  };
}

/** Makes a function that returns true if there may be new runs since its last call. Contract: does not open the store. */
export function makeChangeDetector(folder: string): () => boolean {
  let last: string | null = null;
  return () => {
    const stats = statSync(join(folder, STORE), { bigint: true, throwIfNoEntry: false });
    const now = stats === undefined ? "" : [stats.ino, stats.size, stats.mtimeNs].join(" ");
    const hasChanged = now !== last || hasSpool(folder);
    last = now;
    return hasChanged;
  };
}
