import { FileTable } from "../../engine/store/file-table.ts";
import type { Transaction } from "../database.ts";
import { perDatabase } from "../per-database.ts";
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
 * Cache of file lists, which never change after publication; the least recently used are evicted. Contract: keyed by
 * segment ids alone, which are known only to askers to whom the database has just shown the repository.
 */
class KeptTables {
  readonly #tables = new Map<string, RepoFiles>();
  readonly #mostFiles: number;
  #files = 0;

  constructor(mostFiles = MOST_FILES) {
    this.#mostFiles = mostFiles;
  }

  /** Returns the files of repositories, in the given order. */
  async read({ rows }: Transaction, repos: readonly SearchedRepo[]): Promise<RepoFiles[]> {
    const missing = repos.filter((repo) => !this.#tables.has(keyOf(repo)));
    const found =
      missing.length === 0
        ? []
        : await rows(
            "SELECT id, paths, numbers, removed FROM groundwork.segments WHERE id = ANY ($1::int[])",
            missing.flatMap(({ segments }) => segments),
          );
    const rowOf = new Map(found.map((row) => [Number(row["id"]), row]));
    return repos.map((repo) => {
      const known = this.#tables.get(keyOf(repo));
      const segments =
        known?.segments ??
        repo.segments.flatMap((id) => {
          const row = rowOf.get(id);
          return row === undefined ? [] : [toSegmentFiles(row, repo.name)];
        });
      const own = known ?? { segments, table: new FileTable(segments) };
      this.#keep(keyOf(repo), own);
      return own;
    });
  }

  /** Moves the entry to the end, so that the map is ordered by last use; evicts the oldest entries. */
  #keep(key: string, own: RepoFiles): void {
    if (!this.#tables.delete(key)) this.#files += own.table.fileCount;
    this.#tables.set(key, own);
    for (const [oldest, { table }] of this.#tables) {
      if (this.#files <= this.#mostFiles || oldest === key) return;
      this.#tables.delete(oldest);
      this.#files -= table.fileCount;
    }
  }
}

/** One cache per database, shared by all questions. */
export const keptTables = perDatabase(() => new KeptTables());

function keyOf({ segments }: SearchedRepo): string {
  return segments.join(" ");
}
