import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commit, git, HISTORY_SETTINGS, makeRepo } from "../../../tests/support/git-repo.ts";
import { makeIndexedRepo } from "../../../tests/support/indexed-repo.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { systemClock } from "../../base/clock.ts";
import { findProgram } from "../../base/find-program.ts";
import { makeEngine } from "../engine.ts";
import type { GitSettings } from "../history/git-objects.ts";
import { readHistory, readWindow } from "../history/read-history.ts";
import { INDEX_FILES, openReader, openWriter } from "../store/database.ts";
import { HistoryStore } from "../store/history-store.ts";
import { IndexStore } from "../store/index-store.ts";
import { Records } from "../store/records.ts";
import { keepHistory } from "./keep-history.ts";

const at = (day: number) => `2026-01-${String(day).padStart(2, "0")}T00:00:00Z`;
const FILES = { "a.ts": "a\n", "src/b.ts": "b\n", "中文/说明.md": "c\n" };
const begin = { files: FILES, subject: "begin", at: at(1) };
const change = (day: number, ...paths: string[]) => ({
  files: Object.fromEntries(paths.map((path) => [path, `${day}\n`])),
  subject: `day ${day}`,
  at: at(day),
});

const signal = new AbortController().signal;

/** A repository with a history store next to it. */
function keep(root: string) {
  const file = join(makeFolder(), "index.db");
  const database = openWriter(file);
  new IndexStore(database).setState({ root, phase: "done", files: 0, atMs: 0 });
  const store = new HistoryStore(new Records(database));
  let reads = 0;
  const update = async (settings: GitSettings = HISTORY_SETTINGS, stop = signal) =>
    keepHistory({ root, settings, store, signal: stop, onStart: () => reads++ });
  return { root, file, store, update, reads: () => reads };
}

/** The stored history and the history according to git. */
async function compare(root: string, store: HistoryStore) {
  const live = await readHistory(root, HISTORY_SETTINGS, { commits: 200, signal });
  const kept = store.history(200);
  const blobs = (tree: typeof kept.tree) => Object.keys(FILES).map((path) => tree?.blobOf(path));
  return {
    kept: [kept.commits, blobs(kept.tree), kept.commitsOf("a.ts"), store.window(7)],
    live: [
      live?.commits,
      blobs(live?.tree ?? null),
      live?.commitsOf("a.ts"),
      await readWindow(root, HISTORY_SETTINGS, { days: 7, signal }),
    ],
  };
}

/** A git wrapper that logs its arguments. */
function makeNotingGit() {
  const real = findProgram("git", HISTORY_SETTINGS.path, "/nowhere");
  const folder = makeFolder();
  const notes = join(folder, "notes");
  writeFileSync(join(folder, "git"), `#!/bin/sh\necho "$@" >> ${notes}\nexec ${real} "$@"\n`);
  chmodSync(join(folder, "git"), 0o755);
  return { settings: { ...HISTORY_SETTINGS, path: folder }, notes: () => readFileSync(notes, "utf8") };
}

