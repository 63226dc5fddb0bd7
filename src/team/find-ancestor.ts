import type { GitObjects } from "../engine/history/git-objects.ts";
import type { ListedBase } from "./documents.ts";

/** Number of commits to search: few at first, because a checkout is rarely far behind the published commits. */
const STEPS = [1_000, 200_000] as const;
const MAX_LINE_BYTES = 65;

/**
 * Finds the base nearest to a commit: that of the commit itself or of its newest ancestor with a base; null if there is
 * none. Contract: null for a commit that this repository does not have.
 */
export async function findAncestor(
  git: GitObjects,
  commit: string,
  bases: readonly ListedBase[],
): Promise<ListedBase | null> {
  const byCommit = new Map(bases.map((base) => [base.commit, base]));
  for (const most of STEPS) {
    const { stdout } = await git.ask(["rev-list", `--max-count=${most}`, commit], most * MAX_LINE_BYTES);
    const commits = stdout.split("\n");
    const nearest = commits.find((id) => byCommit.has(id));
    if (nearest !== undefined) return byCommit.get(nearest) ?? null;
    if (commits.length <= most) return null;
  }
  return null;
}
