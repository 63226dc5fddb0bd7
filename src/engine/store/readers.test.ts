import { spawn } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { buildSync } from "esbuild";
import { describe, expect, it } from "vitest";
import { makeIndexable } from "../../../tests/support/indexed-repo.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { INDEX_FILES, readMark, removeDatabase } from "./database.ts";
import { keepReaders, NEW_READERS } from "./readers.ts";

describe("readers of a long-lived process", () => {
  it("open an index once and see what is on disk now", async () => {
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

  it("treat anything else as no index, until it is one", async () => {
    const repo = makeIndexable(makeFolder({ "a.ts": "export const a = 1;\n" }));
    const file = join(repo.folder, INDEX_FILES.database);
    writeFileSync(file, "not a database, but of some length, so that its header is looked at".repeat(20));
    const readers = keepReaders();
    expect(readers.open(file)).toBeNull();
    removeDatabase(file);
    await repo.build();
    expect(readers.open(file)?.state()).toMatchObject({ phase: "done" });
  });

  it("do not report a closed index as damaged", async () => {
    const repo = makeIndexable(makeFolder({ "a.ts": "export const a = 1;\n" }));
    await repo.build();
    const file = join(repo.folder, INDEX_FILES.database);
    const store = NEW_READERS.open(file);
    store?.close();
    expect(() => store?.state()).toThrow("closed");
    expect(readMark(file)).toBeNull();
  });
});

/** Repeatedly replaces the contents of an index with those of another one, and writes to it like a builder. */
const REPLACER = `
  const { cpSync } = require("node:fs");
  const [program, from, file] = process.argv.slice(1);
  const { openWriter, replaceContents } = require(program);
  for (let at = 0; at < 40; at++) {
    cpSync(from, file + ".new");
    replaceContents(file + ".new", file);
    const database = openWriter(file);
    database.exec("CREATE TABLE busy (x); INSERT INTO busy VALUES (1); DROP TABLE busy");
    database.close();
  }
`;

describe("[T-6] readers of an index that is being replaced", () => {
  it("see the old one or the new one, and report neither as damaged", async () => {
    const repo = makeIndexable(makeFolder({ "a.ts": "export const a = 1;\n" }));
    await repo.build();
    const file = join(repo.folder, INDEX_FILES.database);
    const from = join(makeFolder(), "copy.db");
    cpSync(file, from);
    const program = join(makeFolder(), "replacer.cjs");
    buildSync({
      stdin: {
        contents: 'export * from "./database.ts"; export * from "./replace-index.ts";',
        resolveDir: import.meta.dirname,
      },
      outfile: program,
      bundle: true,
      format: "cjs",
      platform: "node",
      // Where the program looks for SQLite.
      define: { "import.meta.dirname": JSON.stringify(import.meta.dirname) },
    });
    const child = spawn(process.execPath, ["-e", REPLACER, program, from, file], { stdio: "inherit" });
    let code: number | null | undefined;
    child.once("close", (ended) => {
      code = ended;
    });
    const seen = new Set<string>();
    while (code === undefined) {
      const store = NEW_READERS.open(file);
      try {
        seen.add(
          `${store?.state()?.phase} ${store?.segments().length} ${readMark(file)} ${NEW_READERS.damageOf(file)}`,
        );
      } catch (thrown) {
        seen.add(String(thrown));
      }
      if (store !== null) NEW_READERS.release(store);
      await setImmediate();
    }
    expect([code, ...seen]).toEqual([0, "done 1 null null"]);
  });
});
