import { statSync } from "node:fs";
import { join } from "node:path";
import { printFollowed, printRunsJsonl } from "../adapters/cli/runs.ts";
import { systemClock } from "../base/clock.ts";
import { sleep } from "../base/timers.ts";
import { historyFolder } from "../config/places.ts";
import type { Outcome } from "../contract/faults.ts";
import type { RunFilter, RunRow } from "../contract/run-history.ts";
import { keyOfTime } from "../run-history/key.ts";
import type { RunHistory } from "../run-history/run-history.ts";
import { hasSpool } from "../run-history/spool.ts";
import { STORE } from "../run-history/store.ts";
import { withHistory } from "./kept-runs.ts";
import { openOwnHistory } from "./own-history.ts";
import { failed, misuse, type Printed } from "./printed.ts";
import { isTerminal, writeAll } from "./process.ts";
import { screenOf } from "./screen.ts";

interface FollowOptions {
  /** Number of existing runs printed before new ones; undefined for all. */
  readonly limit: number | undefined;
  readonly isJsonl: boolean;
  readonly color: string | undefined;
}

const LOOK_MS = 1_000;
/** A run is dated by its start, so a long one appears after others that started later. */
const LATE_MS = 600_000;

/** Prints runs in the requested format. Returns false if the reader has gone away. */
type PrintRows = (rows: readonly RunRow[]) => boolean;

/**
 * Prints runs, oldest first, and continues with new ones until the process is ended or the reader goes away. Contract:
 * every run that matches the filter is printed exactly once, and completely.
 */
export async function followRuns(
  readFilter: (history: RunHistory) => Outcome<RunFilter>,
  options: FollowOptions,
): Promise<Printed> {
  const watched = watchHistory();
  watched.hasChanged();
  const began = await withHistory((history) => {
    const filter = readFilter(history);
    if (!filter.ok) return misuse(filter.fault.message, "runs");
    const print = makePrinter(filter.value.repo !== undefined, options);
    const { limit } = options;
    const rows = limit === 0 ? [] : history.list({ ...filter.value, ...(limit === undefined ? {} : { limit }) });
    const seen = new Set(history.since(keyOfTime(systemClock.nowMs() - LATE_MS)).map(({ key }) => key));
    if (isTerminal(2)) {
      // Keeps the shell's prompt from following the ^C on the same line.
      process.once("exit", () => writeAll(2, "\n"));
      if (rows.length === 0) writeAll(2, "groundwork: waiting for runs; Ctrl-C ends this\n");
    }
    return print(rows.toReversed()) ? { filter: filter.value, print, seen } : DONE;
  });
  if ("exitCode" in began) return began;
  for (;;) {
    await sleep(LOOK_MS);
    if (!watched.hasChanged()) continue;
    const opened = await openOwnHistory(process.env);
    // The store may be locked by another writer at the moment.
    if (!opened.ok && opened.fault.code !== "E_TIMEOUT") return failed(opened.fault);
    if (!opened.ok) watched.forget();
    else if (!printFresh(opened.value, began)) return DONE;
  }
}

const DONE: Printed = { text: "", exitCode: 0 };

function makePrinter(isOneRepo: boolean, { isJsonl, color }: FollowOptions): PrintRows {
  const screen = screenOf({ color });
  let hasHead = true;
  return (rows) => {
    if (isJsonl) return writeAll(1, printRunsJsonl(rows));
    const text = printFollowed(rows, { isOneRepo, hasHead }, screen);
    hasHead = false;
    return writeAll(1, text);
  };
}

/** Prints the runs that have not been seen yet. Contract: closes the history. */
function printFresh(
  history: RunHistory,
  { filter, print, seen }: { readonly filter: RunFilter; readonly print: PrintRows; readonly seen: Set<string> },
): boolean {
  const oldest = keyOfTime(systemClock.nowMs() - LATE_MS);
  const fresh = history.since(oldest).filter(({ key }) => !seen.has(key));
  history.close();
  for (const { key } of fresh) seen.add(key);
  for (const key of seen) if (key < oldest) seen.delete(key);
  const wanted = fresh.filter((row) => fits(row, filter));
  return wanted.length === 0 || print(wanted);
}

function fits({ repo, outcome, created_at }: RunRow, filter: RunFilter): boolean {
  return (
    (filter.repo === undefined || repo === filter.repo) &&
    (filter.silent === true || outcome !== "silent") &&
    (filter.since_ms === undefined || Date.parse(created_at) >= filter.since_ms)
  );
}

/** Detects possible new runs without opening the store. */
function watchHistory() {
  const folder = historyFolder(process.env) ?? "";
  let last = "";
  const look = (): string => {
    const stats = statSync(join(folder, STORE), { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? "" : [stats.ino, stats.size, stats.mtimeNs].join(" ");
  };
  return {
    hasChanged: (): boolean => {
      const now = look();
      const isNew = now !== last || hasSpool(folder);
      last = now;
      return isNew;
    },
    forget: () => {
      last = "";
    },
  };
}
