import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { commit, git, gitEnv, HISTORY_SETTINGS } from "../../../tests/support/git-repo.ts";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { findHistoryStart } from "../../engine/history/git-folder.ts";
import { checkDone, openGit } from "./checks.ts";

type Requirements = Parameters<typeof checkDone>[1];

const NOTHING: Requirements = {
  requireChangeIn: [],
  requireGitCommit: false,
  autoCommit: false,
  autoCommitMessage: "docs(progress): auto update",
  commitHooks: false,
};
const gitSource = { findStart: findHistoryStart, plainGit: HISTORY_SETTINGS.plainGit };

function makeRepo(options: readonly string[] = []) {
  const folder = makeFolder();
  git(folder, ["init", "--quiet", ...options]);
  commit(folder, { files: { "a.txt": "a", "docs/x.md": "x" }, subject: "first", at: "2026-01-01T00:00:00Z" });
  return folder;
}

function write(folder: string, path: string, text = "new"): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Performs a run's work and checks it against the requirements. */
async function check(folder: string, required: Partial<Requirements>, work: () => void = () => {}, more = {}) {
  const env = { ...gitEnv(folder), ...more };
  const opened = await openGit({ cwd: folder, env, signal: new AbortController().signal, gitSource });
  work();
  return checkDone(opened, { ...NOTHING, ...required });
}

const namesOf = (folder: string) => git(folder, ["show", "--format=", "--name-only"]).split("\n");

describe("requirements on a finished task [CNI-19]", () => {
  it("are met without git if there are none, and only then", async () => {
    expect(await checkDone(null, NOTHING)).toEqual({ why: "", notes: [] });
    expect(await check(makeFolder(), { requireGitCommit: true })).toEqual({ why: "不是 git 工作区", notes: [] });
    const folder = makeRepo();
    expect(await check(folder, { requireGitCommit: true }, () => {}, { PATH: "/none" })).toMatchObject({
      why: "不是 git 工作区",
    });
  });

  it("can include a new commit", async () => {
    const folder = makeRepo();
    const required = { requireGitCommit: true };
    expect(await check(folder, required, () => write(folder, "a.txt"))).toEqual({ why: "缺少提交", notes: [] });
    const work = () => void git(folder, ["commit", "--quiet", "--all", "--message", "second"]);
    expect(await check(folder, required, work)).toEqual({ why: "", notes: [] });
  });

  it.each([
    ["docs/*", "docs/deep/y.md", true],
    ["docs/**/*.md", "docs/deep/y.md", true],
    ["*.md", "docs/x.md", true],
    ["./docs/x.md", "docs/x.md", true],
    ["docs/?.md", "docs/x.md", true],
    ["docs/[!x].md", "docs/x.md", false],
    ["docs", "docs/x.md", false],
    ["src/*", "docs/x.md", false],
    ["a.txt", "aXtxt", false],
    ["[", "a.txt", false],
    ["标 题*", "标 题.md", true],
  ])("a change in %s: %s counts: %s", async (place, path, counts) => {
    const folder = makeRepo();
    const { why } = await check(folder, { requireChangeIn: [place] }, () => write(folder, path));
    expect(why).toBe(counts ? "" : "未检测到匹配变更");
  });

  it("count a committed change, a removed file and a staged one, but not our own folder", async () => {
    const folder = makeRepo();
    const own = () => write(folder, ".codex-father/sessions/x/job.log");
    expect((await check(folder, { requireChangeIn: ["*"] }, own)).why).not.toBe("");
    expect((await check(folder, { requireChangeIn: ["a.txt"] }, () => rmSync(join(folder, "a.txt")))).why).toBe("");
    const unstage = () => void git(folder, ["rm", "--quiet", "--cached", "docs/x.md"]);
    expect((await check(folder, { requireChangeIn: ["docs/*"] }, unstage)).why).toBe("");
    const all = () => void git(folder, ["commit", "--quiet", "--all", "--message", "second"]);
    expect((await check(folder, { requireChangeIn: ["a.txt"], requireGitCommit: true }, all)).why).toBe("");
  });

  it("[G B.5] ignore a change from before the run, unless the file is changed again", async () => {
    const folder = makeRepo();
    write(folder, "a.txt", "mine");
    expect((await check(folder, { requireChangeIn: ["a.txt"] })).why).toBe("未检测到匹配变更");
    const again = () => write(folder, "a.txt", "theirs");
    expect((await check(folder, { requireChangeIn: ["a.txt"] }, again)).why).toBe("");
    const back = () => write(folder, "a.txt", "a");
    expect((await check(folder, { requireChangeIn: ["a.txt"] }, back)).why).toBe("");
  });

  it.each([[[]], [["--object-format=sha256"]]])("apply before the first commit too: %j", async (options) => {
    const folder = makeFolder();
    git(folder, ["init", "--quiet", ...options]);
    const work = () => write(folder, "a.txt");
    expect((await check(folder, { requireChangeIn: ["a.txt"] }, work)).why).toBe("");
    rmSync(join(folder, "a.txt"));
    expect(await check(folder, { requireGitCommit: true, autoCommit: true }, work)).toEqual({
      why: "",
      notes: ["[auto-commit] 1 changed file committed"],
    });
    expect(git(folder, ["status", "--porcelain"])).toBe("");
    const more = () => void commit(folder, { files: { "b.txt": "b" }, subject: "b", at: "2026-01-02T00:00:00Z" });
    expect((await check(folder, { requireChangeIn: ["b.txt"], requireGitCommit: true }, more)).why).toBe("");
  });
});

