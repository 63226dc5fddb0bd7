import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callTool, type IndexedRepo, makeIndexable } from "../../tests/support/indexed-repo.ts";
import { makeFolder } from "../../tests/support/temp-folder.ts";

const statusOf = async (repo: IndexedRepo, args = {}) =>
  (await callTool(repo, "ci_index_status", args)).result.data?.["index_status"];

describe("the status of an index", () => {
  it("is ready only as long as the files are as they were indexed", async () => {
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
    expect(await statusOf(repo)).toBe("ready (1 files)");

    writeFileSync(join(repo.root, "c.go"), "package c\n");
    expect(await statusOf(repo)).toBe("behind (1 files, changes still to come)");
    expect(await statusOf(repo, { action: "clear" })).toBe("cleared");
    expect(await statusOf(repo)).toBe("none (live scan)");
  });
});
