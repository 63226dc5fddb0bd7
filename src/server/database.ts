import { toCode, toMessage } from "../base/text.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { ADMIN, PRINCIPAL } from "./row-security.ts";
import { MEMBER_ROLE } from "./schema.ts";
import { isSameHash, type Secret } from "./secret.ts";
import { type SqlPool, type SqlRow, sqlStateOf } from "./sql.ts";

/** An atomic transaction; an error rolls it back. */
export interface Transaction {
  /** Runs a statement and returns its rows. */
  readonly rows: (text: string, ...values: readonly unknown[]) => Promise<SqlRow[]>;
  /** Runs a statement and returns the number of rows it changed. */
  readonly change: (text: string, ...values: readonly unknown[]) => Promise<number>;
  /** Writes an audit entry, as part of the transaction, so that nothing is done without an entry. */
  readonly note: (action: string, subject: string) => Promise<void>;
  /** Identifies the database, for `perDatabase`. */
  readonly database: object;
}

/** Holder of a token. */
export interface Holder {
  /** Id of the token. */
  readonly id: string;
  readonly maySubmit: boolean;
  readonly mayWork: boolean;
  /** Names of repositories, or `ALL_REPOS`. */
  readonly read: readonly string[];
  readonly publish: readonly string[];
}

/**
 * The team's database. Contract: every transaction has a principal, and sees and changes only what row-level security
 * permits; an unavailable, slow, full or read-only database is a fault.
 */
export class TeamDatabase {
  readonly #pool: SqlPool;
  readonly #role: string;

  /** `takesRole` is true if the connection's user bypasses row-level security. */
  constructor(pool: SqlPool, takesRole: boolean) {
    this.#pool = pool;
    this.#role = takesRole ? `SET LOCAL ROLE ${MEMBER_ROLE};` : "";
  }

  /**
   * Runs `work` as the holder of a token, in one transaction. With `isOneLook` it is read-only and sees one snapshot,
   * unaffected by concurrent commits. Contract: null for a token that is unknown, expired or revoked, without running
   * `work`.
   */
  as<T>(
    { id, hash }: Pick<Secret, "id" | "hash">,
    work: (transaction: Transaction, holder: Holder) => Promise<T>,
    { isOneLook = false } = {},
  ): Promise<Outcome<T | null>> {
    // One round trip: sets the principal, reads the token's rights, then applies row-level security.
    const begin = `SET LOCAL ${PRINCIPAL} = '${id}';
      SELECT hash, may_submit, may_work, ARRAY(SELECT repo FROM groundwork.grants WHERE token = id AND may_read) AS read,
        ARRAY(SELECT repo FROM groundwork.grants WHERE token = id AND may_publish) AS publish
      FROM groundwork.tokens WHERE id = '${id}' AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now());
      ${this.#role}`;
    return this.#transact(begin, isOneLook, async (transaction, known) => {
      if (!isSameHash(hash, known?.["hash"]) || known === undefined) return null;
      return work(transaction, {
        id,
        maySubmit: known["may_submit"] === true,
        mayWork: known["may_work"] === true,
        read: known["read"] as string[],
        publish: known["publish"] as string[],
      });
    });
  }

  /** Runs `work` with the database's own credentials: for managing tokens, leases and expired data. */
  asAdmin<T>(work: (transaction: Transaction) => Promise<T>): Promise<Outcome<T>> {
    return this.#transact(`SET LOCAL ${PRINCIPAL} = '${ADMIN}'`, false, work);
  }

  /**
   * Rewrites tables of the schema without deleted rows, which would otherwise remain in their files. Contract: the
   * pool's statements have no time limit; nobody else can read or write a table meanwhile.
   */
  rewrite(tables: readonly string[]): Promise<Outcome<void>> {
    return orFault(async () => {
      const { query, release } = await this.#pool.connect();
      try {
        for (const table of tables) await query(`VACUUM FULL groundwork.${table}`);
        return succeed(undefined);
      } finally {
        release(true);
      }
    });
  }

  /** Connection counts of the pool. */
  get counts(): ReturnType<SqlPool["counts"]> {
    return this.#pool.counts();
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  #transact<T>(
    begin: string,
    isOneLook: boolean,
    work: (transaction: Transaction, found: SqlRow | undefined) => Promise<T>,
  ): Promise<Outcome<T>> {
    return orFault(async () => {
      const connection = await this.#pool.connect();
      const { query } = connection;
      let isBroken = true;
      try {
        const [found] = (await connection.begin(begin, isOneLook)).rows;
        const change: Transaction["change"] = async (text, ...values) => (await query(text, values)).rowCount ?? 0;
        const transaction: Transaction = {
          rows: async (text, ...values) => (await query(text, values)).rows,
          change,
          note: async (action, subject) => {
            await change("INSERT INTO groundwork.audit (action, subject) VALUES ($1, $2)", action, subject);
          },
          database: this,
        };
        const done = await work(transaction, found);
        await query("COMMIT");
        isBroken = false;
        return succeed(done);
      } finally {
        // Closing a broken connection also ends its transaction.
        connection.release(isBroken);
      }
    });
  }
}

/** Keeps one value per database, because row ids are meaningful only within their database. */
export function perDatabase<T>(make: () => T): (transaction: Transaction) => T {
  const made = new WeakMap<object, T>();
  return ({ database }) => {
    const known = made.get(database) ?? make();
    made.set(database, known);
    return known;
  };
}

/** PostgreSQL errors about the condition of the database, by the start of their SQLSTATE. */
const STATES: readonly (readonly [start: string, message: string])[] = [
  ["25006", "the team's database is read-only at the moment"],
  ["53100", "the team's database has no room left on its disk"],
  ["53", "the team's database is overloaded"],
  ["57014", "the team's database took too long"],
  ["55P03", "the team's database took too long"],
  ["57P", "the team's database does not answer"],
  ["08", "the team's database does not answer"],
  ["58", "the team's database cannot read or write its files"],
];
/** Connection errors by code; those of pg itself have none. */
const GONE = /^E(?:CONN|PIPE|HOST|NET|AI|TIMEDOUT|NOTFOUND)|ENOENT/;
const GONE_TEXT = /timeout|terminated|connection/i;

/** Runs `work`. Contract: an error about the condition of the database is a fault; a bug of ours is thrown. */
export async function orFault<T>(work: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await work();
  } catch (thrown) {
    const message = findTrouble(thrown);
    if (message === null) throw thrown;
    return fail("E_TOOL_UNAVAILABLE", message);
  }
}

/** What is wrong with the database, according to an error; null if the error is about something else. */
function findTrouble(thrown: unknown): string | null {
  const state = sqlStateOf(thrown);
  if (state !== "") return STATES.find(([start]) => state.startsWith(start))?.[1] ?? null;
  return GONE.test(toCode(thrown)) || GONE_TEXT.test(toMessage(thrown)) ? "the team's database does not answer" : null;
}
