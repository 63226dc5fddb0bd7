import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type IndexedRepo, makeIndexedRepo } from "../../../tests/support/indexed-repo.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { systemClock } from "../../base/clock.ts";
import { excludeNothing } from "../../base/exclusions.ts";
import { compareWithDisk } from "../repository.ts";
import { INDEX_FILES } from "../store/database.ts";
import { keepReaders } from "../store/readers.ts";
import { makeRepositoryWatches } from "./repository-watches.ts";

const budget = {
  signal: new AbortController().signal,
  timeLeftMs: () => 60_000,
  isExcluded: excludeNothing,
  usesIndex: true,
};
const FILES = {
  ".gitignore": "out/\n*.log\n",
  "a.ts": "export const a = 1;\n",
  "src/b.ts": "export const b = 2;\n",
  "src/deep/c.ts": "export const c = 3;\n",
  "src/deep/deeper/d.ts": "export const d = 4;\n",
  "lib/e.ts": "export const e = 5;\n",
};

/** A watched repository; `compare` returns its changes, according to the watch or to a full comparison. */
async function watchRepo(files: Readonly<Record<string, string>> = FILES) {
  const repo = await makeIndexedRepo(makeFolder(files));
  const readers = keepReaders();
  const watches = makeRepositoryWatches(systemClock);
  const open = () => {
    const store = readers.open(join(repo.folder, INDEX_FILES.database));
    if (store === null) throw new Error("no index");
    return store;
  };
  const compare = (isWhole: boolean) => {
    const store = open();
    try {
      const stored = readers.viewOf(store);
      const { changes } = isWhole
        ? compareWithDisk(repo.root, stored, systemClock, budget)
        : watches.compare(repo.root, stored, budget);
      return { changed: changes.changed, removed: changes.removed, complete: changes.complete };
    } finally {
      readers.release(store);
    }
  };
  const settle = async () => {
    compare(false);
    await expect.poll(() => watches.stateOf(repo.root)).toBe("unverified");
    compare(false);
  };
  const agrees = () => expect.poll(() => compare(false)).toEqual(compare(true));
  return { repo, watches, compare, settle, agrees };
}

