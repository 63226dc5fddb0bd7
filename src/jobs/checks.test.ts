import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { commit, git, gitEnv } from "../../tests/support/git-repo.ts";
import { makeFolder } from "../../tests/support/temp-folder.ts";
import { checkDone, openGit, type Requirements } from "./checks.ts";

const NOTHING: Requirements = {
  requireChangeIn: [],
  requireGitCommit: false,
  autoCommit: false,
  autoCommitMessage: "docs(progress): auto update",
};

function makeRepo() {
  const folder = makeFolder();
  git(folder, ["init", "--quiet"]);
  const before = commit(folder, {
    files: { "a.txt": "a", "docs/x.md": "x" },
    subject: "first",
    at: "2026-01-01T00:00:00Z",
  });
  return { folder, before };
}

function write(folder: string, path: string, text = "new"): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

async function check(folder: string, before: string, required: Partial<Requirements>, more = {}) {
  const env = { ...gitEnv(folder), ...more };
  const opened = await openGit({ cwd: folder, env, signal: new AbortController().signal });
  return checkDone(opened, before, { ...NOTHING, ...required });
}

describe("what a finished task is held to [CNI-19]", () => {
  it("nothing, where nothing is required: also without git", async () => {
    expect(await checkDone(null, "", NOTHING)).toEqual({ why: "", notes: [] });
    expect(await check(makeFolder(), "", { requireGitCommit: true })).toEqual({ why: "不是 git 工作区", notes: [] });
    const { folder, before } = makeRepo();
    expect(await check(folder, before, { requireGitCommit: true }, { PATH: "/none" })).toMatchObject({
      why: "不是 git 工作区",
    });
  });

  it("a commit", async () => {
    const { folder, before } = makeRepo();
    write(folder, "a.txt");
    expect(await check(folder, before, { requireGitCommit: true })).toEqual({ why: "缺少提交", notes: [] });
    git(folder, ["commit", "--quiet", "--all", "--message", "second"]);
    expect(await check(folder, before, { requireGitCommit: true })).toEqual({ why: "", notes: [] });
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
    const { folder, before } = makeRepo();
    write(folder, path);
    const { why } = await check(folder, before, { requireChangeIn: [place] });
    expect(why).toBe(counts ? "" : "未检测到匹配变更");
  });

  it("a committed change, a removed file and a staged one count; our own folder does not", async () => {
    const { folder, before } = makeRepo();
    write(folder, ".codex-father/sessions/x/job.log");
    expect((await check(folder, before, { requireChangeIn: ["*"] })).why).not.toBe("");
    rmSync(join(folder, "a.txt"));
    expect((await check(folder, before, { requireChangeIn: ["a.txt"] })).why).toBe("");
    git(folder, ["rm", "--quiet", "--cached", "docs/x.md"]);
    expect((await check(folder, before, { requireChangeIn: ["docs/*"] })).why).toBe("");
    git(folder, ["commit", "--quiet", "--all", "--message", "second"]);
    expect((await check(folder, before, { requireChangeIn: ["a.txt"], requireGitCommit: true })).why).toBe("");
  });

  it("before the first commit", async () => {
    const folder = makeFolder({ "a.txt": "a" });
    git(folder, ["init", "--quiet"]);
    expect((await check(folder, "", { requireChangeIn: ["a.txt"] })).why).toBe("");
    expect(await check(folder, "", { requireGitCommit: true, autoCommit: true })).toEqual({
      why: "",
      notes: ["[auto-commit] 1 changed file committed"],
    });
  });
});

describe("the commit at the end [CNI-19]", () => {
  it("takes everything but our own folder, whatever the names are", async () => {
    const { folder, before } = makeRepo();
    for (const path of ["a.txt", "b c.txt", ":(glob)*", "-x", "标题.md", ".codex-father/sessions/x/job.log"])
      write(folder, path);
    rmSync(join(folder, "docs/x.md"));
    expect(await check(folder, before, { requireGitCommit: true, autoCommit: true })).toEqual({
      why: "",
      notes: ["[auto-commit] 6 changed files committed"],
    });
    expect(git(folder, ["log", "-1", "--format=%s"])).toBe("docs(progress): auto update");
    expect(git(folder, ["status", "--porcelain"])).toBe("?? .codex-father/");
  });

  it("takes what is required, where something is", async () => {
    const { folder, before } = makeRepo();
    write(folder, "a.txt");
    write(folder, "docs/x.md");
    const required = { requireChangeIn: ["docs/*"], autoCommit: true, autoCommitMessage: "-m mine\n\nbody" };
    expect((await check(folder, before, required)).notes).toEqual(["[auto-commit] 1 changed file committed"]);
    expect(git(folder, ["show", "--format=%s", "--name-only"])).toBe("-m mine\n\ndocs/x.md");
    expect(git(folder, ["status", "--porcelain"])).toBe("M a.txt");
  });

  it("that fails is told", async () => {
    const { folder, before } = makeRepo();
    write(folder, ".git/hooks/pre-commit", "#!/bin/sh\necho no commits today >&2\nexit 1\n");
    git(folder, ["config", "core.hooksPath", join(folder, ".git/hooks")]);
    chmodSync(join(folder, ".git/hooks/pre-commit"), 0o755);
    write(folder, "a.txt");
    expect(await check(folder, before, { requireGitCommit: true, autoCommit: true })).toEqual({
      why: "缺少提交",
      notes: ["[auto-commit] git commit failed: no commits today"],
    });
  });

  it("is none where nothing changed", async () => {
    const { folder, before } = makeRepo();
    expect(await check(folder, before, { autoCommit: true })).toEqual({ why: "", notes: [] });
  });
});
