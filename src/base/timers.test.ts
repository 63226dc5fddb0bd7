import { describe, expect, it } from "vitest";
import { MAX_TIMER_MS, sleep, startTimer } from "./timers.ts";

describe("timers", () => {
  it("does not fire at once where the time is longer than a timer can wait", async () => {
    let fired = 0;
    const timers = [2 * MAX_TIMER_MS, Number.POSITIVE_INFINITY].map((ms) => startTimer(ms, () => fired++));
    await sleep(20);
    expect(fired).toBe(0);
    for (const timer of timers) clearTimeout(timer);
  });

  it("fires at once for a time that has passed", async () => {
    await new Promise<void>((resolve) => startTimer(-1, resolve));
  });

  it("stops sleeping when the signal comes, and does not start where it has come", async () => {
    const stop = new AbortController();
    const asleep = sleep(MAX_TIMER_MS, stop.signal);
    stop.abort();
    await asleep;
    await sleep(MAX_TIMER_MS, stop.signal);
  });
});
