import type * as z from "zod/mini";
import { FIELDS } from "../../engine/search/source.ts";
import { packNumbers, packPaths, unpackInts } from "../../engine/store/catalogue.ts";
import { FileTable } from "../../engine/store/file-table.ts";
import { readPostings } from "../../engine/store/postings.ts";
import { CodeMessage } from "../../team/shared-code.ts";
import {
  FilesMessage,
  MAX_MESSAGE_BYTES,
  PostingsMessage,
  SegmentMessage,
  StateMessage,
} from "../../team/shared-index.ts";
import { MOST_LINES } from "../../team/shared-shapes.ts";
import { describeGraph, PUBLISHED_MEANWHILE, takeCode, takeGraph } from "../code/receive-code.ts";
import type { Transaction } from "../database.ts";
import { DONE, type Reply, refusal } from "../http.ts";
import { hasGrant, isRepoName, MAY_NOT, MISSING, openRepo } from "../repos.ts";
import { type Route, type RouteCall, takeMessage } from "../routes.ts";
import type { SqlRow } from "../sql.ts";
import { areNumbersSound, toSegmentFiles } from "./segment-rows.ts";

/** Number of rows removed per statement, to stay within the time limit of a request's statements. */
const REMOVED_AT_ONCE = 50_000;

/** Describes the search data that the server has of a repository. */
export const sharedIndex: Route = {
  template: "/v1/index/{repo}",
  maxBytes: 0,
  methods: { GET: describeIndex },
};

/**
 * Receives the search data of a repository. Contract: a segment is complete before a state names it, and never changes
 * afterwards; searches see the old state or the new one.
 */
export const sharedIndexParts: Route = {
  template: "/v1/index/{repo}/{part}",
  path: /^\/v1\/index\/([^/]+)\/(segments|postings|files|code|state)$/,
  maxBytes: MAX_MESSAGE_BYTES,
  methods: { POST: receive },
};

async function describeIndex({ parts: [repo = ""], holder, transaction }: RouteCall): Promise<Reply> {
  if (!hasGrant(holder.publish, repo)) return MISSING;
  const [state] = await transaction.rows(
    `SELECT s.commit, ARRAY(SELECT g.name FROM groundwork.segments g WHERE g.id = ANY (s.segments)) AS segments
     FROM groundwork.states s JOIN groundwork.repos r ON r.id = s.repo WHERE r.name = $1`,
    repo,
  );
  const [commit, segments] = [state?.["commit"] ?? null, state?.["segments"] ?? []];
  return { status: 200, body: { commit, segments, graph: await describeGraph(transaction, repo) } };
}

async function receive({ parts: [repo = "", part = ""], holder, transaction, body }: RouteCall): Promise<Reply> {
  if (!hasGrant(holder.publish, repo)) return MAY_NOT;
  if (!isRepoName(repo)) return refusal(400, "this is not the name of a repository");
  const id = await openRepo(transaction, repo);
  if (part === "segments") return takeMessage(SegmentMessage, body, (own) => takeSegment(transaction, id, own));
  if (part === "postings") return takeMessage(PostingsMessage, body, (own) => takePostings(transaction, id, own));
  if (part === "files") return takeMessage(FilesMessage, body, (own) => takeFiles(transaction, id, own));
  if (part === "code") return takeMessage(CodeMessage, body, (own) => takeCode(transaction, id, own));
  return takeMessage(StateMessage, body, (own) => takeState(transaction, id, repo, own));
}

