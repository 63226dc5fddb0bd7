import { createRequire } from "node:module";
import { join } from "node:path";
import * as postgres from "../../scripts/postgres.mjs";
import type { PgModule } from "../../src/server/postgres.ts";
import { projectRoot } from "./doors.ts";
import { makeFolder } from "./temp-folder.ts";

/** The server's PostgreSQL client. */
export const pg = createRequire(join(projectRoot, "team", "package.json"))("pg") as PgModule;

/** Makes a cluster in a temporary folder and starts it. The caller must stop it. */
export function startPostgres(): Promise<postgres.Postgres> {
  return postgres.startPostgres(makeFolder());
}
