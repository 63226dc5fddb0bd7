import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import type { FigureBatch } from "../contract/figures.ts";
import { makeRun } from "./ended-run.test-helper.ts";
import { toRecord } from "./record.ts";
import { openRunHistory, type RunHistory } from "./run-history.ts";
import { appendToSpool } from "./spool.ts";

const START_MS = Date.UTC(2026, 0, 10, 12);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TOOLS = ["ci_search"];

/** A history with functions to use it at given times. */
function makeHistory() {
  const env = { GROUNDWORK_HOME: makeFolder() };
  const folder = join(env.GROUNDWORK_HOME, "history");
  const run = (startMs: number) => void appendToSpool(folder, toRecord(makeRun("where is x?", { startMs })));
  /** Opens the history as another process would. */
  const at = <T>(nowMs: number, work: (history: RunHistory) => T): T => {
    const opened = openRunHistory({ env, nowMs, bounds: { days: 400, mb: 50 } });
    if (!opened.ok) throw new Error(opened.fault.message);
    try {
      return work(opened.value);
    } finally {
      opened.value.close();
    }
  };
  return { run, at };
}

const runsOf = (batches: readonly FigureBatch[]) =>
  batches.flatMap(({ days }) => days).reduce((all, { counts }) => all + (counts["outcome.evidence"] ?? 0), 0);

