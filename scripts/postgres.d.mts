/** A PostgreSQL of its own, reached by a socket in its folder. */
export interface Postgres {
  /** Address of a database in it, as this user: `above` is a superuser, `plain` owns its databases and nothing else. */
  readonly urlOf: (database: string, user?: PostgresUser) => string;
  /** Makes an empty database that this user owns. Returns its address as that user. */
  readonly makeDatabase: (user?: PostgresUser) => string;
  /** Runs statements as a superuser; returns what psql prints: values alone, one row in each line. */
  readonly sql: (database: string, statements: string) => string;
  /** Takes it away, as a crash does where `signal` says so, and brings it back. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
  readonly start: () => Promise<void>;
  /** Of the process that has all others. */
  readonly pid: number;
}

type PostgresUser = "above" | "plain";

/** Makes a cluster in an empty folder and starts it. Whoever has made it stops it. */
export function startPostgres(folder: string): Promise<Postgres>;
/** Path of one of its programs; Debian has them apart, by version. */
export function findPostgres(program: string): string;
