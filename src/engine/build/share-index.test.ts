import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { git, makeRepo } from "../../../tests/support/git-repo.ts";
import { describeIndex, readAll } from "../../../tests/support/index-contents.ts";
import { callTool, makeIndexable, makeIndexedRepo } from "../../../tests/support/indexed-repo.ts";
import { type Step, TangledRepo } from "../../../tests/support/tangled-repo.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { claimOwn } from "../../base/file-lock.ts";
import { INDEX_FILES, openReader } from "../store/database.ts";
import { findSharedBases, shareAsBase } from "./share-index.ts";

const step = fc.record<Step>({
  kind: fc.constantFrom("write", "write", "write", "remove", "rename"),
  file: fc.nat({ max: 1_000 }),
  pieces: fc.nat({ max: 2 ** 14 }),
  shift: fc.nat({ max: 2 }),
});
const steps = fc.array(step, { minLength: 0, maxLength: 5 });

/** Two work trees of one repository, each with an index in the same state folder. */
function makePair() {
  const state = makeFolder();
  const one = new TangledRepo(makeFolder());
  const other = new TangledRepo(makeFolder());
  const first = makeIndexable(one.root, join(state, "index", "first"));
  const second = makeIndexable(other.root, join(state, "index", "second"), () => shareAsBase(first.folder, one.root));
  return { one, other, first, second };
}

describe("an index that is laid over that of another work tree", () => {
  it("[T-2] gives the answers of one built from scratch, whatever differs or changes, and so does the other index", async () => {
    await fc.assert(
      fc.asyncProperty(steps, steps, steps, fc.array(steps, { maxLength: 2 }), async (before, mine, theirs, later) => {
        const { one, other, first, second } = makePair();
        for (const change of before) one.change(change);
        await first.build();
        for (const change of mine) other.change(change);
        await second.build();
        for (const round of later) {
          for (const change of round) other.change(change);
          await second.build();
        }
        for (const change of theirs) one.change(change);
        await first.build();
        for (const repo of [first, second]) expect(describeIndex(repo)).toEqual({ bases: 1, mended: undefined });
        expect(readAll(second)).toEqual(readAll(await makeIndexedRepo(other.root)));
        expect(readAll(first)).toEqual(readAll(await makeIndexedRepo(one.root)));
      }),
      { numRuns: 20 },
    );
  });

  it("[T-2] leaves the base intact when a file changes again, although segments of both have the same numbers", async () => {
    const { one, other, first, second } = makePair();
    one.change({ kind: "write", file: 247, pieces: 0, shift: 0 });
    await first.build();
    const { files } = await second.build();
    other.change({ kind: "write", file: 247, pieces: 1, shift: 0 });
    expect(await second.build()).toMatchObject({ files });
    other.change({ kind: "write", file: 247, pieces: 2, shift: 0 });
    expect(await second.build()).toMatchObject({ files });
    expect(readAll(second)).toEqual(readAll(await makeIndexedRepo(other.root)));
  });

  it("[T-2] answers like one built from scratch and reads only the differences", async () => {
    const { one, other, first, second } = makePair();
    await first.build();
    writeFileSync(join(other.root, "web/new.ts"), "export function onlyHere() {\n  return 1;\n}\n");
    const report = await second.build();
    expect(report).toMatchObject({ outcome: "done", changed: 1, removed: 0 });
    const fresh = await makeIndexedRepo(other.root);
    for (const [tool, args] of [
      ["ci_search", { query: "how is the area made?" }],
      ["ci_search", { query: "onlyHere" }],
      ["ci_search", { query: "who calls open?" }],
    ] as const) {
      const [shared, alone] = [await callTool(second, tool, args), await callTool(fresh, tool, args)];
      expect(shared.result.data?.["candidates"]).toEqual(alone.result.data?.["candidates"]);
    }
    expect((await callTool(first, "ci_search", { query: "onlyHere" })).limits).toEqual(
      (await callTool(await makeIndexedRepo(one.root), "ci_search", { query: "onlyHere" })).limits,
    );
  });
});

