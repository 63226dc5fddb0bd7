import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commit, git, HISTORY_SETTINGS, makeRepo } from "../../../tests/support/git-repo.ts";
import { listTree } from "../../../tests/support/leftovers.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { countUsualMs } from "../../../tests/support/timed.ts";
import { findHistoryStart, readHeadKey } from "./git-folder.ts";
import { parseLog, readHistory } from "./read-history.ts";

const DAY1 = "2026-01-01T00:00:00Z";
const DAY2 = "2026-01-02T00:00:00Z";
const DAY3 = "2026-01-03T00:00:00Z";
const first = { files: { "a.ts": "a", "b.ts": "b" }, subject: "begin", at: DAY1 };
const second = { files: { "a.ts": "a2" }, subject: "change a", at: DAY2 };
const third = { files: { "a.ts": "a3", "中文/说明.md": "c" }, subject: "修复：退避时间", at: DAY3, author: "李雷" };

const read = (root: string, settings = HISTORY_SETTINGS, ms = 5_000) =>
  readHistory(root, settings, { commits: 200, signal: AbortSignal.timeout(ms) });
const subjects = async (root: string) => (await read(root))?.commits.map(({ subject }) => subject) ?? null;

describe("recent commits", () => {
  it("tell who changed what and when, newest first; the root commit changes nothing", async () => {
    const root = makeRepo([first, second, third]);
    const history = await read(root);
    expect(history?.commits.map(({ id, ...rest }) => [id.length, rest])).toEqual([
      [40, { atMs: Date.parse(DAY3), author: "李雷", subject: "修复：退避时间", files: ["a.ts", "中文/说明.md"] }],
      [40, { atMs: Date.parse(DAY2), author: "Ada", subject: "change a", files: ["a.ts"] }],
      [40, { atMs: Date.parse(DAY1), author: "Ada", subject: "begin", files: [] }],
    ]);
    expect(history?.commitsOf("a.ts").map(({ atMs }) => atMs)).toEqual([Date.parse(DAY3), Date.parse(DAY2)]);
    const ids = ["a.ts", "b.ts", "中文/说明.md", "c.ts"].map((path) => history?.tree?.blobOf(path)?.length ?? null);
    expect(ids).toEqual([40, 40, 40, null]);
  });

  it.each<[string, (root: string) => unknown]>([
    ["packed refs", (root) => git(root, ["pack-refs", "--all"])],
    ["packed objects", (root) => git(root, ["gc", "--quiet"])],
    [
      "a commit graph and an index of packs",
      (root) => git(root, ["-c", "repack.writeBitmaps=false", "repack", "-ad", "--write-midx"]),
    ],
    ["a detached HEAD", (root) => git(root, ["checkout", "--quiet", "--detach"])],
    ["a Chinese branch", (root) => git(root, ["checkout", "--quiet", "-b", "功能/退避"])],
    ["a branch named like a secret", (root) => git(root, ["checkout", "--quiet", "-b", "secrets/rotate"])],
    [
      "a ref that names a ref",
      (root) =>
        git(root, ["symbolic-ref", "refs/heads/alias", "refs/heads/main"]) +
        git(root, ["symbolic-ref", "HEAD", "refs/heads/alias"]),
    ],
    ["a replaced commit", (root) => git(root, ["replace", "HEAD", "HEAD~1"])],
    [
      "grafts",
      (root) =>
        mkdirSync(join(root, ".git/info")) ??
        writeFileSync(join(root, ".git/info/grafts"), `${git(root, ["rev-parse", "HEAD"])}\n`),
    ],
    ["a broken index", (root) => writeFileSync(join(root, ".git/index"), "junk")],
    ["a configuration nobody can read", (root) => writeFileSync(join(root, ".git/config"), "[core\n\u0000")],
    ["a remote that promises the rest", (root) => git(root, ["config", "extensions.partialClone", "origin"])],
  ])("are the same with %s", async (_, change) => {
    const root = makeRepo([first, second]);
    change(root);
    expect(await subjects(root)).toEqual(["change a", "begin"]);
  });

  it("are read from SHA-256 repositories", async () => {
    const root = makeRepo([first, second], ["--object-format=sha256"]);
    const history = await read(root);
    expect(history?.commits.map(({ id }) => id.length)).toEqual([64, 64]);
    expect(history?.tree?.blobOf("a.ts")).toMatch(/^[0-9a-f]{64}$/);
  });

  it("end where a shallow clone ends", async () => {
    const root = makeRepo([first, second, third]);
    const clone = join(makeFolder(), "clone");
    git(root, ["clone", "--quiet", "--depth=2", `file://${root}`, clone]);
    expect(await subjects(clone)).toEqual(["修复：退避时间", "change a"]);
  });

  it("are read in work trees and submodules that their repository points back to", async () => {
    const root = makeRepo([first]);
    const tree = join(makeFolder(), "tree");
    git(root, ["worktree", "add", "--quiet", "-b", "side", tree]);
    commit(tree, { ...second, subject: "aside" });
    expect(await subjects(tree)).toEqual(["aside", "begin"]);
    const above = makeRepo([third]);
    git(above, ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", root, "lib/inner"]);
    expect(await subjects(join(above, "lib/inner"))).toEqual(["begin"]);
    expect(await subjects(above)).toEqual(["修复：退避时间"]);
  });

  it("are read without writing any file, even from a read-only repository", async () => {
    const root = makeRepo([first, second]);
    const before = [...listTree(root), ...listTree(HISTORY_SETTINGS.plainGit)];
    expect(await subjects(root)).toEqual(["change a", "begin"]);
    expect([...listTree(root), ...listTree(HISTORY_SETTINGS.plainGit)]).toEqual(before);
  });

  it("have no files if they touch many; a long subject is cut", async () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`f${at}.ts`, `${at}`]));
    const root = makeRepo([first, { files: many, subject: "长".repeat(5_000), at: DAY2 }]);
    const history = await read(root);
    expect([history?.commits[0]?.files, history?.commits[0]?.subject]).toEqual([[], "长".repeat(200)]);
  });
});

