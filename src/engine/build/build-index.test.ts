import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { grammarFolder } from "../../../tests/support/grammars.ts";
import { makeIndexable, makeIndexedRepo } from "../../../tests/support/indexed-repo.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { systemClock } from "../../base/clock.ts";
import { claimOwn } from "../../base/file-lock.ts";
import { FileParser } from "../parse/file-parser.ts";
import { INDEX_FILES, openReader } from "../store/database.ts";
import { IndexStore } from "../store/index-store.ts";
import { buildIndex } from "./build-index.ts";
import { type JobRunner, makeInlineRunner } from "./pool.ts";

const source = (name: string, called = "") =>
  `export function ${name}() {\n  return ${called === "" ? "1" : `${called}()`};\n}\n`;
const files = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`src/f${at}.ts`, source(`fun${at}`)]));

function read<T>(folder: string, ask: (store: IndexStore) => T): T {
  const database = openReader(join(folder, INDEX_FILES.database));
  if (database === null) throw new Error("no index");
  try {
    return ask(new IndexStore(database));
  } finally {
    database.close();
  }
}

describe("building an index", () => {
  it("reads each file once and nothing again", async () => {
    const repo = makeIndexable(makeFolder(files(3)));
    expect(await repo.build()).toEqual({ outcome: "done", files: 3, changed: 3, removed: 0, taken: 0 });
    expect(await repo.build()).toEqual({ outcome: "done", files: 3, changed: 0, removed: 0, taken: 0 });
    expect(read(repo.folder, (store) => store.state())).toMatchObject({ root: repo.root, phase: "done", files: 3 });
  });

  it("runs one build at a time; a dead builder blocks nobody", async () => {
    const repo = makeIndexable(makeFolder(files(1)));
    await repo.build();
    const claimed = claimOwn(join(repo.folder, INDEX_FILES.lock));
    expect(await repo.build()).toMatchObject({ outcome: "busy" });
    claimed?.release();
    expect(await repo.build()).toMatchObject({ outcome: "done" });
  });

  it("stores code that was parsed early only after all text is indexed", async () => {
    const repo = makeIndexable(makeFolder(files(3)));
    const parser = new FileParser({ folder: grammarFolder, clock: systemClock });
    const inline = makeInlineRunner({ parser, clock: systemClock });
    const stop = new AbortController();
    let tellCode = () => {};
    const code = new Promise<void>((resolve) => {
      tellCode = resolve;
    });
    const runner: JobRunner = {
      ...inline,
      run: async (job, threads) => {
        if (job.kind === "text") {
          await code;
          stop.abort();
        }
        const result = await inline.run(job, threads);
        tellCode();
        return result;
      },
    };
    const { root, folder } = repo;
    const request = { root, folder, runner, past: null, clock: systemClock, signal: stop.signal, onProgress: () => {} };
    expect(await buildIndex(request)).toMatchObject({ outcome: "cancelled" });
    expect(read(folder, (store) => store.code.parsedStamps())).toEqual(new Map());
    expect(await repo.build()).toMatchObject({ outcome: "done" });
    expect(read(folder, (store) => store.code.symbols("src/f1.ts").map(({ name }) => name))).toEqual(["fun1"]);
  });

  it("updates calls when their target is added, removed or moved", async () => {
    const root = makeFolder({
      "a.ts": `import { far } from "./b.ts";\n${source("near", "far")}`,
      "b.ts": source("other"),
    });
    const repo = await makeIndexedRepo(root);
    const callsOfA = () =>
      read(repo.folder, (store) =>
        store.code
          .edges("a.ts")
          ?.unpack()
          .calls.map(({ to }) => `${to.path} ${to.name}`),
      );
    expect(callsOfA()).toEqual([]);
    writeFileSync(join(root, "b.ts"), `${source("other")}${source("far")}`);
    await repo.build();
    expect(callsOfA()).toEqual(["b.ts far"]);
    writeFileSync(join(root, "b.ts"), source("other"));
    await repo.build();
    expect(callsOfA()).toEqual([]);
  });

  it("parses a script without an extension in the language of its first line, as long as it has one", async () => {
    const root = makeFolder({
      "bin/report": "#!/usr/bin/env python3\nfrom lib.tax import rate\n\ndef report():\n    return rate()\n",
      "lib/tax.py": "def rate():\n    return 1\n",
      "tools/deploy": "#!/bin/bash\nstop_all() {\n  echo stop\n}\nstop_all\n",
      LICENSE: "All rights reserved.\n",
    });
    const repo = await makeIndexedRepo(root);
    const symbols = (path: string) => read(repo.folder, (store) => store.code.symbols(path).map(({ name }) => name));
    const calls = (path: string) =>
      read(
        repo.folder,
        (store) =>
          store.code
            .edges(path)
            ?.unpack()
            .calls.map(({ to }) => `${to.path} ${to.name}`) ?? null,
      );
    expect([symbols("bin/report"), symbols("tools/deploy"), symbols("LICENSE")]).toEqual([
      ["report"],
      ["stop_all"],
      [],
    ]);
    expect([calls("bin/report"), calls("tools/deploy"), calls("LICENSE")]).toEqual([
      ["lib/tax.py rate"],
      ["tools/deploy stop_all"],
      null,
    ]);
    writeFileSync(join(root, "bin/report"), "def report(): once it was code\n");
    expect((await repo.build()).changed).toBe(1);
    expect([symbols("bin/report"), calls("bin/report")]).toEqual([[], null]);
    expect(read(repo.folder, (store) => store.code.parsedStamp("bin/report"))).toBeNull();
  });

  it("merges the segments of many small changes", async () => {
    const root = makeFolder(files(4));
    const repo = await makeIndexedRepo(root);
    for (let round = 0; round < 30; round++) {
      writeFileSync(join(root, `src/f${round % 4}.ts`), source(`round${round}`));
      await repo.build();
    }
    const segments = read(repo.folder, (store) => store.segments());
    expect(segments.length).toBeLessThan(10);
    const { index } = await repo.engine().open(root, {
      signal: new AbortController().signal,
      timeLeftMs: () => 5_000,
      isExcluded: () => false,
      usesIndex: true,
    });
    expect(index.fileCount).toBe(4);
    expect(index.definitionsNamed("round29").map(({ file }) => index.pathOf(file))).toEqual(["src/f1.ts"]);
    expect(index.definitionsNamed("round28").map(({ file }) => index.pathOf(file))).toEqual(["src/f0.ts"]);
    expect(index.definitionsNamed("round0")).toEqual([]);
  });

  it("keeps the code of files that are read again only to merge segments", async () => {
    // A definition that only the grammar finds, because its name is on a line of its own.
    const root = makeFolder({ ...files(4), "src/odd.ts": "export default class\n  Unusual {}\n" });
    const repo = await makeIndexedRepo(root);
    for (let round = 0; round < 30; round++) {
      writeFileSync(join(root, `src/f${round % 4}.ts`), source(`round${round}`));
      await repo.build();
    }
    const { index } = await repo.engine().open(root, {
      signal: new AbortController().signal,
      timeLeftMs: () => 5_000,
      isExcluded: () => false,
      usesIndex: true,
    });
    expect(index.definitionsIn(index.fileAt("src/odd.ts") ?? -1).map(({ name }) => name)).toEqual(["Unusual"]);
  });

  it("makes the index readable by its owner only", async () => {
    const repo = await makeIndexedRepo(makeFolder(files(1)));
    expect(statSync(repo.folder).mode & 0o077).toBe(0);
    expect(
      readdirSync(repo.folder).filter((name) => !name.startsWith("index.db") && name !== INDEX_FILES.lock),
    ).toEqual([]);
  });

  it("indexes Chinese names, odd paths and empty files like any others", async () => {
    const root = makeFolder({
      "订单/退款.ts": source("refund"),
      "a b/c'd.ts": source("odd"),
      "empty.ts": "",
      "no-newline.py": "def last(): pass",
    });
    const repo = await makeIndexedRepo(root);
    expect(read(repo.folder, (store) => store.code.symbols("订单/退款.ts").map(({ name }) => name))).toEqual([
      "refund",
    ]);
    expect(
      read(repo.folder, (store) => store.segments().flatMap(({ catalogue }) => catalogue.paths)).toSorted(),
    ).toEqual(["a b/c'd.ts", "empty.ts", "no-newline.py", "订单/退款.ts"].toSorted());
  });
});
