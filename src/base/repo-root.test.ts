import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GIT_FILES, makeFolder } from "../../tests/support/temp-folder.ts";
import { findRepoRoot } from "./repo-root.ts";

describe("[ATO-PATH-1] [ATO-PATH-3] the root", () => {
  it("is the top of the git work tree, from any subfolder", () => {
    const root = makeFolder({ ...GIT_FILES, "packages/app/src/a.ts": "" });
    expect(findRepoRoot(join(root, "packages/app/src"))).toEqual({ root, source: "git" });
  });

  it("[ATO-PATH-2] is the folder itself without git", () => {
    const root = makeFolder({ "src/a.ts": "" });
    expect(findRepoRoot(join(root, "src"))).toEqual({ root: join(root, "src"), source: "no-git-root" });
  });

  it("is never chosen by the repository", () => {
    const elsewhere = makeFolder();
    const root = makeFolder({ ...GIT_FILES, ".git/config": `[core]\n\tworktree = ${elsewhere}\n`, "sub/a.ts": "" });
    expect(findRepoRoot(join(root, "sub")).root).toBe(root);
    writeFileSync(join(root, "sub", ".git"), `gitdir: ${elsewhere}\n`);
    expect(findRepoRoot(join(root, "sub")).root).toBe(join(root, "sub"));
  });

  it("an empty .git folder or a bare repository is not a work tree", () => {
    const root = makeFolder({ HEAD: "ref: refs/heads/main\n", "objects/.keep": "", "src/.git/.keep": "" });
    mkdirSync(join(root, "refs"));
    expect(findRepoRoot(join(root, "src")).source).toBe("no-git-root");
  });
});
