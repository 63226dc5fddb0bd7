/** A separate PostgreSQL instance, reached by a socket in its folder. */
export interface Postgres {
  /** Address of a database as this user: `above` is a superuser, `plain` only owns its databases. */
  readonly urlOf: (database: string, user?: PostgresUser) => string;
  /** Makes an empty database that this user owns. Returns its address as that user. */
  readonly makeDatabase: (user?: PostgresUser) => string;
  /** Runs statements as a superuser; returns the output of psql: only values, one row per line. */
  readonly sql: (database: string, statements: string) => string;
  /** Stops the server; some signals simulate a crash. `start` starts it again. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
  readonly start: () => Promise<void>;
  /** Id of the parent process. */
  readonly pid: number;
}

type PostgresUser = "above" | "plain";

/** Makes a cluster in an empty folder and starts it. The caller must stop it. */
export function startPostgres(folder: string): Promise<Postgres>;
/** Returns the path of a PostgreSQL program; Debian keeps them in a folder per version. */
export function findPostgres(program: string): string;
