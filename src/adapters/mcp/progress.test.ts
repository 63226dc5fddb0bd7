import { describe, expect, it } from "vitest";
import { makeReporter } from "./progress.ts";

describe("progress of a call", () => {
  it("only increases, at most ten times a second", () => {
    let nowMs = 0;
    const sent: unknown[] = [];
    const report = makeReporter(
      "token",
      () => nowMs,
      (params) => sent.push(params),
    );
    report({ done: 0, of: 4, message: "begins" });
    report({ done: 1 });
    nowMs = 100;
    report({ done: 2 });
    nowMs = 200;
    report({ done: 2 });
    report({ done: 1 });
    nowMs = 201;
    report({ done: 3, of: 4 });
    expect(sent).toEqual([
      { progressToken: "token", progress: 0, total: 4, message: "begins" },
      { progressToken: "token", progress: 2 },
      { progressToken: "token", progress: 3, total: 4 },
    ]);
  });
});
