import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { toInside } from "./jail.ts";
import { findRepoRoot, toRealFolder } from "./repo-root.ts";

/** True for a file, or a link to one, that we may start. Contract: never throws. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Returns `path` without relative entries and without entries inside `root`, whether by name or through symlinks. */
export function outsideOf(root: string | null, path: string): string {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && (root === null || !isInsideOf(root, folder)))
    .join(delimiter);
}

function isInsideOf(root: string, folder: string): boolean {
  try {
    return toInside(root, realpathSync(folder)) !== null;
  } catch {
    // A folder that does not exist yet may be created later under this name.
    return toInside(root, folder) !== null;
  }
}

/**
 * The environment for programs started for a folder. Its PATH contains nothing of the work tree, or a repository could
 * supply its own codex, and its own node for our shebang lines.
 */
export function withSafePath(env: NodeJS.ProcessEnv, folder: string): NodeJS.ProcessEnv & { readonly PATH: string } {
  const real = toRealFolder(folder);
  const found = real === null ? null : findRepoRoot(real);
  return { ...env, PATH: outsideOf(found?.source === "git" ? found.root : null, env["PATH"] ?? "") };
}

/**
 * Absolute path of a program on `path`, or null. Contract: never returns a program inside `root`, whether by name or
 * through a symlink, and ignores relative entries of `path`, so that a repository cannot supply its own program.
 * Without a `root`, every absolute entry of `path` is searched.
 */
export function findProgram(name: string, path: string, root: string | null): string | null {
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const file = join(folder, name);
    if (!isExecutable(file)) continue;
    try {
      const real = realpathSync(file);
      if (root === null || (toInside(root, realpathSync(folder)) === null && toInside(root, real) === null))
        return file;
    } catch {
      // Removed in the meantime.
    }
  }
  return null;
}