describe("work trees of one repository", () => {
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`src/f${at}.ts`, `export function fun${at}() {\n  return ${at};\n}\n`]),
  );

  /** A repository with a second work tree, and their indexes. */
  function makeTrees() {
    const state = makeFolder();
    const main = makeRepo([{ files, subject: "start", at: "2026-01-01T00:00:00Z" }]);
    const side = join(makeFolder(), "side");
    git(main, ["worktree", "add", "--quiet", "--detach", side]);
    const folderOf = (root: string) => join(state, "index", root === main ? "main" : "side");
    const findBases = (root: string, nowMs = Date.now()) => findSharedBases(root, folderOf, nowMs);
    const first = makeIndexable(main, folderOf(main));
    const second = makeIndexable(side, folderOf(side), () => findBases(side));
    return { state, main, side, first, second, findBases };
  }

  it("[T-2] the index of the second is laid over that of the first, and both stay complete", async () => {
    const { first, second } = makeTrees();
    await first.build();
    expect(await second.build()).toMatchObject({ outcome: "done", files: 30, changed: 0, taken: 30 });
    expect(describeIndex(first)).toEqual({ bases: 1, mended: undefined });
    expect(await first.build()).toMatchObject({ files: 30, changed: 0, removed: 0, taken: 0 });
    expect(JSON.stringify(await callTool(second, "ci_search", { query: "fun7" }))).toContain("src/f7.ts");
  });

  it("[T-2] the index of the third is laid over the same base, even while the first is in use", async () => {
    const { state, first, second, findBases, side } = makeTrees();
    await first.build();
    // A long-lived reader, like that of the resident process.
    const reader = openReader(join(first.folder, INDEX_FILES.database));
    reader?.exec("BEGIN");
    await second.build();
    expect(describeIndex(second)).toEqual({ bases: 1, mended: undefined });
    expect(await findBases(side)).toEqual(readdirSync(join(state, "bases")));
    reader?.close();
  });

  it("[T-2] [T-6] an index that is being built, unfinished or damaged is neither shared nor touched", async () => {
    const nothing = () => {};
    for (const spoil of [
      (folder: string) => claimOwn(join(folder, INDEX_FILES.lock))?.release ?? nothing,
      (folder: string) => {
        writeFileSync(join(folder, INDEX_FILES.database), "no database");
        return nothing;
      },
      (folder: string) => {
        rmSync(join(folder, INDEX_FILES.database));
        return nothing;
      },
    ]) {
      const { first, second } = makeTrees();
      await first.build();
      const undo = spoil(first.folder);
      const before = snapshot(first.folder);
      expect(await second.build()).toMatchObject({ outcome: "done", files: 30, changed: 30, taken: 0 });
      expect(snapshot(first.folder)).toEqual(before);
      undo();
    }
  });

  it("[T-2] [T-6] an index whose base is missing is rebuilt and says why", async () => {
    const { state, first, second } = makeTrees();
    await first.build();
    await second.build();
    rmSync(join(state, "bases"), { recursive: true });
    const asked = await callTool(second, "ci_search", { query: "fun7" });
    expect(JSON.stringify(asked.result)).toContain("src/f7.ts");
    expect(asked.limits.join()).toContain("is missing");
    expect(await second.build()).toMatchObject({ outcome: "done", files: 30, changed: 30, taken: 0 });
    expect(describeIndex(second)).toEqual({ bases: 0, mended: expect.stringContaining("is missing") });
  });

  it("[T-2] a base that no index uses is removed after a day", async () => {
    const { state, first, second, findBases, main } = makeTrees();
    await first.build();
    await second.build();
    for (const { folder } of [first, second]) rmSync(folder, { recursive: true });
    await findBases(main);
    expect(readdirSync(join(state, "bases"))).toHaveLength(1);
    await findBases(main, Date.now() + 25 * 60 * 60 * 1_000);
    expect(readdirSync(join(state, "bases"))).toEqual([]);
  });
});

function snapshot(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      // Empty journals come and go with readers.
      .filter((name) => !/-(?:shm|wal)$/.test(name))
      .map((name) => [name, readFileSync(join(folder, name), "latin1")]),
  );
}
