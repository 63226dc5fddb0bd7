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
  /** Runs that are printed before new ones; undefined for all. */
  readonly limit: number | undefined;
  readonly isJsonl: boolean;
  readonly color: string | undefined;
}

const LOOK_MS = 1_000;
/** A run has the time of its beginning: one that took long comes after others that began later. */
const LATE_MS = 600_000;

/** Prints runs as they are wanted. Returns false where nobody reads them any more. */
type PrintRows = (rows: readonly RunRow[]) => boolean;

/**
 * Prints runs, the oldest first, and goes on with new ones until the process is ended or nobody reads any more. Contract: every
 * run that fits the filter is printed once, and whole.
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
      // The shell's prompt is not to stand behind the ^C.
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
    // Somebody else may be writing just now.
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

/** Prints what has not been seen yet. Contract: closes the history. */
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

/** Tells whether there may be something new, without opening the store. */
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
