import { cpSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commit, git, HISTORY_SETTINGS, makeRepo } from "../../../tests/support/git-repo.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { systemClock } from "../../base/clock.ts";
import { makeEngine } from "../engine.ts";
import { answerQuery } from "../search/answer.ts";
import { weighFreshness } from "./freshness.ts";
import { type History, readHistory } from "./read-history.ts";
import { parseTree, toTree } from "./tree.ts";

const NOW = Date.parse("2026-03-10T12:00:00Z");
const OLD = "2025-11-01T00:00:00Z";
const LATELY = "2026-03-08T11:00:00Z";

async function weigh(root: string, paths: readonly string[], nowMs = NOW) {
  const history = await readHistory(root, HISTORY_SETTINGS, { commits: 200, signal: AbortSignal.timeout(60_000) });
  if (history === null) throw new Error("no history");
  const files = paths.map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
  return Object.fromEntries(await weighFreshness(history, files, nowMs));
}

describe("recent work", () => {
  const root = makeRepo([
    { files: { "first.ts": "0" }, subject: "begin", at: OLD },
    { files: { "old.ts": "1" }, subject: "old", at: OLD },
    { files: { "new.ts": "1" }, subject: "new", at: LATELY },
  ]);

  it("gives recent commits the largest bonus and the root commit none; old ones are not mentioned", async () => {
    expect(await weigh(root, ["first.ts", "old.ts", "new.ts"])).toEqual({
      "old.ts": { factor: expect.closeTo(1, 2), reason: "" },
      "new.ts": { factor: 1.08, reason: "changed 2 days ago" },
    });
  });

  it.each([
    ["2026-03-08T11:00:00Z", "changed today"],
    ["2026-03-01T11:00:00Z", "changed today"],
    ["2026-03-09T12:00:00Z", "changed yesterday"],
    ["2026-05-06T11:00:00Z", "changed 59 days ago"],
    ["2029-03-10T11:00:00Z", ""],
  ])("seen at %s: %s, with the same weight", async (now, reason) => {
    expect((await weigh(root, ["new.ts"], Date.parse(now)))["new.ts"]).toEqual({ factor: 1.08, reason });
  });
});

describe("uncommitted files", () => {
  const files = { "a.ts": "a\n", "b.ts": "b\n", "crlf.ts": "c\nd\n", "中文.ts": "e\n" };
  const all = Object.keys(files);
  const make = () =>
    makeRepo([
      { files: { x: "x" }, subject: "0", at: OLD },
      { files, subject: "1", at: OLD },
    ]);
  const uncommitted = async (root: string, paths = all) =>
    Object.entries(await weigh(root, paths)).flatMap(([path, { reason, factor }]) =>
      reason === "uncommitted change" && factor === 1.15 ? [path] : [],
    );

  it.each<[string, (root: string) => unknown, string[]]>([
    ["right after a commit", () => {}, []],
    ["a changed file", (root) => writeFileSync(join(root, "a.ts"), "a2\n"), ["a.ts"]],
    ["a staged file", (root) => writeFileSync(join(root, "a.ts"), "a2\n") ?? git(root, ["add", "."]), ["a.ts"]],
    [
      "a change of the same size and time",
      (root) => writeFileSync(join(root, "b.ts"), "x\n") ?? utimesSync(join(root, "b.ts"), 1, 1),
      ["b.ts"],
    ],
    ["a file that was only touched", (root) => utimesSync(join(root, "a.ts"), 1, 1), []],
    ["a file taken out of the index", (root) => git(root, ["rm", "--quiet", "--cached", "a.ts"]), []],
    ["a broken index", (root) => writeFileSync(join(root, ".git/index"), "junk"), []],
    ["other line endings", (root) => writeFileSync(join(root, "crlf.ts"), "c\r\nd\r\n"), []],
    [
      "a file that was put back",
      (root) => writeFileSync(join(root, "a.ts"), "z") ?? git(root, ["checkout", "--", "."]),
      [],
    ],
    ["another branch", (root) => git(root, ["checkout", "--quiet", "-b", "x"]), []],
    ["a Chinese name", (root) => writeFileSync(join(root, "中文.ts"), "!"), ["中文.ts"]],
  ])("%s", async (_, change, expected) => {
    const root = make();
    change(root);
    expect(await uncommitted(root)).toEqual(expected);
  });

  it("include new files, but no submodules, broken text or copies of the repository", async () => {
    const root = make();
    writeFileSync(join(root, "new.ts"), "new");
    writeFileSync(join(root, "latin1.ts"), Buffer.from([0xe9]));
    git(root, ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", make(), "lib/inner"]);
    commit(root, { files: {}, subject: "2", at: OLD });
    writeFileSync(join(root, "new2.ts"), "new");
    writeFileSync(join(root, "lib/inner/a.ts"), "changed");
    expect(await uncommitted(root, ["new.ts", "new2.ts", "latin1.ts", "lib/inner/a.ts"])).toEqual(["new2.ts"]);
    const copy = makeFolder();
    cpSync(root, copy, { recursive: true });
    expect(await uncommitted(copy)).toEqual([]);
  });

  it("are unknown if the listing is too long or broken", async () => {
    const history: History = { commits: [], commitsOf: () => [], tree: null };
    expect(await weighFreshness(history, [{ path: "a", text: "a" }], NOW)).toEqual(new Map());
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (tree, path) => {
        await weighFreshness({ ...history, tree: toTree(parseTree(tree)) }, [{ path, text: "a" }], NOW);
      }),
    );
  });
});

