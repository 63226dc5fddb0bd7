import type { Transaction } from "../database.ts";

/** A repository that can be searched. */
export interface SearchedRepo {
  readonly id: number;
  readonly name: string;
  /** Ids of its segments, oldest first. */
  readonly segments: readonly number[];
  readonly files: number;
  /** Terms of all files in each field, in the order of `FIELDS`. */
  readonly lengths: readonly number[];
  /** Packages that it is, and that it declares as its dependencies. */
  readonly provides: readonly string[];
  readonly needs: readonly string[];
}

/** Lists the repositories of these names that can be searched; all that the principal sees, if `names` is null. By name. */
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
 * Has rows of a transaction read by their indexes alone: any other plan reads what is not theirs along, and is chosen by how common a word is in all
 * repositories.
 */
export async function readByIndex({ rows }: Transaction): Promise<void> {
  await rows("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off");
}
