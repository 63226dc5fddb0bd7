import { type Outcome, succeed } from "../contract/faults.ts";
import { CODE_TABLES } from "./code/schema.ts";
import type { TeamDatabase } from "./database.ts";
import { JOB_TABLES } from "./jobs/schema.ts";
import { SEARCH_TABLES } from "./search/schema.ts";
import { note } from "./tokens.ts";

/**
 * Removes a repository and everything that was stored for it; false if there is none of this name. Contract: all of it or nothing; the
 * rows are gone from the database's files as well, which is more than that nobody sees them.
 */
export function purgeRepo(database: TeamDatabase, name: string): Promise<Outcome<boolean>> {
  const row = { table: "repos", column: "name", value: name, action: "repo purge" } as const;
  return purge(database, row, ["repos", "objects", ...SEARCH_TABLES, ...CODE_TABLES]);
}

/** Removes a job with its log and its result, likewise. A worker that has it hears that it is not its own any more. */
export function purgeJob(database: TeamDatabase, id: string): Promise<Outcome<boolean>> {
  return purge(database, { table: "jobs", column: "id", value: id, action: "job purge" }, JOB_TABLES);
}

/** A row that everything that belongs to it goes with. */
interface PurgedRow {
  readonly table: string;
  readonly column: string;
  readonly value: string;
  /** As the audit log calls it. */
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
