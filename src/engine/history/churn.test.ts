import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countChurn } from "./churn.ts";

const commit = (atMs: number, files: readonly string[], author = "Ada") => ({
  id: "",
  subject: "",
  atMs,
  files,
  author,
});

describe("changes of files within a period", () => {
  it("are counted by commit and author, and by half of the period", () => {
    const commits = [
      commit(90, ["late.ts", "both.ts"], "李雷"),
      commit(80, ["late.ts"]),
      commit(50, ["early.ts"]),
      commit(10, ["both.ts"]),
    ];
    expect(Object.fromEntries(countChurn({ commits, fromMs: 0, untilMs: 100, isCut: false }))).toEqual({
      "late.ts": { commits: 2, authors: 2, lastAtMs: 90, trend: "rising" },
      "both.ts": { commits: 2, authors: 2, lastAtMs: 90, trend: "steady" },
      "early.ts": { commits: 1, authors: 1, lastAtMs: 50, trend: "falling" },
    });
  });

  it("are counted once each, whatever the files are called", () => {
    const name = fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor"));
    const made = fc.record({ atMs: fc.integer({ min: 0, max: 100 }), files: fc.uniqueArray(name), author: name });
    fc.assert(
      fc.property(fc.array(made), (wishes) => {
        const commits = wishes.map(({ atMs, files, author }) => commit(atMs, files, author));
        const churn = countChurn({ commits, fromMs: 0, untilMs: 100, isCut: false });
        const counted = [...churn.values()].reduce((sum, own) => sum + own.commits, 0);
        expect(counted).toBe(commits.reduce((sum, { files }) => sum + files.length, 0));
      }),
    );
  });
});
