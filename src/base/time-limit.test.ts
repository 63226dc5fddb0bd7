import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { isTimeUp, limitTime } from "./timers.ts";

describe("a time limit", () => {
  it("aborts when the time is up", async () => {
    const { signal } = limitTime(new AbortController().signal, 20);
    expect(signal.aborted).toBe(false);
    await sleep(60);
    expect([signal.aborted, isTimeUp(signal)]).toEqual([true, true]);
  });

  it("aborts with the given signal, even if it was aborted before", () => {
    const given = new AbortController();
    const { signal } = limitTime(given.signal, 60_000);
    given.abort(143);
    expect([signal.aborted, signal.reason, isTimeUp(signal)]).toEqual([true, 143, false]);
    expect(limitTime(AbortSignal.abort(130), 60_000).signal.reason).toBe(130);
  });

  it("does not abort after its release, nor immediately for a time longer than any timer", async () => {
    const given = new AbortController();
    const released = limitTime(given.signal, 10);
    released.release();
    given.abort();
    const long = limitTime(new AbortController().signal, Number.MAX_SAFE_INTEGER);
    await sleep(40);
    expect([released.signal.aborted, long.signal.aborted]).toEqual([false, false]);
    long.release();
  });

  it("is not garbage-collected", () => {
    const script = `
      import { limitTime } from ${JSON.stringify(join(import.meta.dirname, "timers.ts"))};
      const wait = () => new Promise((resolve) =>
        limitTime(new AbortController().signal, 100).signal.addEventListener("abort", resolve, { once: true }));
      const alive = setInterval(() => globalThis.gc(), 5);
      wait().then(() => { clearInterval(alive); console.log("came"); });
      setTimeout(() => process.exit(1), 5_000).unref();`;
    const esbuild = join(import.meta.dirname, "../../node_modules/.bin/esbuild");
    const source = execFileSync(esbuild, ["--bundle", "--platform=node", "--format=cjs", "--log-level=error"], {
      input: script,
      cwd: import.meta.dirname,
    });
    const said = execFileSync(process.execPath, ["--expose-gc", "-"], { input: source, encoding: "utf8" });
    expect(said).toBe("came\n");
  });
});
