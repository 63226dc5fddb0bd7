import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { sleep } from "../base/timers.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { TeamDatabase } from "../server/database.ts";
import { prepareDatabase } from "../server/migrate.ts";
import { makePool, type PgModule } from "../server/postgres.ts";
import { projectRoot } from "./process.ts";

/** Maximum wait for a database that is starting at the same time. */
const WAIT_MS = 10_000;
const RETRY_MS = 500;

/**
 * Opens the team's database and brings its schema up to date. `statementMs` limits each statement, 0 means no limit;
 * `say` is told when the database is waited for. Contract: a fault says what to do and contains no password.
 */
export async function openTeamDatabase(
  given: string | undefined,
  statementMs: number,
  say: (what: string) => void,
): Promise<Outcome<TeamDatabase>> {
  const url = given || process.env["GROUNDWORK_TEAM_DATABASE"] || "";
  if (url === "") return fail("E_CONFIG", "a database is needed: --database URL, or GROUNDWORK_TEAM_DATABASE");
  if (!/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url))
    return fail("E_CONFIG", "the database must be given as postgresql://USER:PASSWORD@HOST:PORT/NAME");
  const pg = loadPg();
  if (!pg.ok) return pg;
  const prepared = await prepare(pg.value, url, say);
  if (!prepared.ok) return prepared;
  return succeed(new TeamDatabase(makePool(pg.value, url, statementMs), prepared.value.takesRole));
}

async function prepare(pg: PgModule, url: string, say: (what: string) => void) {
  const pool = makePool(pg, url, 0, 1);
  try {
    for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
      const prepared = await prepareDatabase(pool);
      const isAway = !prepared.ok && prepared.fault.code === "E_TOOL_UNAVAILABLE";
      if (!isAway || waitedMs >= WAIT_MS) return prepared;
      if (waitedMs === 0) say("waiting for the database");
      await sleep(RETRY_MS);
    }
  } finally {
    await pool.end();
  }
}

/** Loads the PostgreSQL client. It is not a dependency of ours: only a server needs it. */
function loadPg(): Outcome<PgModule> {
  const manifest = join(projectRoot, "team", "package.json");
  try {
    if (existsSync(manifest)) return succeed(createRequire(manifest)("pg") as PgModule);
  } catch {
    // Reported below.
  }
  return fail(
    "E_CONFIG",
    "the PostgreSQL client is not installed",
    `run: npm run --prefix ${projectRoot} team:install`,
  );
}