async function takeSegment(
  { change }: Transaction,
  repo: number,
  segment: z.infer<typeof SegmentMessage>,
): Promise<Reply> {
  const { name, paths, removed } = segment;
  const numbers = unpackInts(Buffer.from(segment.numbers, "base64"));
  if (!areNumbersSound(numbers, paths.length, MOST_LINES)) return refusal(400, "the numbers do not fit the files");
  await change(
    `INSERT INTO groundwork.segments (repo, name, paths, numbers, removed) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
    ...[repo, name, ...[packPaths(paths), packNumbers(numbers), packPaths(removed)].map(toBuffer)],
  );
  return DONE;
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

async function findSegment({ rows }: Transaction, repo: number, name: string): Promise<number | null> {
  const [row] = await rows("SELECT id FROM groundwork.segments WHERE repo = $1 AND name = $2", repo, name);
  return row === undefined ? null : Number(row["id"]);
}

async function takePostings(
  transaction: Transaction,
  repo: number,
  { segment, rows }: z.infer<typeof PostingsMessage>,
): Promise<Reply> {
  const id = await findSegment(transaction, repo, segment);
  if (id === null) return PUBLISHED_MEANWHILE;
  // Counted here rather than taken from the message: the number affects the weights of other users' questions.
  const spreads = rows.map(
    ([, data]) => readPostings(Buffer.from(data, "base64")).body.filter((count) => count > 0).length,
  );
  await transaction.change(
    `INSERT INTO groundwork.postings (repo, segment, term, spread, data)
     SELECT $1, $2, t, h, decode(d, 'base64') FROM unnest($3::text[], $4::int[], $5::text[]) AS own (t, h, d) ON CONFLICT DO NOTHING`,
    ...[repo, id, rows.map(([term]) => term), spreads, rows.map(([, data]) => data)],
  );
  return DONE;
}

async function takeFiles(
  transaction: Transaction,
  repo: number,
  { segment, files }: z.infer<typeof FilesMessage>,
): Promise<Reply> {
  const id = await findSegment(transaction, repo, segment);
  if (id === null) return PUBLISHED_MEANWHILE;
  await transaction.change(
    `INSERT INTO groundwork.files (repo, segment, slot, outline, lines)
     SELECT $1, $2, s, o, l FROM unnest($3::int[], $4::text[], $5::text[]) AS own (s, o, l) ON CONFLICT DO NOTHING`,
    ...[repo, id, files.map(([slot]) => slot)],
    ...[files.map(([, outline]) => JSON.stringify(outline)), files.map(([, , text]) => text)],
  );
  return DONE;
}

async function takeState(
  transaction: Transaction,
  repo: number,
  repoName: string,
  { commit, segments, provides, needs, graph }: z.infer<typeof StateMessage>,
): Promise<Reply> {
  const { rows, change, note } = transaction;
  // Serialised per repository: each publish removes the segments that it does not use.
  await rows("SELECT pg_advisory_xact_lock($1, $2)", LOCK, repo);
  const found = await rows(
    `SELECT g.id, g.name, g.paths, g.numbers, g.removed,
       (SELECT count(*) FROM groundwork.files f WHERE f.repo = g.repo AND f.segment = g.id)::int AS files
     FROM groundwork.segments g WHERE g.repo = $1 AND g.name = ANY ($2::text[])`,
    repo,
    segments,
  );
  const rowOf = new Map(found.map((row) => [String(row["name"]), row]));
  const own = segments.flatMap((name): readonly SqlRow[] => {
    const row = rowOf.get(name);
    return row === undefined ? [] : [row];
  });
  const parts = own.map((row) => toSegmentFiles(row, repoName));
  const isComplete = parts.every(({ catalogue }, at) => catalogue.paths.length === own[at]?.["files"]);
  if (own.length !== segments.length || !isComplete) return PUBLISHED_MEANWHILE;
  const { fileCount, lengths } = new FileTable(parts);
  const refused = await takeGraph(transaction, repo, graph ?? null, fileCount);
  if (refused !== null) return refused;
  const sums = FIELDS.map((field) => lengths[field].reduce((sum, length) => sum + length, 0));
  const ids = parts.map(({ id }) => id);
  await change(
    `INSERT INTO groundwork.states (repo, commit, segments, files, lengths, provides, needs) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (repo) DO UPDATE SET commit = excluded.commit, segments = excluded.segments, files = excluded.files,
       lengths = excluded.lengths, provides = excluded.provides, needs = excluded.needs, stored_at = now()`,
    ...[repo, commit, ids, fileCount, sums, provides, needs],
  );
  await removeOthers(transaction, repo, ids);
  await note("index publish", `${repoName} ${commit}`);
  return DONE;
}

/** Key space of the advisory locks of repositories; arbitrary. */
const LOCK = 7_414_922;

async function removeOthers({ change }: Transaction, repo: number, kept: readonly number[]): Promise<void> {
  for (const table of ["postings", "files"]) {
    const statement = `DELETE FROM groundwork.${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM groundwork.${table} WHERE repo = $1 AND segment <> ALL ($2::int[]) LIMIT ${REMOVED_AT_ONCE}))`;
    while ((await change(statement, repo, kept)) === REMOVED_AT_ONCE);
  }
  await change("DELETE FROM groundwork.segments WHERE repo = $1 AND id <> ALL ($2::int[])", repo, kept);
}
