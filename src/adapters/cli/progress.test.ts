import { describe, expect, it } from "vitest";
import { systemClock } from "../../base/clock.ts";
import { displayWidth } from "../../base/display-width.ts";
import { makeProgress, type ProgressStep } from "./progress.ts";

/** Progress with a controllable clock, and the texts that it wrote. */
function setUp(columns: number | null) {
  const written: string[] = [];
  let ms = 0;
  const progress = makeProgress({
    clock: { ...systemClock, monotonicMs: () => ms },
    write: (text) => void (text !== "" && written.push(text)),
    columns: columns === null ? null : () => columns,
  });
  const at = (second: number, done: number, phase: ProgressStep["phase"] = "code", total = 1_000) => {
    ms = second * 1_000;
    progress.show({ phase, done, total });
  };
  return { progress, written, at };
}

const lineOf = (text: string | undefined) => text?.replace("\r\u001b[2K", "");

describe("[K 2] the progress of a build", () => {
  it("is one line: done, total, rate and time left", () => {
    const { at, written, progress } = setUp(80);
    at(0, 0);
    at(2, 200);
    at(4, 500);
    at(4.01, 510);
    expect(written.map(lineOf)).toEqual([
      "Reading code  ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  0/1000 files",
      "Reading code  ██████░░░░░░░░░░░░░░░░░░░░░░░░  200/1000 files  100/s  8 s left",
      "Reading code  ███████████████░░░░░░░░░░░░░░░  500/1000 files  125/s  4 s left",
    ]);
    progress.clear();
    expect(written.at(-1)).toBe("\r\u001b[2K");
  });

  it("measures the rate of the last seconds, and starts over in each phase", () => {
    const { at, written } = setUp(80);
    at(0, 900, "text");
    at(1, 100);
    at(2, 200);
    at(100, 300);
    at(101, 310);
    expect(lineOf(written.at(-1))).toContain("310/1000 files  10/s  69 s left");
    at(102, 0, "history", 0);
    expect(lineOf(written.at(-1))).toBe("Reading history");
  });

  it.each([20, 40, 60, 80, 200])("fits a terminal of %i columns", (columns) => {
    const { at, written } = setUp(columns);
    at(0, 0, "code", 123_456);
    at(60, 4_000, "code", 123_456);
    for (const line of written.map(lineOf)) expect(displayWidth(line ?? "")).toBeLessThan(columns);
    expect(lineOf(written.at(-1))).toMatch(columns < 40 ? /^Reading code {2}\d/ : /4000\/123456 files/);
  });

  it("is a plain line now and then without a terminal, and none for a short build", () => {
    const { at, written, progress } = setUp(null);
    at(1, 100);
    at(9, 200);
    expect(written).toEqual([]);
    at(11, 300);
    at(12, 400);
    at(22, 500);
    progress.clear();
    expect(written).toEqual(["Reading code: 300 of 1000 files\n", "Reading code: 500 of 1000 files\n"]);
  });

  it("leaves a clean line when stopped, and says what happens to the work", () => {
    const early = setUp(80);
    early.at(0, 0, "text");
    early.progress.stop();
    expect(early.written.at(-1)).toMatch(/^Stopped\. Texts are kept in large parts; .*\n$/);
    const waiting = setUp(80);
    waiting.at(0, 0, "waiting", 0);
    waiting.progress.stop();
    expect(waiting.written.at(-1)).toBe("Stopped. The other process continues to build this index.\n");
    const { at, written, progress } = setUp(80);
    at(0, 0);
    progress.stop();
    expect(written.slice(1)).toEqual([
      "\r\u001b[2K",
      "Stopped. Finished work is kept; the next build continues from there.\n",
    ]);
  });
});
