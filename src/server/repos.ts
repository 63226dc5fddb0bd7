import type { Transaction } from "./database.ts";
import { refusal } from "./http.ts";

/** Name of a repository on a server; used in URLs. */
const REPO_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
/** Stands for every repository in a grant. */
export const ALL_REPOS = "*";

/** Reply for anything that does not exist or that the token may not read. */
export const MISSING = refusal(404, "there is nothing here that this token may read");
/** Reply for a token that may not publish. */
export const MAY_NOT = refusal(403, "this token may not publish here");

/** True for a valid repository name. */
export function isRepoName(name: string): boolean {
  return REPO_NAME.test(name);
}

/**
 * True if the holder has this right for a repository of this name, whether or not it exists. Contract: depends on the
 * token's grants alone, so that not even timing distinguishes a repository that does not exist from one that is not the
 * holder's. The name must not be looked up in the database: a lookup takes longer for a name that many rows of other
 * repositories have.
 */
export function hasGrant(granted: readonly string[], repo: string): boolean {
  return granted.includes(ALL_REPOS) || granted.includes(repo);
}

/**
 * Returns the id of a repository, creating it if necessary. Contract: `name` is valid, and the holder may publish it.
 */
export async function openRepo({ rows, change }: Transaction, name: string): Promise<number> {
  await change("INSERT INTO groundwork.repos (name) VALUES ($1) ON CONFLICT DO NOTHING", name);
  const [row] = await rows("SELECT id FROM groundwork.repos WHERE name = $1", name);
  return Number(row?.["id"]);
}
