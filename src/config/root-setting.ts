import { resolve } from "node:path";
import { toInside } from "../base/jail.ts";
import { isExcludedPath, isSensitivePath } from "../base/path-rules.ts";
import { type RepoRoot, toRealFolder } from "../base/repo-root.ts";
import { LIMITS, type Limit } from "../contract/limits.ts";
import { applyFile, type SettingsDraft, type SettingsFile, setValue } from "./file-settings.ts";
import { SETTINGS } from "./settings.ts";

/**
 * Applies a settings file including its root, and returns the resulting root. Contract: `repo_root` must be a folder
 * inside `base` that is neither sensitive nor excluded (below such a folder, its rules would no longer match); for a
 * file that may only restrict, it must also be inside `current`. Anything else leaves the root unchanged and is
 * reported as a limit.
 */
export function applyFileWithRoot(
  draft: SettingsDraft,
  file: SettingsFile,
  { base, current }: { readonly base: RepoRoot; readonly current: RepoRoot },
): RepoRoot {
  const before = [draft.values.repoRoot, draft.origins.repoRoot] as const;
  applyFile(draft, file);
  const wanted = draft.values.repoRoot;
  if (base.source === "env" || wanted === before[0]) return current;
  const real = toRealFolder(resolve(base.root, wanted));
  const inside = real === null ? null : toInside(base.root, real);
  const named = `${SETTINGS.repoRoot.key}: ${wanted}`;
  let refusal: Limit | null = null;
  if (real === null) refusal = LIMITS.pathRefused(`${named} is not a folder`);
  else if (inside === null) refusal = LIMITS.pathOutside(named);
  else if (inside !== "" && (isSensitivePath(inside) || isExcludedPath(inside)))
    refusal = LIMITS.pathRefused(`${named} is a place that is never read`);
  else if (file.origin === "repository file" && toInside(current.root, real) === null)
    refusal = LIMITS.pathRefused(`${named} lies outside your own ${SETTINGS.repoRoot.key}`);
  if (refusal === null && real !== null) return { root: real, source: "config" };
  if (refusal !== null) draft.limits.push(refusal);
  setValue(draft, "repoRoot", ...before);
  return current;
}
