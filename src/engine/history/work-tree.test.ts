import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commit, git, HISTORY_SETTINGS, makeRepo } from "../../../tests/support/git-repo.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { readHistory, readWindow } from "./read-history.ts";
import { readWorkTree } from "./work-tree.ts";

const DAY = (day: number) => `2026-01-${String(day).padStart(2, "0")}T00:00:00Z`;
const signal = new AbortController().signal;
const begin = { files: { "a.ts": "a\n", "b.ts": "b\n", "c.ts": "c\n" }, subject: "begin", at: DAY(1) };

async function changesOf(root: string, paths: readonly string[], hasTime = () => true) {
  const tree = (await readHistory(root, HISTORY_SETTINGS, { commits: 1, signal }))?.tree ?? null;
  if (tree === null) throw new Error("no history");
  return readWorkTree({ root, paths, tree, settings: HISTORY_SETTINGS, signal, hasTime });
}

describe("uncommitted changes", () => {
  it("include modified files with their previous text, and new files", async () => {
    const root = makeRepo([begin]);
    writeFileSync(join(root, "b.ts"), "other\n");
    writeFileSync(join(root, "new.ts"), "new\n");
    writeFileSync(join(root, "c.ts"), "c\r\n");
    rmSync(join(root, "a.ts"));
    const { changes, isCut } = await changesOf(root, ["a.ts", "b.ts", "c.ts", "new.ts"]);
    expect(changes.toSorted((one, other) => (one.path < other.path ? -1 : 1))).toEqual([
      { path: "b.ts", text: "other\n", before: "b\n" },
      { path: "new.ts", text: "new\n", before: null },
    ]);
    expect(isCut).toBe(false);
  });

  it("include staged files", async () => {
    const root = makeRepo([begin]);
    writeFileSync(join(root, "b.ts"), "other\n");
    git(root, ["add", "--all"]);
    expect((await changesOf(root, ["a.ts", "b.ts"])).changes.map(({ path }) => path)).toEqual(["b.ts"]);
  });

  it("are marked as incomplete when time runs out", async () => {
    const root = makeRepo([begin]);
    writeFileSync(join(root, "b.ts"), "other\n");
    expect(await changesOf(root, ["a.ts", "b.ts"], () => false)).toEqual({ changes: [], isCut: true });
  });
});

describe("the commits of a period", () => {
  it("are counted back from the newest", async () => {
    const root = makeRepo([begin]);
    commit(root, { files: { "a.ts": "2" }, subject: "two", at: DAY(10) });
    commit(root, { files: { "a.ts": "3" }, subject: "three", at: DAY(20) });
    const window = await readWindow(root, HISTORY_SETTINGS, { days: 12, signal });
    expect(window).toMatchObject({ fromMs: Date.parse(DAY(8)), untilMs: Date.parse(DAY(20)), isCut: false });
    expect(window?.commits.map(({ subject, files }) => [subject, files])).toEqual([
      ["three", ["a.ts"]],
      ["two", ["a.ts"]],
    ]);
  });

  it("are null without git or without a commit", async () => {
    expect(await readWindow(makeFolder({ "a.ts": "" }), HISTORY_SETTINGS, { days: 1, signal })).toBeNull();
    expect(await readWindow(makeRepo([]), HISTORY_SETTINGS, { days: 1, signal })).toBeNull();
    const none = { ...HISTORY_SETTINGS, path: "/nowhere" };
    expect(await readWindow(makeRepo([begin]), none, { days: 1, signal })).toBeNull();
    const aborted = AbortSignal.abort();
    expect(await readWindow(makeRepo([begin]), HISTORY_SETTINGS, { days: 1, signal: aborted })).toBeNull();
  });
});