describe("the commit at the end [CNI-19]", () => {
  it("contains everything that the run changed except our own folder, whatever the names", async () => {
    const folder = makeRepo();
    const work = () => {
      for (const path of ["a.txt", "b c.txt", ":(glob)*", "-x", "标题.md", ".codex-father/sessions/x/job.log"])
        write(folder, path);
      rmSync(join(folder, "docs/x.md"));
    };
    expect(await check(folder, { requireGitCommit: true, autoCommit: true }, work)).toEqual({
      why: "",
      notes: ["[auto-commit] 6 changed files committed"],
    });
    expect(git(folder, ["log", "-1", "--format=%s %an %ae"])).toBe("docs(progress): auto update Ada ada@example.org");
    expect(git(folder, ["reflog", "-1", "--format=%gs"])).toBe("commit: docs(progress): auto update");
    expect(git(folder, ["status", "--porcelain"])).toBe("?? .codex-father/");
    expect(git(folder, ["fsck", "--strict"])).toBe("");
  });

  it("contains only the required files if there are any", async () => {
    const folder = makeRepo();
    const required = { requireChangeIn: ["docs/*"], autoCommit: true, autoCommitMessage: "-m mine\n\nbody" };
    const work = () => {
      write(folder, "a.txt");
      write(folder, "docs/x.md");
    };
    expect((await check(folder, required, work)).notes).toEqual(["[auto-commit] 1 changed file committed"]);
    expect(git(folder, ["show", "--format=%s", "--name-only"])).toBe("-m mine\n\ndocs/x.md");
    expect(git(folder, ["status", "--porcelain"])).toBe("M a.txt");
  });

  it.each([false, true])(
    "[G B.5] contains nothing that was changed or staged before the run; hooks: %s",
    async (commitHooks) => {
      const folder = makeRepo();
      commit(folder, { files: { "b.txt": "b", "c.txt": "c" }, subject: "more", at: "2026-01-02T00:00:00Z" });
      write(folder, "foreign.txt", "staged before");
      git(folder, ["add", "foreign.txt"]);
      write(folder, "a.txt", "changed before");
      write(folder, "c.txt", "changed before");
      write(folder, "untracked.txt", "there before");
      write(folder, ".gitignore", "*.ignored\n");
      const work = () => {
        write(folder, "b.txt", "by the run");
        write(folder, "new.txt", "by the run");
        write(folder, "x.ignored", "by the run");
        write(folder, "c.txt", "by both");
        write(folder, ".codex-father/sessions/x/job.log");
      };
      expect(await check(folder, { requireGitCommit: true, autoCommit: true, commitHooks }, work)).toEqual({
        why: "",
        notes: [
          "[auto-commit] 2 changed files committed",
          "[auto-commit] 1 file left out, changed before the run as well: c.txt",
        ],
      });
      expect(namesOf(folder)).toEqual(["b.txt", "new.txt"]);
      expect(
        git(folder, ["status", "--porcelain"])
          .split("\n")
          .map((line) => line.trim())
          .sort(),
      ).toEqual(["?? .codex-father/", "?? .gitignore", "?? untracked.txt", "A  foreign.txt", "M a.txt", "M c.txt"]);
    },
  );

  it("[G B.5] contains what the run itself staged, also in a linked work tree and with a detached HEAD", async () => {
    const main = makeRepo();
    const folder = join(makeFolder(), "tree");
    git(main, ["worktree", "add", "--quiet", "--detach", folder]);
    const work = () => {
      write(folder, "a.txt");
      git(folder, ["add", "a.txt"]);
    };
    const { notes } = await check(folder, { requireGitCommit: true, autoCommit: true }, work);
    expect(notes).toEqual(["[auto-commit] 1 changed file committed"]);
    expect(namesOf(folder)).toEqual(["a.txt"]);
    expect(git(folder, ["status", "--porcelain"])).toBe("");
    expect(git(main, ["log", "-1", "--format=%s"])).toBe("first");
  });

  it("[G D.7] runs nothing that the repository names, neither for reading nor for committing", async () => {
    const folder = makeRepo();
    const marks = makeFolder();
    const trap = join(makeFolder({ "trap.sh": `#!/bin/sh\ntouch "${marks}/$1"\ncat\nexit 1\n` }), "trap.sh");
    chmodSync(trap, 0o755);
    const hooks = [
      "pre-commit",
      "commit-msg",
      "post-commit",
      "reference-transaction",
      "post-index-change",
      "pre-auto-gc",
    ];
    for (const hook of hooks) {
      write(folder, `.git/hooks/${hook}`, `#!/bin/sh\ntouch "${marks}/${hook}"\nexit 1\n`);
      chmodSync(join(folder, ".git/hooks", hook), 0o755);
    }
    const settings = [
      ["core.hooksPath", join(folder, ".git/hooks")],
      ["core.fsmonitor", `${trap} fsmonitor`],
      ["filter.any.clean", `${trap} clean`],
      ["filter.any.process", `${trap} process`],
      ["gpg.program", trap],
      ["commit.gpgSign", "true"],
      ["diff.external", `${trap} diff`],
      ["core.pager", `${trap} pager`],
      ["gc.recentObjectsHook", `${trap} gc`],
    ] as const;
    for (const [name, value] of settings) git(folder, ["config", name, value]);
    write(folder, ".git/info/attributes", "*.txt filter=any\n");
    const work = () => {
      write(folder, "a.txt");
      write(folder, "docs/new.md");
    };
    const required = { requireChangeIn: ["*.txt", "*.md"], requireGitCommit: true, autoCommit: true };
    expect(await check(folder, required, work)).toEqual({
      why: "",
      notes: ["[auto-commit] 2 changed files committed"],
    });
    for (const mark of [...hooks, "fsmonitor", "clean", "process", "diff", "pager", "gc"])
      expect(existsSync(join(marks, mark)), mark).toBe(false);
  });

  it("[G D.7] leaves out files with a filter and reports them", async () => {
    const folder = makeRepo();
    commit(folder, { files: { ".gitattributes": "*.bin filter=lfs\n" }, subject: "lfs", at: "2026-01-02T00:00:00Z" });
    const work = () => {
      write(folder, "big.bin");
      write(folder, "a.txt");
    };
    expect((await check(folder, { autoCommit: true }, work)).notes).toEqual([
      "[auto-commit] 1 changed file committed",
      "[auto-commit] 1 file left out, a filter of the repository's is not run without --commit-hooks: big.bin",
    ]);
    expect(namesOf(folder)).toEqual(["a.txt"]);
  });

  it("[G D.7] runs hooks if requested, and reports their refusal", async () => {
    const folder = makeRepo();
    write(folder, ".git/hooks/pre-commit", "#!/bin/sh\necho no commits today >&2\nexit 1\n");
    git(folder, ["config", "core.hooksPath", join(folder, ".git/hooks")]);
    chmodSync(join(folder, ".git/hooks/pre-commit"), 0o755);
    const required = { requireGitCommit: true, autoCommit: true };
    expect(await check(folder, { ...required, commitHooks: true }, () => write(folder, "a.txt"))).toEqual({
      why: "缺少提交",
      notes: ["[auto-commit] git commit failed: no commits today"],
    });
    git(folder, ["checkout", "--quiet", "a.txt"]);
    expect(await check(folder, required, () => write(folder, "a.txt"))).toMatchObject({ why: "" });
  });

  it("that fails is reported and changes nothing", async () => {
    const folder = makeRepo();
    write(folder, ".git/MERGE_HEAD", `${git(folder, ["rev-parse", "HEAD"])}\n`);
    const required = { requireGitCommit: true, autoCommit: true };
    expect(await check(folder, required, () => write(folder, "a.txt"))).toEqual({
      why: "缺少提交",
      notes: ["[auto-commit] git commit failed: something is half done in this repository (MERGE_HEAD); end it first"],
    });
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("new");
  });

  it("is not made if nothing changed", async () => {
    expect(await check(makeRepo(), { autoCommit: true })).toEqual({ why: "", notes: [] });
  });

  it("contains a link as a link, not its target", async () => {
    const folder = makeRepo();
    const outside = makeFolder({ "secret.txt": "s" });
    const work = () => symlinkSync(outside, join(folder, "link"));
    expect((await check(folder, { autoCommit: true }, work)).notes).toEqual(["[auto-commit] 1 changed file committed"]);
    expect(git(folder, ["ls-tree", "-r", "HEAD", "link"])).toMatch(/^120000 /);
  });
});
