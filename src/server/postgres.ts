import type { SqlConnection, SqlPool, SqlResult } from "./sql.ts";

/** The part of `pg` that is used; only servers have it installed. */
export interface PgModule {
  readonly Pool: new (options: Readonly<Record<string, unknown>>) => PgPool;
}

interface PgPool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  readonly connect: () => Promise<PgClient>;
  readonly end: () => Promise<void>;
  readonly on: (event: "error" | "connect", listener: (client: PgClient) => void) => unknown;
}

interface PgClient {
  readonly query: (text: string, values?: unknown[]) => Promise<SqlResult | readonly SqlResult[]>;
  readonly release: (isBroken: boolean) => void;
  readonly on: (event: "error", listener: () => void) => unknown;
}

const CONNECTIONS = 10;
/** Time limit for obtaining a connection. */
const CONNECT_MS = 4_000;
/** Time limit for a statement of a request. */
export const REQUEST_STATEMENT_MS = 10_000;
/** PostgreSQL itself ends a statement that takes too long; if it does not even answer, we give up this much later. */
const GRACE_MS = 2_000;

/**
 * Creates a connection pool for the database at `url`; `statementMs` is the time limit for a statement, 0 for none.
 * Contract: as `SqlPool`; does not connect yet.
 */
export function makePool({ Pool }: PgModule, url: string, statementMs: number, connections = CONNECTIONS): SqlPool {
  const limits = {
    statement_timeout: statementMs,
    lock_timeout: statementMs,
    query_timeout: statementMs + GRACE_MS,
    idle_in_transaction_session_timeout: 2 * (statementMs + GRACE_MS),
  };
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    ...(statementMs === 0 ? {} : limits),
    keepAlive: true,
    application_name: "groundwork",
    // Our statements are short: JIT compilation takes many times as long as running them.
    options: "-c jit=off",
  });
  // An idle connection broke: the pool opens a new one when needed.
  pool.on("error", () => {});
  // A connection that breaks in use rejects its next query; the event must not end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  return {
    connect: async () => toConnection(await pool.connect()),
    end: () => pool.end(),
    counts: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
}

function toConnection(client: PgClient): SqlConnection {
  return {
    query: async (text, values) => toLast(await client.query(text, values === undefined ? undefined : [...values])),
    begin: async (statements, isOneLook) => {
      const mode = isOneLook ? " ISOLATION LEVEL REPEATABLE READ READ ONLY" : "";
      const results = await client.query(`BEGIN${mode}; ${statements}`);
      return [results].flat().find(({ rows }) => rows.length > 0) ?? { rows: [], rowCount: 0 };
    },
    release: (isBroken) => client.release(isBroken),
  };
}

/** Returns the last result: a text with several statements yields one result each. */
function toLast(results: SqlResult | readonly SqlResult[]): SqlResult {
  return Array.isArray(results) ? (results.at(-1) as SqlResult) : (results as SqlResult);
}
