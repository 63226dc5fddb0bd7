import { type Outcome, succeed } from "../contract/faults.ts";
import { CODE_TABLES } from "./code/schema.ts";
import type { TeamDatabase } from "./database.ts";
import { JOB_TABLES } from "./jobs/schema.ts";
import { SEARCH_TABLES } from "./search/schema.ts";
import { note } from "./tokens.ts";

/**
 * Removes a repository and everything stored for it; false if there is none of this name. Contract: all or nothing; the
 * rows are also physically removed from the database's files, not only made invisible.
 */
export function purgeRepo(database: TeamDatabase, name: string): Promise<Outcome<boolean>> {
  const row = { table: "repos", column: "name", value: name, action: "repo purge" } as const;
  return purge(database, row, ["repos", "objects", ...SEARCH_TABLES, ...CODE_TABLES]);
}

/** Removes a job with its log and result, likewise. A worker that holds it learns that the job is no longer its own. */
export function purgeJob(database: TeamDatabase, id: string): Promise<Outcome<boolean>> {
  return purge(database, { table: "jobs", column: "id", value: id, action: "job purge" }, JOB_TABLES);
}

/** A row whose removal cascades to everything that belongs to it. */
interface PurgedRow {
  readonly table: string;
  readonly column: string;
  readonly value: string;
  /** Name in the audit log. */
  readonly action: string;
}

async function purge(
  database: TeamDatabase,
  { table, column, value, action }: PurgedRow,
  tables: readonly string[],
): Promise<Outcome<boolean>> {
  const done = await database.asAdmin(async ({ change }) => {
    const gone = await change(`DELETE FROM groundwork.${table} WHERE ${column} = $1`, value);
    if (gone > 0) await note(change, action, value);
    return succeed(gone > 0);
  });
  if (!done.ok || !done.value) return done;
  const compacted = await database.rewrite(tables);
  return compacted.ok ? done : compacted;
}
