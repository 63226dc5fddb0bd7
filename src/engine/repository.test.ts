import { linkSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makeRepo } from "../../tests/support/git-repo.ts";
import { type IndexedRepo, makeIndexable, makeIndexedRepo } from "../../tests/support/indexed-repo.ts";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { INDEX_FILES } from "./store/database.ts";

const budget = {
  signal: new AbortController().signal,
  timeLeftMs: () => 5_000,
  isExcluded: (_path: string) => false,
  usesIndex: true,
};

const open = (repo: IndexedRepo, changed: Partial<typeof budget> = {}) =>
  repo.engine().open(repo.root, { ...budget, ...changed });

async function find(repo: IndexedRepo, query: string, isRestrained = true): Promise<string[]> {
  const { hits } = (await open(repo)).answer(query, { limit: 10, mode: "keyword", isRestrained });
  return hits.map(({ file, line }) => `${file}:${line}`);
}

const needle = (name: string) => `// first\nexport function ${name}() {\n  return 1;\n}\n`;

describe("[ATO-SEC-2] one repository, several questions", () => {
  it("a larger limit returns more hits, whatever was asked before", async () => {
    const names = Array.from({ length: 14 }, (_, at) => [`src/needle${at}.ts`, needle(`needle${at}`)]);
    const repository = await open(makeIndexable(makeFolder(Object.fromEntries(names))));
    const count = (limit: number) =>
      repository.answer("needle", { limit, mode: "keyword", isRestrained: false }).hits.length;
    expect([2, 14, 2].map(count)).toEqual([2, 14, 2]);
  });
});

describe("[ATO-PATH-5] [ATO-PATH-6] what can be found", () => {
  it("a sensitive file is omitted under all its names, with and without an index", async () => {
    const root = makeFolder({ ".env": "needle=1\n", "secrets/deep/s.ts": "needle\n", "a.ts": "needle\n" });
    mkdirSync(join(root, "src"));
    linkSync(join(root, ".env"), join(root, "src/settings.ts"));
    linkSync(join(root, "secrets/deep/s.ts"), join(root, "0.ts"));
    linkSync(join(root, "a.ts"), join(root, "b.ts"));
    const repo = makeIndexable(root);
    expect(await find(repo, "needle")).toEqual(["a.ts:1", "b.ts:1"]);
    await repo.build();
    expect(await find(repo, "needle")).toEqual(["a.ts:1", "b.ts:1"]);
    // A new hard link to an existing secret, detected by listing only one folder.
    linkSync(join(root, ".env"), join(root, "src/more.ts"));
    expect(await find(repo, "needle")).toEqual(["a.ts:1", "b.ts:1"]);
    await repo.build();
    expect(await find(repo, "needle")).toEqual(["a.ts:1", "b.ts:1"]);
  });

  it("a sensitive file is parsed under none of its names", async () => {
    const secret = "export const KEY = 'needle';\nexport function open() {\n  return KEY ? 1 : 2;\n}\n";
    const root = makeFolder({ "secrets/s.ts": secret, "a.ts": "export function other() {}\n" });
    linkSync(join(root, "secrets/s.ts"), join(root, "0.ts"));
    const repo = await makeIndexedRepo(root);
    const repository = await open(repo);
    expect(repository.store?.code.facts("0.ts")).toBeNull();
    expect(await repo.engine().symbolsOf(root, repository, "0.ts")).toBeNull();
    const none = await open(repo, { isExcluded: () => true });
    expect(await repo.engine().symbolsOf(root, none, "0.ts")).toBeNull();
    expect(await repo.engine().symbolsOf(root, none, "a.ts")).toHaveLength(1);
    const search = { pattern: "KEY|other", likely: [], limit: 10 };
    const hits = await repo.engine().findPattern(root, repository, search, budget);
    expect(hits?.map(({ file }) => file)).toEqual(["a.ts"]);
  });

  it("binary, huge and generated files are known only by their path", async () => {
    const root = makeFolder({
      "a.ts": "export function needle() {}\n",
      "b.bin": "needle\0",
      "c.min.js": `needle${"x".repeat(6_000)}`,
      "huge.ts": "needle",
    });
    truncateSync(join(root, "huge.ts"), 300 * 1024 * 1024);
    const repo = makeIndexable(root);
    expect(await find(repo, "needle")).toEqual(["a.ts:1"]);
    expect((await open(repo)).coverage.files).toBe(4);
  });

  it("an unrelated question gets hits only if the answer is not restrained", async () => {
    const repo = makeIndexable(makeFolder({ "a.ts": needle("compile"), "b.ts": needle("wait") }));
    const question = "how are shader programs compiled for the graphics pipeline";
    expect(await find(repo, question)).toEqual([]);
    expect(await find(repo, question, false)).toContain("a.ts:2");
  });

  it("paths excluded by the settings are omitted, even if they were indexed", async () => {
    const repo = await makeIndexedRepo(makeFolder({ "a.ts": needle("needle"), "private/b.ts": needle("needle") }));
    const { index } = await open(repo, { isExcluded: (path) => path.startsWith("private") });
    expect([index.fileCount, index.fileAt("private/b.ts")]).toEqual([1, undefined]);
  });

  it("without time there is an answer, and nothing hangs", async () => {
    const files = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`f${at}.ts`, "needle\n"]));
    const repo = makeIndexable(makeFolder(files));
    let left = 1_000;
    const { coverage } = await open(repo, { timeLeftMs: () => (left -= 100) });
    expect(coverage.unread > 0 || !coverage.isChecked).toBe(true);
    expect(coverage.isIndexed).toBe(false);
  });
});

