import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callTool, type IndexedRepo, makeIndexable } from "../../tests/support/indexed-repo.ts";
import { makeFolder } from "../../tests/support/temp-folder.ts";

const statusOf = async (repo: IndexedRepo, args = {}) =>
  (await callTool(repo, "ci_index_status", args)).result.data?.["index_status"];

describe("the status of an index", () => {
  it("is ready only while the files are as they were indexed", async () => {
    const repo = makeIndexable(makeFolder({ "a.ts": "export const a = 1;\n", "b.py": "def b():\n    pass\n" }));
    expect(await statusOf(repo)).toBe("none (live scan)");
    await repo.build();
    expect(await statusOf(repo)).toBe("ready (2 files)");

    writeFileSync(join(repo.root, "a.ts"), "export const other = 2;\n");
    expect(await statusOf(repo)).toBe("behind (2 files, changes still to come)");
    await repo.build();
    expect(await statusOf(repo)).toBe("ready (2 files)");

    rmSync(join(repo.root, "b.py"));
    expect(await statusOf(repo)).toBe("behind (2 files, changes still to come)");
    await repo.build();
    expect(await statusOf(repo)).toBe("ready (1 file)");

    writeFileSync(join(repo.root, "c.go"), "package c\n");
    expect(await statusOf(repo)).toBe("behind (1 file, changes still to come)");
    const cleared = await callTool(repo, "ci_index", { action: "clear" });
    expect(cleared.result.data).toEqual({ schema_version: "1.0", index_status: "cleared" });
    expect(await statusOf(repo)).toBe("none (live scan)");
  });

  it.each(["build", "clear"])("[G A.7] refuses %s and names the tool that may write", async (action) => {
    const repo = makeIndexable(makeFolder({ "a.ts": "export const a = 1;\n" }));
    const { fault, result } = await callTool(repo, "ci_index_status", { action });
    expect(fault?.code).toBe("E_INVALID_ARGS");
    expect(result.error.message).toContain("ci_index");
    for (const origin of ["auto", "subagent", "library"] as const)
      expect((await callTool(repo, "ci_index", { action }, { origin })).fault?.code).toBe("E_TOOL_UNAVAILABLE");
    expect((await callTool(repo, "ci_index", { action }, { origin: "mcp" })).fault).toBeNull();
  });
});