describe("freshness in the ranking", () => {
  const source = (name: string) => `/** Retry backoff. */\nexport function ${name}() {\n  return backoff * retry;\n}\n`;
  const make = () =>
    makeRepo([
      { files: { "src/a.ts": source("a"), "src/b.ts": source("b"), "src/c.ts": source("c") }, subject: "0", at: OLD },
      {
        files: { "docs/far.md": "nothing of the kind\n", "src/exact.ts": source("retryBackoff") },
        subject: "1",
        at: OLD,
      },
    ]);
  const ask = async (root: string, query = "retry backoff") => {
    const engine = makeEngine({
      clock: { ...systemClock, nowMs: () => NOW },
      folderOf: () => null,
      past: HISTORY_SETTINGS,
      embeddings: null,
      grammars: "",
      startBuilder: async () => {},
    });
    const budget = {
      signal: new AbortController().signal,
      timeLeftMs: () => 5_000,
      isExcluded: () => false,
      usesIndex: false,
    };
    const { index } = await engine.open(root, budget);
    const { hits: plain } = answerQuery(index, query, { limit: 10, mode: "semantic" });
    const hits = await engine.weighRecency(root, plain, budget);
    expect(hits.map(({ file }) => file).toSorted()).toEqual(plain.map(({ file }) => file).toSorted());
    return hits.map(({ file, reason }) => `${file}: ${reason}`);
  };

  it("decides ties and adds no hits", async () => {
    const root = make();
    commit(root, {
      files: { "src/c.ts": `${source("c")}\n`, "docs/far.md": "still nothing\n" },
      subject: "2",
      at: LATELY,
    });
    writeFileSync(join(root, "src/b.ts"), `${source("b")}\n`);
    writeFileSync(join(root, "docs/near.md"), "nothing, and not committed\n");
    expect((await ask(root)).filter((hit) => !hit.startsWith("src/exact.ts"))).toEqual([
      "src/b.ts: uncommitted change",
      "src/c.ts: changed 2 days ago",
      "src/a.ts: ",
    ]);
  });

  it("keeps a definition asked for by name before a recent mention", async () => {
    const root = make();
    writeFileSync(join(root, "src/a.ts"), "retryBackoff(retryBackoff, retry, backoff);\n".repeat(5));
    expect((await ask(root, "retryBackoff"))[0]).toMatch(/^src\/exact.ts: defines retryBackoff/);
  });

  it("has no effect in a repository without commits", async () => {
    const root = makeRepo([]);
    writeFileSync(join(root, "a.ts"), source("a"));
    expect(await ask(root)).toEqual(["a.ts: "]);
  });
});
