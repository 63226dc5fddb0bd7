import type { GitObjects } from "../engine/history/git-objects.ts";
import type { ListedBase } from "./documents.ts";

/** Commits that are looked through: few first, because a checkout is rarely far behind what was published. */
const STEPS = [1_000, 200_000] as const;
const MAX_LINE_BYTES = 65;

/**
 * The base nearest to a commit: of the commit itself, or of its newest ancestor that has one; null if there is none. Contract: a
 * commit that this repository does not have is none.
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
    for (const id of commits) {
      const found = byCommit.get(id);
      if (found !== undefined) return found;
    }
    if (commits.length <= most) return null;
  }
  return null;
}
