import { toCode } from "../base/text.ts";

/** A result row, by column. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** Result of a statement. */
export interface SqlResult {
  readonly rows: SqlRow[];
  readonly rowCount: number | null;
}

/** A connection to PostgreSQL. */
export interface SqlConnection {
  readonly query: (text: string, values?: readonly unknown[]) => Promise<SqlResult>;
  /**
   * Begins a transaction with these statements, in one round trip. Returns the first result that has rows. With
   * `isOneLook` the transaction is read-only, and all its statements see the same snapshot.
   */
  readonly begin: (statements: string, isOneLook: boolean) => Promise<SqlResult>;
  /** Returns the connection to the pool; a broken one is closed. */
  readonly release: (isBroken: boolean) => void;
}

/**
 * Connection pool of one database. Contract: `connect` and every query reject if the database does not answer in time.
 */
export interface SqlPool {
  readonly connect: () => Promise<SqlConnection>;
  readonly end: () => Promise<void>;
  /** Numbers of connections and of requests that wait for one. */
  readonly counts: () => { readonly total: number; readonly idle: number; readonly waiting: number };
}

/** A column with a time, in ISO 8601; null if it is empty. */
export function toTime(value: unknown): string | null {
  return value instanceof Date ? value.toISOString() : null;
}

/** SQLSTATE of a PostgreSQL error, which has a digit, unlike `EPIPE`; empty for any other error. */
export function sqlStateOf(thrown: unknown): string {
  return /^(?=.*\d)[0-9A-Z]{5}$/.exec(toCode(thrown))?.[0] ?? "";
}
