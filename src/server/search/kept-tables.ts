import { FileTable } from "../../engine/store/file-table.ts";
import { makeRecordMemory } from "../../engine/store/record-memory.ts";
import { perDatabase, type Transaction } from "../database.ts";
import type { SqlRow } from "../sql.ts";
import type { SearchedRepo } from "./searched-repo.ts";
import { type SegmentFiles, toSegmentFiles } from "./segment-rows.ts";

/** The files of one state of a repository. */
interface RepoFiles {
  readonly segments: readonly SegmentFiles[];
  readonly table: FileTable;
}

/** Maximum number of files in all cached tables, at some 200 bytes each. */
const MOST_FILES = 500_000;

/**
 * Cache of file lists, which never change after publication. Contract: keyed by segment ids alone, which are known only
 * to askers to whom the database has just shown the repository.
 */
const keptTables = perDatabase(() => makeRecordMemory(MOST_FILES));

/** Returns the files of repositories, in the given order. */
export async function readTables(
  transaction: Transaction,
  repos: readonly SearchedRepo[],
  kept = keptTables(transaction),
): Promise<RepoFiles[]> {
  const recall = (repo: SearchedRepo, rows: typeof NO_ROWS) =>
    kept.recall(
      keyOf(repo),
      () => makeFiles(repo, rows),
      ({ table }) => table.fileCount,
    );
  // Taken before the others are read, which may evict them.
  const known = repos.map((repo) => (kept.has(keyOf(repo)) ? recall(repo, NO_ROWS) : null));
  const missing = repos.filter((_, at) => known[at] === null);
  const rows = missing.length === 0 ? NO_ROWS : await readSegments(transaction, missing);
  return repos.map((repo, at) => known[at] ?? recall(repo, rows));
}

const NO_ROWS: ReadonlyMap<number, SqlRow> = new Map();

async function readSegments({ rows }: Transaction, repos: readonly SearchedRepo[]) {
  const found = await rows(
    "SELECT id, paths, numbers, removed FROM groundwork.segments WHERE id = ANY ($1::int[])",
    repos.flatMap(({ segments }) => segments),
  );
  return new Map(found.map((row) => [Number(row["id"]), row]));
}

function makeFiles({ name, segments: ids }: SearchedRepo, rows: typeof NO_ROWS): RepoFiles {
  const segments = ids.flatMap((id) => {
    const row = rows.get(id);
    return row === undefined ? [] : [toSegmentFiles(row, name)];
  });
  return { segments, table: new FileTable(segments) };
}

function keyOf({ segments }: SearchedRepo): string {
  return segments.join(" ");
}