describe("storing history", () => {
  it("stores what git reports and reads nothing twice", async () => {
    const kept = keep(makeRepo([begin, change(2, "a.ts"), change(9, "a.ts", "src/b.ts")]));
    await kept.update();
    const { kept: own, live } = await compare(kept.root, kept.store);
    expect(own).toEqual(live);
    await kept.update();
    expect(kept.reads()).toBe(1);
  });

  it.each<[string, (root: string) => unknown]>([
    ["a new commit", (root) => commit(root, change(5, "a.ts", "src/b.ts"))],
    ["a commit that is amended", (root) => git(root, ["commit", "--quiet", "--amend", "-m", "better"])],
    ["going back", (root) => git(root, ["reset", "--quiet", "--hard", "HEAD~2"])],
    [
      "another branch",
      (root) => {
        git(root, ["checkout", "--quiet", "-b", "side", "HEAD~1"]);
        commit(root, change(6, "src/b.ts"));
      },
    ],
    [
      "a merge of older commits",
      (root) => {
        git(root, ["checkout", "--quiet", "-b", "side", "HEAD~2"]);
        commit(root, change(3, "side.ts"));
        git(root, ["checkout", "--quiet", "main"]);
        const when = { GIT_AUTHOR_DATE: at(20), GIT_COMMITTER_DATE: at(20) };
        git(root, ["merge", "--quiet", "--no-ff", "-m", "merge", "side"], when);
      },
    ],
    [
      "another history, and nothing left of the old one",
      (root) => {
        git(root, ["checkout", "--quiet", "--orphan", "fresh"]);
        commit(root, change(7, "a.ts"));
        commit(root, change(8, "a.ts"));
        git(root, ["branch", "--quiet", "-D", "main"]);
        git(root, ["reflog", "expire", "--expire=now", "--all"]);
        git(root, ["gc", "--quiet", "--prune=now"]);
      },
    ],
  ])("follows %s", async (_, move) => {
    const kept = keep(makeRepo([begin, change(2, "a.ts"), change(4, "src/b.ts")]));
    await kept.update();
    move(kept.root);
    await kept.update();
    const { kept: own, live } = await compare(kept.root, kept.store);
    expect(own).toEqual(live);
  });

  it("reads only new commits", async () => {
    const kept = keep(makeRepo([begin, change(2, "a.ts")]));
    await kept.update();
    const before = git(kept.root, ["rev-parse", "HEAD"]);
    commit(kept.root, change(3, "a.ts"));
    const { settings, notes } = makeNotingGit();
    await kept.update(settings);
    expect(kept.store.history(9).commits.map(({ subject }) => subject)).toEqual(["day 3", "day 2", "begin"]);
    const logs = notes()
      .split("\n")
      .filter((line) => line.includes(" log "));
    expect(logs).toEqual([expect.stringContaining(`^${before}`)]);
  });

  it("stores a shallow clone as it is, and again when it is deepened", async () => {
    const root = makeRepo([begin, change(2, "a.ts"), change(3, "a.ts"), change(4, "a.ts")]);
    const clone = join(makeFolder(), "clone");
    git(root, ["clone", "--quiet", "--depth=2", `file://${root}`, clone]);
    const kept = keep(clone);
    await kept.update();
    expect(kept.store.history(9).commits.map(({ subject }) => subject)).toEqual(["day 4", "day 3"]);
    git(clone, ["fetch", "--quiet", "--depth=3"]);
    await kept.update();
    expect(kept.store.history(9).commits.map(({ subject }) => subject)).toEqual(["day 4", "day 3", "day 2"]);
  });

  it("does not store sensitive files, not even their names", async () => {
    const kept = keep(makeRepo([begin, { files: { ".env": "KEY=1", "a.ts": "2" }, subject: "x", at: at(2) }]));
    await kept.update();
    const { commits, tree } = kept.store.history(9);
    expect([commits[0]?.files, tree?.blobOf(".env")]).toEqual([["a.ts"], null]);
  });

  it.each<[string, (root: string) => GitSettings | undefined]>([
    ["no git", () => ({ ...HISTORY_SETTINGS, path: "" })],
    [
      "objects of somebody else",
      (root) => {
        mkdirSync(join(root, ".git/objects/info"), { recursive: true });
        writeFileSync(join(root, ".git/objects/info/alternates"), "/elsewhere");
        return undefined;
      },
    ],
  ])("stores nothing and does not retry if nothing can be read: %s", async (_, spoil) => {
    const kept = keep(makeRepo([begin, change(2, "a.ts")]));
    const settings = spoil(kept.root);
    await kept.update(settings);
    await kept.update(settings);
    expect([kept.reads(), kept.store.head()?.isRead, kept.store.history(9).commits]).toEqual([1, false, []]);
  });

  it("removes a history that no longer exists; a folder without git has none", async () => {
    const kept = keep(makeRepo([begin, change(2, "a.ts")]));
    await kept.update();
    rmSync(join(kept.root, ".git"), { recursive: true });
    await kept.update();
    expect([kept.store.head(), kept.store.history(9).commits, kept.reads()]).toEqual([null, [], 1]);
  });

  it("leaves the stored history unchanged if it is stopped", async () => {
    const kept = keep(makeRepo([begin, change(2, "a.ts")]));
    await kept.update();
    const before = kept.store.head();
    commit(kept.root, change(3, "a.ts"));
    await kept.update(HISTORY_SETTINGS, AbortSignal.abort());
    expect(kept.store.head()).toEqual(before);
  });

  it("keeps the newest of too many commits and tells which days are missing", async () => {
    const kept = keep(makeRepo([begin, change(2, "a.ts"), change(9, "a.ts"), change(20, "a.ts")]));
    await kept.update();
    const whole = kept.store.history(9);
    const tree = { blobs: new Map(), submodules: [] };
    const key = kept.store.head()?.key ?? "";
    kept.store.update({ key, isAnew: true, commits: whole.commits, gone: new Set(), isCut: false, tree }, 3);
    expect(kept.store.head()?.isCut).toBe(true);
    expect(kept.store.window(15)?.commits.map(({ subject }) => subject)).toEqual(["day 20", "day 9"]);
    expect([kept.store.window(15)?.isCut, kept.store.window(100)?.isCut]).toEqual([false, true]);
  });
});

