import type { Transaction } from "../database.ts";

/** A searchable repository. */
export interface SearchedRepo {
  readonly id: number;
  readonly name: string;
  /** Ids of its segments, oldest first. */
  readonly segments: readonly number[];
  readonly files: number;
  /** Total number of terms in each field over all files, in the order of `FIELDS`. */
  readonly lengths: readonly number[];
  /** Packages that it provides, and that it declares as dependencies. */
  readonly provides: readonly string[];
  readonly needs: readonly string[];
}

/**
 * Lists the searchable repositories with these names, or all that the principal sees if `names` is null. Sorted by
 * name.
 */
export async function listSearched({ rows }: Transaction, names: readonly string[] | null): Promise<SearchedRepo[]> {
  const found = await rows(
    `SELECT r.id, r.name, s.segments, s.files, s.lengths, s.provides, s.needs
     FROM groundwork.states s JOIN groundwork.repos r ON r.id = s.repo
     WHERE $1::text[] IS NULL OR r.name = ANY ($1::text[])`,
    names,
  );
  return found
    .map((row) => ({
      id: Number(row["id"]),
      name: String(row["name"]),
      segments: row["segments"] as number[],
      files: Number(row["files"]),
      lengths: row["lengths"] as number[],
      provides: row["provides"] as string[],
      needs: row["needs"] as string[],
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/**
 * Restricts the transaction to plain index scans: any other plan would also read rows of foreign repositories, and
 * would be chosen by how common a word is across all repositories.
 */
export async function readByIndex({ rows }: Transaction): Promise<void> {
  await rows("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off");
}
