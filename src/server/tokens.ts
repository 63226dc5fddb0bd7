import { fail, type Outcome, succeed } from "../contract/faults.ts";
import type { TeamDatabase, Transaction } from "./database.ts";
import { refusal } from "./http.ts";
import { makeSecret } from "./secret.ts";
import type { SqlRow } from "./sql.ts";

/** Permissions of a token. */
export interface TokenRights {
  /** Names of repositories; `*` for all, including future ones. */
  readonly read: readonly string[];
  readonly publish: readonly string[];
  readonly maySubmit: boolean;
  readonly mayWork: boolean;
}

/** A token as listed; the secret is known only to its holder. */
export interface ListedToken extends TokenRights {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly state: "valid" | "expired" | "revoked";
}

/** Name of a repository on a server; used in URLs. */
const REPO_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
/** Stands for every repository. */
const ALL_REPOS = "*";
const MAX_NAME_CHARS = 100;

/** Reply for anything that does not exist or that the token may not read. */
export const MISSING = refusal(404, "there is nothing here that this token may read");
/** Reply for a token that may not publish. */
export const MAY_NOT = refusal(403, "this token may not publish here");

/** True for a valid repository name. */
export function isRepoName(name: string): boolean {
  return REPO_NAME.test(name);
}

/**
 * Creates a token; `expiresMs` counts from now, by the database's clock. Contract: the returned text is the only copy
 * of the secret; the database stores its hash.
 */
export async function createToken(
  database: TeamDatabase,
  name: string,
  rights: TokenRights,
  expiresMs: number | null,
): Promise<Outcome<string>> {
  if (name === "" || name.length > MAX_NAME_CHARS || /\p{Cc}/u.test(name))
    return fail("E_INVALID_ARGS", `a token needs a name of 1 to ${MAX_NAME_CHARS} characters in one line`);
  const repos = [...new Set([...rights.read, ...rights.publish])];
  const odd = repos.find((repo) => repo !== ALL_REPOS && !isRepoName(repo));
  if (odd !== undefined)
    return fail(
      "E_INVALID_ARGS",
      `"${odd}" is not a valid name of a repository: letters, digits and ._- up to 100, or ${ALL_REPOS} for all`,
    );
  const { id, hash, written } = makeSecret();
  return database.asAdmin(async ({ change }) => {
    await change(
      `INSERT INTO groundwork.tokens (id, name, hash, may_submit, may_work, expires_at)
       VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6::float8 / 1000))`,
      ...[id, name, hash, rights.maySubmit, rights.mayWork, expiresMs],
    );
    for (const repo of repos)
      await change(
        "INSERT INTO groundwork.grants (token, repo, may_read, may_publish) VALUES ($1, $2, $3, $4)",
        ...[id, repo, rights.read.includes(repo), rights.publish.includes(repo)],
      );
    await note(change, "token create", `${id} ${name}`);
    return succeed(written);
  });
}

/** All tokens, oldest first. */
export function listTokens(database: TeamDatabase): Promise<Outcome<readonly ListedToken[]>> {
  return database.asAdmin(async ({ rows }) => {
    const found = await rows(
      `SELECT id, name, created_at, expires_at, may_submit, may_work,
         CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= now() THEN 'expired' ELSE 'valid' END AS state,
         ARRAY(SELECT repo FROM groundwork.grants WHERE token = id AND may_read ORDER BY repo) AS read,
         ARRAY(SELECT repo FROM groundwork.grants WHERE token = id AND may_publish ORDER BY repo) AS publish
       FROM groundwork.tokens ORDER BY created_at, id`,
    );
    return succeed(found.map(toListed));
  });
}

function toListed(row: SqlRow): ListedToken {
  const toTime = (value: unknown) => (value instanceof Date ? value.toISOString() : null);
  return {
    id: String(row["id"]),
    name: String(row["name"]),
    state: row["state"] as ListedToken["state"],
    read: row["read"] as string[],
    publish: row["publish"] as string[],
    maySubmit: row["may_submit"] === true,
    mayWork: row["may_work"] === true,
    createdAt: toTime(row["created_at"]) ?? "",
    expiresAt: toTime(row["expires_at"]),
  };
}

/**
 * Revokes the token with this id, or all unrevoked tokens with this name. Returns their number. Contract: effective
 * from the next request on.
 */
export function revokeTokens(database: TeamDatabase, idOrName: string): Promise<Outcome<number>> {
  return database.asAdmin(async ({ rows, change }) => {
    const gone = await rows(
      "UPDATE groundwork.tokens SET revoked_at = now() WHERE (id = $1 OR name = $1) AND revoked_at IS NULL RETURNING id",
      idOrName,
    );
    for (const { id } of gone) await note(change, "token revoke", String(id));
    return succeed(gone.length);
  });
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

/** Writes an audit entry. Contract: part of the caller's transaction, so that nothing is done without an entry. */
export function note(change: Transaction["change"], action: string, subject: string): Promise<number> {
  return change("INSERT INTO groundwork.audit (action, subject) VALUES ($1, $2)", action, subject);
}