describe("pending figures", () => {
  it("[T-13] count runs from when sharing is switched on, and are deleted when it is switched off", () => {
    const { run, at } = makeHistory();
    run(START_MS - 1);
    expect(
      at(START_MS, ({ figures }) => [figures.state(), figures.claim(START_MS), figures.collect(START_MS, TOOLS)]),
    ).toEqual([null, false, []]);
    at(START_MS, ({ figures }) => figures.begin(START_MS));
    expect(at(START_MS + 1, ({ figures }) => figures.claim(START_MS + 1))).toBe(false);
    run(START_MS + 2);
    at(START_MS + 3, ({ figures }) => figures.begin(START_MS + 3));
    expect(runsOf(at(START_MS + 4, ({ figures }) => figures.collect(START_MS + 4, TOOLS)))).toBe(1);
    expect(at(START_MS + 5, ({ figures }) => figures.state())).toMatchObject({ since: START_MS, waiting: 1 });
    run(START_MS + 5);
    at(START_MS + 6, ({ figures }) => figures.stop());
    run(START_MS + 7);
    at(START_MS + 8, ({ figures }) => figures.begin(START_MS + 8));
    run(START_MS + 9);
    expect(runsOf(at(START_MS + 10, ({ figures }) => figures.collect(START_MS + 10, TOOLS)))).toBe(1);
  });

  it("[T-13] keep their id until they are sent; no run is in two batches, even if recorded late", () => {
    const { run, at } = makeHistory();
    at(START_MS, ({ figures }) => figures.begin(START_MS));
    run(START_MS + 20);
    const first = at(START_MS + 30, ({ figures }) => figures.collect(START_MS + 30, TOOLS));
    // This run began earlier and took longer.
    run(START_MS + 10);
    const again = at(START_MS + 40, ({ figures }) => figures.collect(START_MS + 40, TOOLS));
    expect(again).toEqual(first);
    at(START_MS + 50, ({ figures }) => figures.remove(first[0]?.batch ?? ""));
    const second = at(START_MS + 60, ({ figures }) => figures.collect(START_MS + 60, TOOLS));
    expect([runsOf(first), runsOf(second)]).toEqual([1, 1]);
    expect(second[0]?.batch).toMatch(/^[0-9a-f]{32}$/);
    expect(second[0]?.batch).not.toBe(first[0]?.batch);
  });

  it("[T-13] count a later verdict once", () => {
    const { run, at } = makeHistory();
    at(START_MS, ({ figures }) => figures.begin(START_MS));
    run(START_MS + 1);
    const send = (nowMs: number) =>
      at(nowMs, ({ figures }) => {
        const batches = figures.collect(nowMs, TOOLS);
        for (const { batch } of batches) figures.remove(batch);
        return batches.flatMap(({ days }) => days.map(({ counts }) => counts));
      });
    expect(send(START_MS + 2)).toHaveLength(1);
    const mark = (verdict: "useful" | "useless") =>
      at(START_MS + 3, (history) => history.mark(history.list({})[0]?.key ?? "", verdict));
    mark("useful");
    expect(send(START_MS + 4)).toEqual([{ "verdict.useful": 1 }]);
    mark("useless");
    expect(send(START_MS + 5)).toEqual([]);
  });

  it("[T-13] are sent at most once an hour, by one of several processes", () => {
    const { run, at } = makeHistory();
    at(START_MS, ({ figures }) => figures.begin(START_MS));
    run(START_MS + 1);
    const claim = (nowMs: number) => at(nowMs, ({ figures }) => figures.claim(nowMs));
    expect([2, 3, HOUR_MS, HOUR_MS + 2, HOUR_MS + 3].map((ms) => claim(START_MS + ms))).toEqual([
      true,
      false,
      false,
      true,
      false,
    ]);
    // The clock was set back.
    expect(claim(START_MS + 100)).toBe(true);
  });

  it("[T-13] wait in few batches while the server is unavailable, and are dropped after 90 days", () => {
    const { run, at } = makeHistory();
    at(START_MS, ({ figures }) => figures.begin(START_MS));
    let waiting: readonly FigureBatch[] = [];
    for (let hour = 1; hour <= 8 * 24; hour++) {
      const nowMs = START_MS + hour * HOUR_MS;
      run(nowMs - 1);
      waiting = at(nowMs, ({ figures }) => figures.collect(nowMs, TOOLS));
    }
    const endMs = START_MS + (8 * 24 + 6) * HOUR_MS;
    waiting = at(endMs, ({ figures }) => figures.collect(endMs, TOOLS));
    expect(runsOf(waiting)).toBe(8 * 24);
    expect(waiting.length).toBeLessThanOrEqual(8 * 4 + 2);
    expect(new Set(waiting.flatMap(({ days }) => days.map(({ day }) => day))).size).toBe(9);
    const later = endMs + 91 * DAY_MS;
    run(later - 1);
    expect(runsOf(at(later, ({ figures }) => figures.collect(later, TOOLS)))).toBe(1);
  });

  it("[T-13] can be inspected before they are sent, and before anything is shared", () => {
    const { run, at } = makeHistory();
    run(START_MS - DAY_MS);
    const pending = (nowMs: number) => at(nowMs, ({ figures }) => figures.pending(nowMs, TOOLS)).map(({ day }) => day);
    expect(pending(START_MS)).toEqual(["2026-01-09"]);
    at(START_MS, ({ figures }) => figures.begin(START_MS));
    expect(pending(START_MS)).toEqual([]);
    run(START_MS + 1);
    const next = at(START_MS + 2, ({ figures }) => figures.pending(START_MS + 2, TOOLS));
    expect(at(START_MS + 2, ({ figures }) => figures.collect(START_MS + 2, TOOLS)).flatMap(({ days }) => days)).toEqual(
      next,
    );
    run(START_MS + DAY_MS);
    expect(pending(START_MS + DAY_MS)).toEqual(["2026-01-10", "2026-01-11"]);
  });

  it("[T-13] are deleted when the whole history is purged", () => {
    const { run, at } = makeHistory();
    at(START_MS, ({ figures }) => figures.begin(START_MS));
    run(START_MS + 1);
    at(START_MS + 2, ({ figures }) => figures.collect(START_MS + 2, TOOLS));
    at(START_MS + 3, (history) => history.purge({}));
    expect(at(START_MS + 4, ({ figures }) => figures.collect(START_MS + 4, TOOLS))).toEqual([]);
  });

  it("[T-13] record the result of the last attempt", () => {
    const { at } = makeHistory();
    at(START_MS, ({ figures }) => figures.begin(START_MS));
    at(START_MS, ({ figures }) => figures.note(START_MS + 1, "it does not answer"));
    expect(at(START_MS, ({ figures }) => figures.state())).toMatchObject({ sentAt: 0, trouble: "it does not answer" });
    at(START_MS, ({ figures }) => figures.note(START_MS + 2, ""));
    expect(at(START_MS, ({ figures }) => figures.state())).toMatchObject({ sentAt: START_MS + 2, trouble: "" });
  });
});