const write = ({ root }: IndexedRepo, path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

describe("[R-4] watched repositories know their changes", () => {
  it("[R-4] an indexed folder that was deleted and recreated is listed again at the first question", async () => {
    const { repo, watches, compare, settle } = await watchRepo();
    await settle();
    const isHeard = (folder: string) => watches.suspectsOf(repo.root, new Map())?.folders.has(folder);
    rmSync(join(repo.root, "src/deep"), { recursive: true });
    await expect.poll(() => isHeard("src/")).toBe(true);
    await expect.poll(() => compare(false).removed).toContain("src/deep/c.ts");
    write(repo, "src/deep/new.ts", "export const fresh = 1;\n");
    await expect.poll(() => isHeard("src/")).toBe(true);
    expect(compare(false)).toEqual(compare(true));
  });

  it("[R-4] folders that are not indexed stay watched: empty ones and those with only subfolders", async () => {
    const { repo, settle, agrees, compare } = await watchRepo();
    await settle();
    write(repo, "new/one/f.ts", "export const f = 6;\n");
    mkdirSync(join(repo.root, "empty"));
    await agrees();
    for (let asked = 0; asked < 5; asked++) compare(false);
    write(repo, "new/two/g.ts", "export const g = 7;\n");
    write(repo, "empty/h.ts", "export const h = 8;\n");
    await expect.poll(() => compare(false).changed).toEqual(["empty/h.ts", "new/one/f.ts", "new/two/g.ts"]);
    rmSync(join(repo.root, "new"), { recursive: true });
    await agrees();
    for (let asked = 0; asked < 5; asked++) compare(false);
    write(repo, "new/two/i.ts", "export const i = 9;\n");
    await agrees();
  });

  it("notice an edit, a new file in new nested folders, a deleted folder and a renamed one", async () => {
    const { repo, settle, agrees, compare } = await watchRepo();
    await settle();
    write(repo, "src/b.ts", "export const b = 22;\n");
    write(repo, "new/very/deep/f.ts", "export const f = 6;\n");
    rmSync(join(repo.root, "lib"), { recursive: true });
    renameSync(join(repo.root, "src/deep"), join(repo.root, "src/other"));
    await agrees();
    expect(compare(false)).toMatchObject({
      changed: ["new/very/deep/f.ts", "src/b.ts", "src/other/c.ts", "src/other/deeper/d.ts"],
      removed: ["lib/e.ts", "src/deep/c.ts", "src/deep/deeper/d.ts"],
    });
    write(repo, "new/very/deep/g.ts", "export const g = 7;\n");
    write(repo, "src/other/deeper/d.ts", "export const d = 44;\n");
    await agrees();
  });

  it("report ignored files only once they are no longer ignored", async () => {
    const { repo, settle, agrees, compare } = await watchRepo();
    await settle();
    for (let at = 0; at < 50; at++) write(repo, `out/${at}.ts`, "export const built = 1;\n");
    write(repo, "src/x.log", "a line\n");
    await agrees();
    expect(compare(false).changed).toEqual([]);
    write(repo, ".gitignore", "*.log\n");
    await agrees();
    expect(compare(false).changed).toHaveLength(51);
  });

  it("clear suspects once the index is up to date, and compare everything with a new index", async () => {
    const { repo, settle, agrees, compare } = await watchRepo();
    await settle();
    write(repo, "src/b.ts", "export const b = 22;\n");
    await agrees();
    await repo.build();
    await agrees();
    expect(compare(false)).toEqual({ changed: [], removed: [], complete: true });
    repo.engine().clear(repo.root);
    await repo.build();
    write(repo, "lib/h.ts", "export const h = 8;\n");
    await agrees();
  });

  it("notice a work tree that is deleted and cloned again, and one with every file rewritten", async () => {
    const { repo, settle, agrees } = await watchRepo();
    await settle();
    rmSync(repo.root, { recursive: true });
    for (const [path, text] of Object.entries({ ...FILES, "src/b.ts": "export const other = 0;\n" }))
      write(repo, path, text);
    await agrees();
    for (let at = 0; at < 3_000; at++) write(repo, `many/${at % 30}/${at}.ts`, `export const n = ${at};\n`);
    rmSync(join(repo.root, "many/7"), { recursive: true });
    await agrees();
  });

  it("omit excluded paths from one answer, not from the next", async () => {
    const { repo, watches, settle } = await watchRepo();
    await settle();
    write(repo, "src/b.ts", "export const b = 22;\n");
    const readers = keepReaders();
    const store = readers.open(join(repo.folder, INDEX_FILES.database));
    if (store === null) throw new Error("no index");
    const changedWithout = (isExcluded: (path: string) => boolean) =>
      watches.compare(repo.root, readers.viewOf(store), { ...budget, isExcluded }).changes.changed;
    await expect.poll(() => changedWithout(excludeNothing)).toEqual(["src/b.ts"]);
    expect(changedWithout((path) => path.startsWith("src/"))).toEqual([]);
    expect(changedWithout(excludeNothing)).toEqual(["src/b.ts"]);
  });

  it("agree with a full comparison, whatever happens to the files", async () => {
    const path = fc.constantFrom(
      "a.ts",
      "src/b.ts",
      "src/deep/c.ts",
      "new/f.ts",
      "new/in/g.ts",
      "new/beside/h.ts",
      "lib/e.ts",
      "src/x.log",
    );
    const folder = fc.constantFrom("src", "src/deep", "new", "new/in", "lib");
    const step = fc.oneof(
      fc.record({ kind: fc.constant("write" as const), path, text: fc.string({ maxLength: 8 }) }),
      fc.record({ kind: fc.constant("remove" as const), path: fc.oneof(path, folder) }),
      fc.record({ kind: fc.constant("move" as const), path: folder, to: fc.constantFrom("src/moved", "lib", "new") }),
      fc.record({ kind: fc.constant("touch" as const), path: folder }),
      fc.record({ kind: fc.constant("make" as const), path: fc.oneof(folder, fc.constant("new/beside")) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 4 }), { minLength: 1, maxLength: 4 }), async (rounds) => {
        const { repo, watches, settle, agrees, compare } = await watchRepo();
        await settle();
        for (const steps of rounds) {
          for (const one of steps) {
            try {
              if (one.kind === "write") write(repo, one.path, one.text);
              else if (one.kind === "remove") rmSync(join(repo.root, one.path), { recursive: true, force: true });
              else if (one.kind === "move") renameSync(join(repo.root, one.path), join(repo.root, one.to));
              else if (one.kind === "make") mkdirSync(join(repo.root, one.path), { recursive: true });
              else utimesSync(join(repo.root, one.path), new Date(), new Date());
            } catch {
              // A file is in the way of a folder, or the reverse: skip this step.
            }
          }
          await agrees();
          // Further queries must not lose known changes.
          for (let asked = 0; asked < 3; asked++) compare(false);
        }
        watches.release(repo.root);
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });
});
