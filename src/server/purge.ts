import { type Outcome, succeed } from "../contract/faults.ts";
import type { TeamDatabase } from "./database.ts";
import { SEARCH_TABLES } from "./search/schema.ts";
import { note } from "./tokens.ts";

/**
 * Removes a repository and everything that was stored for it; false if there is none of this name. Contract: all of it or nothing; the
 * rows are gone from the database's files as well, which is more than that nobody sees them.
 */
export async function purgeRepo(database: TeamDatabase, name: string): Promise<Outcome<boolean>> {
  const done = await database.asAdmin(async ({ change }) => {
    const gone = await change("DELETE FROM groundwork.repos WHERE name = $1", name);
    if (gone > 0) await note(change, "repo purge", name);
    return succeed(gone > 0);
  });
  if (!done.ok || !done.value) return done;
  const compacted = await database.rewrite(["repos", "objects", ...SEARCH_TABLES]);
  return compacted.ok ? done : compacted;
}
