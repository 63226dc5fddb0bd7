import { toMessage } from "../base/text.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { orFault } from "./database.ts";
import { GRANTS, MEMBER_ROLE, MIGRATIONS, type Migration } from "./schema.ts";
import type { SqlConnection, SqlPool } from "./sql.ts";

/** Minimum supported PostgreSQL version. */
const OLDEST = 15;
/** Key of the advisory lock for migrations; arbitrary. */
const LOCK = 7_414_921;
/** Longer than any migration takes: servers that start together wait for the first. */
const LOCK_WAIT = "120s";

/** How the database is used from now on. */
export interface Prepared {
  /** True if requests assume a role, because the connection's user bypasses row-level security. */
  readonly takesRole: boolean;
  /** Number of migrations that were applied just now. */
  readonly migrated: number;
}

/**
 * Brings the schema up to date: each migration once, in order, even if others migrate at the same time. Contract: the
 * pool's statements have no time limit; a database of a newer program version is left unchanged.
 */
export async function prepareDatabase(
  pool: SqlPool,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<Outcome<Prepared>> {
  try {
    return await orFault(async () => {
      const connection = await pool.connect();
      try {
        return await migrate(connection, migrations);
      } finally {
        // Closing the connection releases the lock.
        connection.release(true);
      }
    });
  } catch (thrown) {
    return fail("E_CONFIG", `the team's database refuses: ${toMessage(thrown)}`);
  }
}

async function migrate({ query }: SqlConnection, migrations: readonly Migration[]): Promise<Outcome<Prepared>> {
  const { rows } = await query(
    `SELECT current_setting('server_version_num')::int AS version, rolsuper OR rolbypassrls AS is_above
     FROM pg_roles WHERE rolname = current_user`,
  );
  const { version, is_above: isAbove } = rows[0] ?? {};
  if (Number(version) < OLDEST * 10_000)
    return fail(
      "E_CONFIG",
      `the database is PostgreSQL ${Math.floor(Number(version) / 10_000)}; ${OLDEST} or newer is needed`,
    );
  await query(`SET lock_timeout = '${LOCK_WAIT}'`);
  await query(`SELECT pg_advisory_lock(${LOCK})`);
  await query(`
    CREATE SCHEMA IF NOT EXISTS groundwork;
    CREATE TABLE IF NOT EXISTS groundwork.migrations (
      version integer PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT now())`);
  const found = await query("SELECT coalesce(max(version), 0) AS done FROM groundwork.migrations");
  const done = Number(found.rows[0]?.["done"]);
  if (done > migrations.length)
    return fail(
      "E_CONFIG",
      `the database has schema ${done}, and this program knows ${migrations.length}`,
      "upgrade groundwork on this machine",
    );
  for (const [at, { name, sql }] of migrations.entries()) {
    if (at < done) continue;
    await query("BEGIN");
    await query(sql);
    await query("INSERT INTO groundwork.migrations (version, name) VALUES ($1, $2)", [at + 1, name]);
    await query("COMMIT");
  }
  if (isAbove === true) await query(`${MAKE_ROLE} ${GRANTS}`);
  return succeed({ takesRole: isAbove === true, migrated: migrations.length - done });
}

/**
 * Roles are shared by all databases of a PostgreSQL server, so another database may have created it, possibly
 * concurrently.
 */
const MAKE_ROLE = `
  DO $$ BEGIN
    CREATE ROLE ${MEMBER_ROLE} NOLOGIN;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END $$;
  DO $$ BEGIN
    IF NOT pg_has_role(current_user, '${MEMBER_ROLE}', 'MEMBER') THEN GRANT ${MEMBER_ROLE} TO CURRENT_USER; END IF;
  END $$;
`;
