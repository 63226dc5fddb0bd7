import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** How the root was determined. */
type RootSource = "env" | "config" | "git" | "no-git-root";

/** The folder whose files may be read. */
export interface RepoRoot {
  readonly root: string;
  readonly source: RootSource;
}

/**
 * The top of the git work tree that contains `folder`, or the folder itself. Contract: the result is the folder or one
 * of its ancestors. Runs no git process and ignores `core.worktree`, the target of a `gitdir:` file and inherited GIT_*
 * variables, because a repository must not choose what we read.
 */
export function findRepoRoot(folder: string): RepoRoot {
  const start = realpathSync(folder);
  for (let at = start; ; at = dirname(at)) {
    if (isWorkTreeTop(at)) return { root: at, source: "git" };
    if (dirname(at) === at) return { root: start, source: "no-git-root" };
  }
}

/** Real path of a folder, or null if it does not exist. */
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
    // A linked work tree or submodule: a small file that names its git directory, which we never follow.
    return stats.isFile() && stats.size < 8_192 && readFileSync(git, "utf8").startsWith("gitdir:");
  } catch {
    return false;
  }
}
