import { beforeAll, describe, expect, it } from "vitest";
import { makeRepo } from "../../tests/support/git-repo.ts";
import { callTool, type IndexedRepo, makeIndexable, makeIndexedRepo } from "../../tests/support/indexed-repo.ts";
import { SHOP } from "../../tests/support/shop-repo.ts";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { systemClock } from "../base/clock.ts";
import { makeFileEngine } from "../engine/engine.ts";
import { hotspotTool } from "./hotspot.ts";

interface Spot {
  readonly file: string;
  readonly score: number;
}

const again = (paths: readonly string[], text: string) =>
  Object.fromEntries(paths.map((path) => [path, `${SHOP[path]}\n// ${text}\n`]));

let repo: IndexedRepo;
beforeAll(async () => {
  const root = makeRepo([
    { files: SHOP, subject: "begin", at: "2025-01-01T00:00:00Z" },
    { files: again(["src/price.ts"], "old"), subject: "long ago", at: "2025-01-02T00:00:00Z" },
    { files: again(["src/rates.ts", "notes/说明.md"], "1"), subject: "1", at: "2026-01-02T00:00:00Z" },
    { files: again(["src/rates.ts"], "2"), subject: "2", at: "2026-01-03T00:00:00Z" },
    { files: again(["src/price.ts", "src/rates.ts"], "3"), subject: "3", at: "2026-01-25T00:00:00Z", author: "李雷" },
    { files: again(["src/price.ts"], "4"), subject: "4", at: "2026-01-26T00:00:00Z" },
  ]);
  repo = await makeIndexedRepo(root);
});

const ask = (args: Readonly<Record<string, unknown>>, of = repo) => callTool(of, "ci_hotspot", args);
const spotsIn = (data: Record<string, unknown> | undefined) => (data?.["hotspots"] ?? []) as Spot[];
const filesIn = (data: Record<string, unknown> | undefined) => spotsIn(data).map(({ file }) => file);

describe("ci_hotspot", () => {
  it("multiplies commits by complexity and reports the trend, counted back from the newest commit", async () => {
    const { result, limits } = await ask({});
    expect(result.data).toEqual({
      schema_version: "1.0",
      hotspots: [
        {
          ...{ file: "src/price.ts", score: 8, commits: 2, authors: 2, complexity: 4 },
          ...{ trend: "rising", last_change: "2026-01-26T00:00:00Z" },
        },
        {
          ...{ file: "src/rates.ts", score: 9, commits: 3, authors: 2, complexity: 3 },
          ...{ trend: "falling", last_change: "2026-01-25T00:00:00Z" },
        },
      ].sort((a, b) => b.score - a.score),
      metadata: { days: 30, from: "2025-12-27T00:00:00Z", until: "2026-01-26T00:00:00Z" },
    });
    expect(limits).toEqual([]);
  });

  it("respects top, days and path", async () => {
    expect(filesIn((await ask({ top: 1 })).result.data)).toEqual(["src/rates.ts"]);
    expect(filesIn((await ask({ days: 5 })).result.data)).toEqual(["src/price.ts", "src/rates.ts"]);
    expect(filesIn((await ask({ days: 3_650 })).result.data)).toEqual(["src/price.ts", "src/rates.ts"]);
    expect(filesIn((await ask({ path: "src/price.ts" })).result.data)).toEqual(["src/price.ts"]);
    expect(filesIn((await ask({ path: "examples" })).result.data)).toEqual([]);
  });

  it("formats a table", async () => {
    const { result } = await ask({ format: "text", top: 1 });
    expect(result.data?.["text"]).toBe(
      [
        "score  commits  authors  complexity  trend    changed     file",
        "    9        3        2           3  falling  2026-01-25  src/rates.ts",
      ].join("\n"),
    );
  });

  it("ranks by complexity alone without history, and reports that", async () => {
    const { result, limits } = await ask({}, await makeIndexedRepo(makeFolder(SHOP)));
    expect(spotsIn(result.data)[0]).toEqual({
      ...{ file: "src/price.ts", score: 4, commits: 0, authors: 0, complexity: 4 },
      ...{ trend: "unknown", last_change: null },
    });
    expect(limits).toEqual(["ci_hotspot: no history available; ranked by complexity alone"]);
  });

  it("reads the files that it names without an index", async () => {
    const { result, limits } = await ask({}, makeIndexable(repo.root));
    expect(filesIn(result.data)).toEqual(["src/rates.ts", "src/price.ts"]);
    expect(limits).toEqual([expect.stringContaining("not indexed yet")]);
  });

  it.each([
    ["../..", "outside the repository"],
    ["nowhere", "no such file"],
  ])("refuses a missing path: %s", async (path, message) => {
    const { fault } = await ask({ path });
    expect([fault?.code, fault?.message]).toEqual(["E_REPO_ROOT", expect.stringContaining(message)]);
  });

  it("returns findings with the numbers", async () => {
    const { result } = await ask({ top: 1 });
    expect(hotspotTool(makeFileEngine(systemClock)).toFindings(result.data ?? {})).toEqual([
      expect.objectContaining({
        path: "src/rates.ts",
        confidence: 9,
        summary: "3 commits by 2 authors, complexity 3, falling",
      }),
    ]);
  });
});
