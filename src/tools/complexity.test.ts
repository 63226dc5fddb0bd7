import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { callTool, type IndexedRepo, makeIndexable, makeIndexedRepo } from "../../tests/support/indexed-repo.ts";
import { SHOP } from "../../tests/support/shop-repo.ts";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { systemClock } from "../base/clock.ts";
import { makeFileEngine } from "../engine/engine.ts";
import { complexityTool } from "./complexity.ts";

interface Measured {
  readonly symbol: string;
  readonly cyclomatic: number;
}

let repo: IndexedRepo;
beforeAll(async () => {
  repo = await makeIndexedRepo(makeFolder({ ...SHOP, tool: "#!/bin/sh\ngreet() {\n  if true; then echo hi; fi\n}\n" }));
});

const ask = (args: Readonly<Record<string, unknown>>, of = repo) => callTool(of, "ci_complexity", args);
const functionsIn = (data: Record<string, unknown> | undefined) =>
  ((data?.["functions"] ?? []) as Measured[]).map(({ symbol, cyclomatic }) => [symbol, cyclomatic]);

describe("ci_complexity", () => {
  it("measures the functions of a file in source order", async () => {
    const { result, limits } = await ask({ path: "src/price.ts" });
    expect(result.data).toEqual({
      schema_version: "1.0",
      path: "src/price.ts",
      complexity: 4,
      functions: [{ file: "src/price.ts", line: 4, end_line: 8, symbol: "priceOf", cyclomatic: 4, cognitive: 3 }],
      metadata: { files: 1, functions: 1 },
    });
    expect([result.summary, limits]).toEqual(["1 function, cyclomatic 4 in all, most in priceOf (4)", []]);
  });

  it("measures a folder, the most complex first", async () => {
    const { result } = await ask({ path: "./src/" });
    expect(functionsIn(result.data).slice(0, 2)).toEqual([
      ["priceOf", 4],
      ["checkTotal", 2],
    ]);
    const { result: all } = await ask({ path: "." });
    expect(functionsIn(all.data).length).toBeGreaterThan(functionsIn(result.data).length);
  });

  it("formats a table", async () => {
    const { result } = await ask({ path: "src/price.ts", format: "text" });
    expect(result.data?.["text"]).toBe(
      [
        "cyclomatic  cognitive  place           function",
        "         4          3  src/price.ts:4  priceOf",
        "",
        "cyclomatic 4 in all",
      ].join("\n"),
    );
  });

  it("reads a file that is not indexed, or has changed since", async () => {
    const bare = makeIndexable(makeFolder(SHOP));
    expect(functionsIn((await ask({ path: "src/price.ts" }, bare)).result.data)).toEqual([["priceOf", 4]]);
    const changed = await makeIndexedRepo(makeFolder(SHOP));
    writeFileSync(join(changed.root, "src/price.ts"), "export function free(): number {\n  return 0;\n}\n");
    expect(functionsIn((await ask({ path: "src/price.ts" }, changed)).result.data)).toEqual([["free", 1]]);
  });

  it("recognises a script by its first line", async () => {
    expect(functionsIn((await ask({ path: "tool" })).result.data)).toEqual([["greet", 2]]);
  });

  it.each([
    ["../../etc/passwd", "E_REPO_ROOT", "outside the repository"],
    ["/etc/passwd", "E_REPO_ROOT", "outside the repository"],
    ["src/none.ts", "E_REPO_ROOT", "no such file"],
    [".env", "E_REPO_ROOT", "no such file"],
    ["notes/说明.md", "E_INVALID_ARGS", "has no functions"],
    ["notes", "E_INVALID_ARGS", "has no functions"],
    ["a\u0000b", "E_REPO_ROOT", "not a path"],
  ])("refuses a path without functions: %j", async (path, code, message) => {
    const { fault } = await ask({ path });
    expect([fault?.code, fault?.message]).toEqual([code, expect.stringContaining(message)]);
  });

  it("refuses an excluded path, and omits it from its folder", async () => {
    const isExcluded = (path: string) => path === "src/price.ts";
    const { fault } = await callTool(repo, "ci_complexity", { path: "src/price.ts" }, { isExcluded });
    expect(fault?.code).toBe("E_REPO_ROOT");
    const { result } = await callTool(repo, "ci_complexity", { path: "src" }, { isExcluded });
    expect(functionsIn(result.data).map(([name]) => name)).not.toContain("priceOf");
  });

  it("returns findings with the numbers", async () => {
    const { result } = await ask({ path: "src/price.ts" });
    expect(complexityTool(makeFileEngine(systemClock)).toFindings(result.data ?? {})).toEqual([
      expect.objectContaining({
        path: "src/price.ts",
        line: 4,
        symbol: "priceOf",
        summary: "cyclomatic 4, cognitive 3",
      }),
    ]);
  });

  it("lists the most complex function first", async () => {
    const { result } = await ask({ path: "src" });
    const found = complexityTool(makeFileEngine(systemClock)).toFindings(result.data ?? {}) ?? [];
    expect(found[0]).toMatchObject({ symbol: "priceOf", confidence: 1 });
    expect(found.map(({ confidence }) => confidence)).toEqual(
      found.map(({ confidence }) => confidence).toSorted((a, b) => b - a),
    );
  });
});