describe("answers from stored history", () => {
  const budget = { signal, timeLeftMs: () => 5_000, isExcluded: () => false, usesIndex: true };
  const engineOf = (file: string, started: string[] = []) =>
    makeEngine({
      clock: systemClock,
      folderOf: () => join(file, ".."),
      past: { ...HISTORY_SETTINGS, path: "" },
      embeddings: null,
      grammars: null,
      startBuilder: async (root) => void started.push(root),
    });

  it("need no git as long as the same commit is checked out", async () => {
    const { root, file, update } = keep(makeRepo([begin, change(2, "a.ts")]));
    await update();
    const engine = engineOf(file);
    expect((await engine.recentCommits(root, budget)).map(({ subject }) => subject)).toEqual(["day 2", "begin"]);
    expect((await engine.window(root, 7, budget))?.commits).toHaveLength(2);
    writeFileSync(join(root, "src/b.ts"), "changed\n");
    const { changes } = (await engine.workTree(root, ["a.ts", "src/b.ts"], budget)) ?? { changes: [] };
    expect(changes.map(({ path }) => path)).toEqual(["src/b.ts"]);
    expect(await engineOf(file).history(root, { ...budget, usesIndex: false })).toBeNull();
  });

  it("are not given for another commit, and a builder is started for it", async () => {
    const repo = await makeIndexedRepo(makeRepo([begin]));
    const { root } = repo;
    const started: string[] = [];
    const engineNow = () => engineOf(join(repo.folder, INDEX_FILES.database), started);
    await engineNow().open(root, budget);
    expect(started).toEqual([]);
    commit(root, { files: {}, subject: "empty", at: at(2) });
    const engine = engineNow();
    expect([await engine.history(root, budget), await engine.window(root, 7, budget)]).toEqual([null, null]);
    await engine.open(root, budget);
    expect(started).toEqual([root]);
    await repo.build();
    await engineNow().open(root, budget);
    expect(started).toEqual([root]);
  });

  it("are marked as cut if they do not go back far enough and git has no more", async () => {
    const { root, file, store, update } = keep(makeRepo([begin, change(2, "a.ts")]));
    await update();
    const { commits } = store.history(9);
    const tree = { blobs: new Map(), submodules: [] };
    store.update({ key: store.head()?.key ?? "", isAnew: true, commits, gone: new Set(), isCut: false, tree }, 1);
    const window = await engineOf(file).window(root, 100, budget);
    expect([window?.commits.length, window?.isCut]).toEqual([1, true]);
  });

  it("can be read while history is being written", async () => {
    const { root, file, update } = keep(makeRepo([begin]));
    await update();
    const reader = openReader(file);
    expect(reader === null ? null : new HistoryStore(new Records(reader)).history(9).commits).toHaveLength(1);
    commit(root, change(2, "a.ts"));
    await update();
    expect(reader === null ? null : new HistoryStore(new Records(reader)).history(9).commits).toHaveLength(2);
    reader?.close();
  });
});
