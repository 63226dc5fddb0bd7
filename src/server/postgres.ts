import type { SqlConnection, SqlPool, SqlResult } from "./sql.ts";

/** What is used of `pg`, which only a server has. */
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
/** Nobody waits longer for a connection. */
const CONNECT_MS = 4_000;
/** A statement of a request takes no longer. */
export const REQUEST_STATEMENT_MS = 10_000;
/** PostgreSQL ends a statement that takes too long; where it does not even answer, we give up so much later. */
const GRACE_MS = 2_000;

/**
 * Connections to the database at this address; `statementMs` is the most that a statement may take, 0 for no limit.
 * Contract: as `SqlPool`; nothing is connected yet.
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
    // Statements of ours are short: compiling one takes many times as long as running it.
    options: "-c jit=off",
  });
  // A connection that breaks while nobody uses it: the next one to need one connects anew.
  pool.on("error", () => {});
  // One that breaks while it is used says so to whoever asks it next; it must not end the process.
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

/** Several statements in one text return one result each. */
function toLast(results: SqlResult | readonly SqlResult[]): SqlResult {
  return Array.isArray(results) ? (results.at(-1) as SqlResult) : (results as SqlResult);
}
