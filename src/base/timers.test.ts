import { describe, expect, it } from "vitest";
import { MAX_TIMER_MS, sleep, startTimer } from "./timers.ts";

describe("timers", () => {
  it("does not fire immediately if the delay exceeds the maximum of a timer", async () => {
    let fired = 0;
    const timers = [2 * MAX_TIMER_MS, Number.POSITIVE_INFINITY].map((ms) => startTimer(ms, () => fired++));
    await sleep(20);
    expect(fired).toBe(0);
    for (const timer of timers) clearTimeout(timer);
  });

  it("fires immediately for a negative delay", async () => {
    await new Promise<void>((resolve) => startTimer(-1, resolve));
  });

  it("stops sleeping when the signal is aborted, and does not start if it was aborted before", async () => {
    const stop = new AbortController();
    const asleep = sleep(MAX_TIMER_MS, stop.signal);
    stop.abort();
    await asleep;
    await sleep(MAX_TIMER_MS, stop.signal);
  });
});
