import { printFollowed, printRunsJsonl } from "../adapters/cli/runs.ts";
import { systemClock } from "../base/clock.ts";
import { sleep } from "../base/timers.ts";
import { historyFolder } from "../config/places.ts";
import type { Outcome } from "../contract/faults.ts";
import type { RunFilter, RunRow } from "../contract/run-history.ts";
import { makeChangeDetector, makeNewRunsReader } from "../run-history/new-runs.ts";
import type { RunHistory } from "../run-history/run-history.ts";
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
  const hasChanged = makeChangeDetector(historyFolder(process.env) ?? "");
  hasChanged();
  const began = await withHistory((history) => {
    const filter = readFilter(history);
    if (!filter.ok) return misuse(filter.fault.message, "runs");
    const print = makePrinter(filter.value.repo !== undefined, options);
    const { limit } = options;
    const rows = limit === 0 ? [] : history.list({ ...filter.value, limit });
    const findNew = makeNewRunsReader(filter.value);
    findNew(history, systemClock.nowMs());
    if (isTerminal(2)) {
      // Keeps the shell's prompt from following the ^C on the same line.
      process.once("exit", () => writeAll(2, "\n"));
      if (rows.length === 0) writeAll(2, "groundwork: waiting for runs; Ctrl-C ends this\n");
    }
    return print(rows.toReversed()) ? { print, findNew } : DONE;
  });
  if ("exitCode" in began) return began;
  for (let isDue = false; ; ) {
    await sleep(LOOK_MS);
    isDue = hasChanged() || isDue;
    if (!isDue) continue;
    const opened = await openOwnHistory(process.env);
    if (opened.ok) {
      const rows = began.findNew(opened.value, systemClock.nowMs());
      opened.value.close();
      isDue = false;
      if (rows.length > 0 && !began.print(rows.toReversed())) return DONE;
      // The store may be locked by another writer at the moment.
    } else if (opened.fault.code !== "E_TIMEOUT") return failed(opened.fault);
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
