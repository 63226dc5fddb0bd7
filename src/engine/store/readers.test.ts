import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeIndexable } from "../../../tests/support/indexed-repo.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { INDEX_FILES, removeDatabase } from "./database.ts";
import { keepReaders } from "./readers.ts";

describe("readers of a process that stays", () => {
  it("an index is opened once, and what is read is what is on disk now", async () => {
    const repo = makeIndexable(makeFolder({ "a.ts": "export const a = 1;\n" }));
    const file = join(repo.folder, INDEX_FILES.database);
    const readers = keepReaders();
    expect(readers.open(file)).toBeNull();

    await repo.build();
    const first = readers.open(file);
    expect(first?.state()).toMatchObject({ phase: "done", files: 1 });
    if (first !== null) readers.release(first);
    writeFileSync(join(repo.root, "b.ts"), "export const b = 2;\n");
    await repo.build();
    expect(readers.open(file)).toBe(first);
    expect(first?.state()).toMatchObject({ files: 2 });

    removeDatabase(file);
    expect(readers.open(file)).toBeNull();
    await repo.build();
    const second = readers.open(file);
    expect(second).not.toBe(first);
    expect(second?.state()).toMatchObject({ phase: "done", files: 2 });
  });

  it("what is no index counts as none, until it is one", async () => {
    const repo = makeIndexable(makeFolder({ "a.ts": "export const a = 1;\n" }));
    const file = join(repo.folder, INDEX_FILES.database);
    writeFileSync(file, "not a database, but of some length, so that its header is looked at".repeat(20));
    const readers = keepReaders();
    expect(readers.open(file)).toBeNull();
    removeDatabase(file);
    await repo.build();
    expect(readers.open(file)?.state()).toMatchObject({ phase: "done" });
  });
});
