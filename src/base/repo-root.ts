import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where the root came from. */
export type RootSource = "env" | "config" | "git" | "no-git-root";

/** The folder whose files may be read. */
export interface RepoRoot {
  readonly root: string;
  readonly source: RootSource;
}

/**
 * The top of the git work tree around `folder`, else the folder itself. Contract: only an ancestor of the folder (or
 * the folder) can be the answer. No git process runs and neither `core.worktree` nor the target of a `gitdir:` file nor
 * an inherited GIT_* variable has a say, because a repository must not choose what we read.
 */
export function findRepoRoot(folder: string): RepoRoot {
  const start = realpathSync(folder);
  for (let at = start; ; at = dirname(at)) {
    if (isWorkTreeTop(at)) return { root: at, source: "git" };
    if (dirname(at) === at) return { root: start, source: "no-git-root" };
  }
}

/** Real path of a folder, or null where there is none. */
export function toRealFolder(path: string): string | null {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : null;
  } catch {
    return null;
  }
}

function isWorkTreeTop(folder: string): boolean {
  const git = join(folder, ".git");
  try {
    const stats = statSync(git);
    if (stats.isDirectory())
      return statSync(join(git, "HEAD")).isFile() && statSync(join(git, "objects")).isDirectory();
    // A work tree or submodule: a small file that names its git directory, which we never follow.
    return stats.isFile() && stats.size < 8_192 && readFileSync(git, "utf8").startsWith("gitdir:");
  } catch {
    return false;
  }
}
