import { fail, type Outcome } from "../contract/faults.ts";
import type { TeamDatabase } from "./database.ts";
import { ALL_REPOS, isRepoName } from "./repos.ts";
import { makeSecret } from "./secret.ts";
import { type SqlRow, toTime } from "./sql.ts";

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

const MAX_NAME_CHARS = 100;

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
  return database.asAdmin(async ({ change, note }) => {
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
    await note("token create", `${id} ${name}`);
    return written;
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
    return found.map(toListed);
  });
}

function toListed(row: SqlRow): ListedToken {
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
  return database.asAdmin(async ({ rows, note }) => {
    const gone = await rows(
      "UPDATE groundwork.tokens SET revoked_at = now() WHERE (id = $1 OR name = $1) AND revoked_at IS NULL RETURNING id",
      idOrName,
    );
    for (const { id } of gone) await note("token revoke", String(id));
    return gone.length;
  });
}
