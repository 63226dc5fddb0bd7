import type * as z from "zod/mini";
import { unpackInts } from "../../engine/store/catalogue.ts";
import {
  CODE_NAME_BYTES,
  type CodeMessage,
  type CodeText,
  EdgeRows,
  type GraphMessage,
  nameOfCode,
  type SharedGraph,
  SymbolRows,
  splitCodeNames,
} from "../../team/shared-code.ts";
import type { Transaction } from "../database.ts";
import { DONE, type Reply, refusal } from "../http.ts";

/**
 * Reply if a part is missing: publishing removes what the new state does not need, which may include parts that another
 * publisher has just sent.
 */
export const PUBLISHED_MEANWHILE = refusal(
  409,
  "a part of this state is missing: somebody else has published in the meantime; publish again",
);
const NOT_SOUND = refusal(400, "the graph does not fit the files");

/** Describes the graph data that the server has of a repository. */
export async function describeGraph({ rows }: Transaction, repo: string): Promise<SharedGraph> {
  const [found] = await rows(
    `SELECT (SELECT string_agg(c.name, ''::bytea) FROM groundwork.code c WHERE c.repo = r.id) AS code,
       EXISTS (SELECT FROM groundwork.graphs g WHERE g.repo = r.id) AS is_complete
     FROM groundwork.repos r WHERE r.name = $1`,
    repo,
  );
  const code = found?.["code"] as Buffer | null | undefined;
  return { code: code?.toString("base64") ?? "", is_complete: found?.["is_complete"] === true };
}

/** Stores pieces of code. */
export async function takeCode(
  { change }: Transaction,
  repo: number,
  { rows }: z.infer<typeof CodeMessage>,
): Promise<Reply> {
  if (!rows.every(isSound)) return refusal(400, "the rows are malformed");
  await change(
    `INSERT INTO groundwork.code (repo, name, symbols, edges)
     SELECT $1, n, s, e FROM unnest($2::bytea[], $3::text[], $4::text[]) AS own (n, s, e) ON CONFLICT DO NOTHING`,
    ...[repo, rows.map(nameOfCode), rows.map(([symbols]) => symbols), rows.map(([, edges]) => edges)],
  );
  return DONE;
}

/** True for a valid piece of code. */
function isSound([symbols, edges]: CodeText): boolean {
  const found = SymbolRows.safeParse(parse(symbols)).data;
  return found !== undefined && areNested(found.map((row) => row[2])) && EdgeRows.safeParse(parse(edges)).success;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** True if every parent exists and no symbol is its own ancestor. */
function areNested(parents: readonly (number | null)[]): boolean {
  const isFine = new Set<number>();
  return parents.every((_, start) => {
    const way = new Set<number>();
    for (let at: number | null = start; at !== null && !isFine.has(at); ) {
      const outer: number | null | undefined = parents[at];
      if (outer === undefined || way.has(at)) return false;
      way.add(at);
      at = outer;
    }
    for (const at of way) isFine.add(at);
    return true;
  });
}

/**
 * Stores the graph of a new state and removes code that the state does not use; without a graph the old one is only
 * removed. Returns the refusal, or null on success. Contract: runs in the transaction that writes the state.
 */
export async function takeGraph(
  { rows, change }: Transaction,
  repo: number,
  graph: z.infer<typeof GraphMessage> | null,
  files: number,
): Promise<Reply | null> {
  const bytes = (text = "") => Buffer.from(text, "base64");
  const [code, starts, targets] = [bytes(graph?.code), bytes(graph?.starts), bytes(graph?.targets)];
  const names = [...splitCodeNames(code).values()];
  if (graph !== null) {
    if (code.length !== files * CODE_NAME_BYTES || !areLinksSound(unpackInts(starts), unpackInts(targets), files))
      return NOT_SOUND;
    const [found] = await rows(
      "SELECT count(*)::int AS count FROM groundwork.code WHERE repo = $1 AND name = ANY ($2::bytea[])",
      repo,
      names,
    );
    if (found?.["count"] !== names.length) return PUBLISHED_MEANWHILE;
  }
  await change("DELETE FROM groundwork.graphs WHERE repo = $1", repo);
  await change(
    `DELETE FROM groundwork.code c WHERE c.repo = $1
     AND NOT EXISTS (SELECT FROM unnest($2::bytea[]) AS kept (name) WHERE kept.name = c.name)`,
    repo,
    names,
  );
  if (graph !== null)
    await change(
      "INSERT INTO groundwork.graphs (repo, code, starts, targets) VALUES ($1, $2, $3, $4)",
      ...[repo, code, starts, targets],
    );
  return null;
}

function areLinksSound(starts: Int32Array, targets: Int32Array, files: number): boolean {
  const isRising = starts.every((start, at) => start >= (starts[at - 1] ?? 0));
  const isWhole = starts.length === files + 1 && starts[0] === 0 && starts.at(-1) === targets.length;
  return isRising && isWhole && targets.every((file) => file >= 0 && file < files);
}