describe("[ATO-SEC-1] [ATO-PATH-4] no history is read if in doubt", () => {
  const other = makeRepo([{ ...first, subject: "private" }]);
  const otherId = git(other, ["rev-parse", "HEAD"]);
  const pipe = (...parts: string[]) => execFileSync("mkfifo", [join(...parts)]);
  /** Replaces a file or folder in `.git`. */
  const instead = (path: string, make: (place: string) => unknown) => (root: string) => {
    rmSync(join(root, ".git", path), { recursive: true, force: true });
    mkdirSync(join(root, ".git", path, ".."), { recursive: true });
    make(join(root, ".git", path));
  };
  const linked = (path: string) => instead(path, (place) => symlinkSync(join(other, ".git", path), place));
  const moved = (root: string, to: string) => renameSync(join(root, ".git"), to);

  it.each<[string, (root: string) => unknown]>([
    ["no .git", (root) => rmSync(join(root, ".git"), { recursive: true })],
    ["no commit yet", instead("refs/heads/main", () => {})],
    [
      ".git is a link",
      (root) => {
        moved(root, join(root, "moved"));
        symlinkSync("moved", join(root, ".git"));
      },
    ],
    [
      ".git is a pipe",
      (root) => {
        moved(root, join(root, "moved"));
        pipe(root, ".git");
      },
    ],
    ["HEAD is a link", linked("HEAD")],
    ["HEAD is a pipe", instead("HEAD", (place) => pipe(place))],
    ["HEAD is a folder", instead("HEAD", (place) => mkdirSync(place))],
    ["HEAD is endless", instead("HEAD", (place) => symlinkSync("/dev/zero", place))],
    ["HEAD leads out", instead("HEAD", (place) => writeFileSync(place, `ref: refs/../../../${"x"}\n`))],
    ["HEAD names an option", instead("HEAD", (place) => writeFileSync(place, "--output=/tmp/x\n"))],
    ["HEAD names no ref", instead("HEAD", (place) => writeFileSync(place, "ref: HEAD\n"))],
    ["HEAD names a commit that is not there", instead("HEAD", (place) => writeFileSync(place, `${otherId}\n`))],
    [
      "refs go in a circle",
      (root) => instead("refs/heads/main", (place) => writeFileSync(place, "ref: refs/heads/main\n"))(root),
    ],
    ["refs is a link", linked("refs")],
    ["the ref is a pipe", instead("refs/heads/main", (place) => pipe(place))],
    [
      "packed refs are a pipe",
      (root) => {
        rmSync(join(root, ".git/refs/heads/main"));
        pipe(root, ".git/packed-refs");
      },
    ],
    [
      "packed refs are endless",
      (root) => {
        rmSync(join(root, ".git/refs/heads/main"));
        symlinkSync("/dev/zero", join(root, ".git/packed-refs"));
      },
    ],
    ["objects are a link", linked("objects")],
    ["packs are a link", linked("objects/pack")],
    [
      "objects borrowed by alternates",
      instead("objects/info/alternates", (place) => writeFileSync(place, join(other, ".git/objects"))),
    ],
    ["alternates are a pipe", instead("objects/info/alternates", (place) => pipe(place))],
    ["alternates are endless", instead("objects/info/alternates", (place) => symlinkSync("/dev/zero", place))],
    ["a folder of objects is a link", instead("objects/00", (place) => symlinkSync("/", place))],
    ["an object is a link", instead("objects/00/0000", (place) => symlinkSync("/dev/zero", place))],
    ["an object is a pipe", instead("objects/00/0000", (place) => pipe(place))],
    ["a pack is a pipe", instead("objects/pack/pack-0.idx", (place) => pipe(place))],
    ["the end of a shallow clone is a pipe", instead("shallow", (place) => pipe(place))],
    ["a commondir elsewhere", instead("commondir", (place) => writeFileSync(place, join(other, ".git")))],
    ["a commondir link to nothing", instead("commondir", (place) => symlinkSync("nothing", place))],
    [
      "a gitdir file to another repository",
      (root) => {
        moved(root, join(root, "moved"));
        writeFileSync(join(root, ".git"), `gitdir: ${other}/.git\n`);
      },
    ],
    [
      "a gitdir file to a folder of its own",
      (root) => {
        moved(root, join(root, "moved"));
        writeFileSync(join(root, ".git"), "gitdir: moved\n");
      },
    ],
    [
      "a gitdir file to a pipe",
      (root) => {
        moved(root, join(root, "moved"));
        pipe(root, "pipe");
        writeFileSync(join(root, ".git"), "gitdir: pipe\n");
      },
    ],
    [
      "a damaged commit",
      (root) => {
        const id = git(root, ["rev-parse", "HEAD"]);
        const file = join(root, ".git/objects", id.slice(0, 2), id.slice(2));
        chmodSync(file, 0o644);
        writeFileSync(file, "junk");
      },
    ],
    [
      "reftable",
      (root) => {
        rmSync(join(root, ".git/refs"), { recursive: true });
        mkdirSync(join(root, ".git/refs"));
        writeFileSync(join(root, ".git/refs/heads"), "x");
        writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/.invalid\n");
      },
    ],
  ])("%s", async (_, change) => {
    const root = makeRepo([first]);
    const head = git(root, ["rev-parse", "HEAD"]);
    change(root);
    expect(await read(root)).toBe(null);
    // Comparing keys examines no objects, so nothing can block it either.
    expect([null, head, otherId]).toContain(readHeadKey(root));
  });

  it("a work tree is accepted only if its repository points back to it", async () => {
    const tree = join(makeFolder(), "tree");
    git(other, ["worktree", "add", "--quiet", "-b", "side", tree]);
    const copy = makeFolder({ ".git": readFileSync(join(tree, ".git"), "utf8") });
    expect([findHistoryStart(tree) === null, findHistoryStart(copy)]).toEqual([false, null]);
    const forged = makeFolder({
      "main/.git/worktrees/x/HEAD": `${otherId}\n`,
      "main/.git/worktrees/x/commondir": `${other}/.git\n`,
    });
    mkdirSync(join(forged, "tree"));
    writeFileSync(join(forged, "tree/.git"), "gitdir: ../main/.git/worktrees/x\n");
    writeFileSync(join(forged, "main/.git/worktrees/x/gitdir"), join(forged, "tree/.git"));
    expect(findHistoryStart(join(forged, "tree"))).toBe(null);
  });

  it("a submodule is accepted only if the enclosing repository points back to it", async () => {
    const above = makeRepo([first]);
    git(above, ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "inner"]);
    mkdirSync(join(above, "vendor"));
    writeFileSync(join(above, "vendor/.git"), "gitdir: ../.git/modules/inner\n");
    expect([findHistoryStart(join(above, "inner")) === null, findHistoryStart(join(above, "vendor"))]).toEqual([
      false,
      null,
    ]);
    const outside = makeFolder({ ".git": `gitdir: ${above}/.git/modules/inner\n` });
    expect(findHistoryStart(outside)).toBe(null);
  });

  it("without git, or without time", async () => {
    const root = makeRepo([first]);
    expect(await read(root, { ...HISTORY_SETTINGS, path: "" })).toBe(null);
    expect(await read(root, { ...HISTORY_SETTINGS, plainGit: "/nowhere" })).toBe(null);
    const stopped = AbortSignal.abort();
    expect(await readHistory(root, HISTORY_SETTINGS, { commits: 200, signal: stopped })).toBe(null);
    const slow = makeFolder({ git: "#!/bin/sh\nexec sleep 60\n" });
    chmodSync(join(slow, "git"), 0o755);
    const usualMs = countUsualMs();
    expect(await read(root, { ...HISTORY_SETTINGS, path: slow }, 200)).toBe(null);
    expect(usualMs()).toBeLessThan(2_000);
  });

  it("the output of git is cut if there is too much", async () => {
    const root = makeRepo([first]);
    const flood = makeFolder({ git: "#!/bin/sh\nexec yes\n" });
    chmodSync(join(flood, "git"), 0o755);
    expect(await read(root, { ...HISTORY_SETTINGS, path: flood }, 300)).toBe(null);
  });
});

describe("parsing the output of git", () => {
  it("accepts any text", () => {
    const tokens = fc.oneof(
      fc.string(),
      fc.constantFrom("\u0001", `\u0001${"a".repeat(40)}`, "\n", "", "9e99", "-1", "__proto__"),
    );
    fc.assert(
      fc.property(fc.array(tokens, { maxLength: 40 }), fc.boolean(), (list, isCut) => {
        for (const { atMs, subject, author } of parseLog(list.join("\0"), isCut)) {
          expect(new Date(atMs).toISOString()).toMatch(/Z$/);
          expect(`${subject}${author}`).not.toMatch(/[\n\0]/);
        }
      }),
    );
  });

  it("drops the commit at which the output was cut", () => {
    const log = ["a", "b"].map((id) => `\u0001${id.repeat(40)}\u00001\u0000n\u0000${id}\u0000\nx.ts\u0000`).join("");
    expect(parseLog(log, true).map(({ subject }) => subject)).toEqual(["a"]);
    expect(parseLog(log, false).map(({ atMs, files }) => [atMs, files])).toEqual([
      [1_000, ["x.ts"]],
      [1_000, ["x.ts"]],
    ]);
  });
});