describe("an outdated index", () => {
  const make = () =>
    makeIndexedRepo(
      makeFolder({ "src/a.ts": needle("alpha"), "src/b.ts": needle("beta"), "docs/c.md": "Some words.\n" }),
    );

  it("changed, new, renamed and deleted files are found in their current state", async () => {
    const repo = await make();
    const path = (name: string) => join(repo.root, name);
    writeFileSync(path("src/a.ts"), `\n\n${needle("gamma")}`);
    writeFileSync(path("src/d.ts"), needle("delta"));
    mkdirSync(path("src/inner"));
    writeFileSync(path("src/inner/e.ts"), needle("epsilon"));
    renameSync(path("src/b.ts"), path("src/moved.ts"));
    rmSync(path("docs"), { recursive: true });
    const expectAll = async () => {
      expect(await find(repo, "alpha")).toEqual([]);
      expect(await find(repo, "gamma")).toEqual(["src/a.ts:4"]);
      expect(await find(repo, "delta")).toEqual(["src/d.ts:2"]);
      expect(await find(repo, "epsilon")).toEqual(["src/inner/e.ts:2"]);
      expect(await find(repo, "beta")).toEqual(["src/moved.ts:2"]);
      expect(await find(repo, "words")).toEqual([]);
    };
    await expectAll();
    expect((await open(repo)).coverage).toMatchObject({ isIndexed: true, updated: 4, unread: 0, isChecked: true });
    await repo.build();
    await expectAll();
    expect((await open(repo)).coverage).toMatchObject({ files: 4, updated: 0, unread: 0 });
  });

  it("a changed ignore file takes effect at once", async () => {
    const repo = await make();
    writeFileSync(join(repo.root, ".gitignore"), "src/b.ts\n");
    expect(await find(repo, "beta")).toEqual([]);
    await repo.build();
    writeFileSync(join(repo.root, ".gitignore"), "# nothing\n");
    expect(await find(repo, "beta")).toEqual(["src/b.ts:2"]);
  });

  it("a changed file that could not be read is listed without a line", async () => {
    const repo = await make();
    writeFileSync(join(repo.root, "src/a.ts"), `${"\n".repeat(50)}${needle("alpha")}`);
    let asked = 0;
    // Enough time to check the files, but none to read them.
    const repository = await open(repo, { timeLeftMs: () => (asked++ < 2 ? 5_000 : 10) });
    expect([repository.coverage.unread, repository.isStale("src/a.ts"), repository.isStale("src/b.ts")]).toEqual([
      1,
      true,
      false,
    ]);
    expect(repository.symbolsOf("src/a.ts")).toEqual([]);
  });

  it("branches, rebases and a second work tree are each answered by their own files", async () => {
    const root = makeRepo([{ files: { "a.ts": needle("alpha") }, subject: "0", at: "2026-01-01T00:00:00Z" }]);
    const repo = await makeIndexedRepo(root);
    git(root, ["checkout", "--quiet", "-b", "other"]);
    writeFileSync(join(root, "a.ts"), needle("beta"));
    writeFileSync(join(root, "b.ts"), needle("gamma"));
    git(root, ["add", "."]);
    git(root, ["commit", "--quiet", "-m", "1"]);
    await repo.build();
    expect(await find(repo, "gamma")).toEqual(["b.ts:2"]);
    git(root, ["checkout", "--quiet", "-"]);
    expect(await find(repo, "alpha")).toEqual(["a.ts:2"]);
    expect(await find(repo, "gamma")).toEqual([]);
    const second = join(makeFolder({}), "tree");
    git(root, ["worktree", "add", "--quiet", second, "other"]);
    const other = makeIndexable(second);
    expect(await find(other, "gamma")).toEqual(["b.ts:2"]);
    await other.build();
    git(second, ["rm", "--quiet", "b.ts"]);
    expect(await find(other, "gamma")).toEqual([]);
    expect(await find(repo, "alpha")).toEqual(["a.ts:2"]);
  });

  it("is treated as missing and rebuilt if it is damaged", async () => {
    const repo = await make();
    writeFileSync(join(repo.folder, INDEX_FILES.database), "no database at all, ".repeat(1_000));
    expect(await find(repo, "alpha")).toEqual(["src/a.ts:2"]);
    expect((await open(repo)).coverage.isIndexed).toBe(false);
    expect(await repo.build()).toMatchObject({ outcome: "done", files: 3 });
    expect((await open(repo)).coverage.isIndexed).toBe(true);
  });

  it("is not used if it belongs to another root", async () => {
    const repo = await make();
    const stranger = { ...repo, root: makeFolder({ "a.ts": needle("zeta") }) };
    expect(await find(stranger, "alpha")).toEqual([]);
    expect(await find(stranger, "zeta")).toEqual(["a.ts:2"]);
  });
});
