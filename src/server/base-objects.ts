import { toSha256 } from "../base/hash.ts";
import { MAX_STORED_BYTES } from "../team/chunks.ts";
import { DONE, type Reply, refusal } from "./http.ts";
import { hasGrant, isRepoName, MAY_NOT, MISSING, openRepo } from "./repos.ts";
import type { Route, RouteCall } from "./routes.ts";

/** Maximum size of a list in bytes: more bases than anyone keeps. */
const MAX_LIST_BYTES = 4 * 1024 * 1024;
const NAME = /^(?:list\.json|lists\/\d{1,10}\.json|objects\/([0-9a-f]{2})\/(\1[0-9a-f]{62}))$/;

/**
 * A team's store of bases: files by name, as on any file server. The reply does not distinguish files that do not exist
 * from files that the token may not read. Contract: an object is accepted only if its name is its hash; of two
 * concurrent writers of a new file one succeeds.
 */
export const baseObjects: Route = {
  template: "/v1/base/{repo}/{object}",
  maxBytes: Math.max(MAX_STORED_BYTES, MAX_LIST_BYTES),
  methods: { GET: getObject, HEAD: getObject, PUT: putObject, DELETE: removeObject },
};

async function getObject({ parts: [repo = "", name = ""], holder, transaction }: RouteCall): Promise<Reply> {
  if (!hasGrant([...holder.read, ...holder.publish], repo)) return MISSING;
  const [row] = await transaction.rows(
    `SELECT o.data FROM groundwork.objects o JOIN groundwork.repos r ON r.id = o.repo WHERE r.name = $1 AND o.name = $2`,
    ...[repo, name],
  );
  const data = row?.["data"];
  return data instanceof Uint8Array ? { status: 200, body: data } : MISSING;
}

async function putObject({ parts: [repo = "", name = ""], holder, transaction, body, headers }: RouteCall) {
  const { change, note } = transaction;
  if (!hasGrant(holder.publish, repo)) return MAY_NOT;
  const [, , sha256] = NAME.exec(name) ?? [];
  if (!isRepoName(repo) || !NAME.test(name)) return refusal(400, "this is not the name of a base's file");
  if (sha256 !== undefined && toSha256(body) !== sha256) return refusal(422, "the name of this object is not its hash");
  const id = await openRepo(transaction, repo);
  const isNew = headers["if-none-match"] === "*" || sha256 !== undefined;
  const stored = await change(
    `INSERT INTO groundwork.objects (repo, name, data) VALUES ($1, $2, $3)
     ON CONFLICT (repo, name) ${isNew ? "DO NOTHING" : "DO UPDATE SET data = excluded.data, stored_at = now()"}`,
    ...[id, name, body],
  );
  if (stored === 0 && headers["if-none-match"] === "*") return refusal(412, "there is such a file already");
  // One entry per publish, not one for each of its thousand chunks.
  if (sha256 === undefined) await note("base publish", `${repo} ${name}`);
  return DONE;
}

async function removeObject({ parts: [repo = "", name = ""], holder, transaction }: RouteCall) {
  if (!hasGrant(holder.publish, repo)) return MAY_NOT;
  const gone = await transaction.change(
    "DELETE FROM groundwork.objects USING groundwork.repos r WHERE repo = r.id AND r.name = $1 AND objects.name = $2",
    ...[repo, name],
  );
  if (gone > 0) await transaction.note("base remove", `${repo} ${name}`);
  return gone > 0 ? DONE : MISSING;
}
