import type { Outcome } from "../contract/faults.ts";
import { CODE_TABLES } from "./code/schema.ts";
import type { TeamDatabase, Transaction } from "./database.ts";
import { JOB_TABLES } from "./jobs/schema.ts";
import { SEARCH_TABLES } from "./search/schema.ts";

/**
 * Removes a repository and everything stored for it; false if there is none of this name. Contract: all or nothing; the
 * rows are also physically removed from the database's files, not only made invisible. If that fails, a second call
 * finishes it.
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
  /** Name in the audit log of its removal, after which the tables are still to be rewritten. */
  readonly action: string;
}

async function purge(database: TeamDatabase, row: PurgedRow, tables: readonly string[]): Promise<Outcome<boolean>> {
  const { table, column, value, action } = row;
  const removed = await database.asAdmin(async ({ rows, change, note }) => {
    const gone = await change(`DELETE FROM groundwork.${table} WHERE ${column} = $1`, value);
    if (gone > 0) await note(action, value);
    return gone > 0 || (await isUnfinished(rows, row));
  });
  if (!removed.ok || !removed.value) return removed;
  // Not possible within a transaction, so it can fail after the rows are gone.
  const rewritten = await database.rewrite(tables);
  if (!rewritten.ok) return rewritten;
  return database.asAdmin(async ({ note }) => {
    await note(doneOf(action), value);
    return true;
  });
}

/** True if the row was removed earlier, but the tables were not rewritten since, according to the audit log. */
async function isUnfinished(rows: Transaction["rows"], { value, action }: PurgedRow): Promise<boolean> {
  const [last] = await rows(
    "SELECT action FROM groundwork.audit WHERE subject = $1 AND action IN ($2, $3) ORDER BY id DESC LIMIT 1",
    ...[value, action, doneOf(action)],
  );
  return last?.["action"] === action;
}

/** Name in the audit log of a purge that is finished. */
function doneOf(action: string): string {
  return `${action} done`;
}
