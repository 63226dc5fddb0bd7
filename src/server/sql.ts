/** Rows that a statement returned, by column. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** What a statement returned. */
export interface SqlResult {
  readonly rows: SqlRow[];
  readonly rowCount: number | null;
}

/** One connection to PostgreSQL. */
export interface SqlConnection {
  readonly query: (text: string, values?: readonly unknown[]) => Promise<SqlResult>;
  /**
   * Begins a transaction with these statements, all in one message. Returns the first rows that one of them returned. All statements of
   * one look see the same state, and none may change it.
   */
  readonly begin: (statements: string, isOneLook: boolean) => Promise<SqlResult>;
  /** Gives it back; one that is broken is thrown away. */
  readonly release: (isBroken: boolean) => void;
}

/**
 * Connections to one database. Contract: `connect` and every query reject where the database does not answer in time.
 */
export interface SqlPool {
  readonly connect: () => Promise<SqlConnection>;
  readonly end: () => Promise<void>;
  /** How many connections there are, and how many wait for one. */
  readonly counts: () => { readonly total: number; readonly idle: number; readonly waiting: number };
}

/** What PostgreSQL calls an error, by its SQLSTATE; empty for one that did not come from PostgreSQL. */
export function sqlStateOf(thrown: unknown): string {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : "";
}
