import { outsideOf } from "../base/find-program.ts";
import { findRepoRoot, toRealFolder } from "../base/repo-root.ts";

/**
 * The environment for programs started for a folder. Its PATH contains nothing of the work tree, or a repository could
 * supply its own codex, and its own node for our shebang lines.
 */
export function withSafePath(env: NodeJS.ProcessEnv, folder: string): NodeJS.ProcessEnv & { readonly PATH: string } {
  const real = toRealFolder(folder);
  const found = real === null ? null : findRepoRoot(real);
  return { ...env, PATH: outsideOf(found?.source === "git" ? found.root : null, env["PATH"] ?? "") };
}
