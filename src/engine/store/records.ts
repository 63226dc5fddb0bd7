import { type Database, inTransaction, isBusy, sayDatabaseError } from "../../base/sqlite.ts";
import { IndexDamage } from "./sealed.ts";

type Value = string | number | Uint8Array;
type Row = Readonly<Record<string, unknown>>;

/**
 * Rows of a database. Contract: whatever goes wrong while something is read is `IndexDamage`, and from then on nothing is read
 * any more, so that no answer is half of one state and half of another; what goes wrong while something is written is thrown
 * as it is.
 */
export class Records {
  readonly database: Database;
  readonly #prepared = new Map<string, ReturnType<Database["prepare"]>>();
  #damage: string | null = null;
  #hear: (why: string) => void = () => {};

  constructor(database: Database) {
    this.database = database;
  }

  /** Why nothing can be read any more; null where all is well so far. */
  get damage(): string | null {
    return this.#damage;
  }

  /** Has somebody hear of the first damage. */
  onDamage(hear: (why: string) => void): void {
    this.#hear = hear;
  }

  /** Reads with a check of its own. Contract: what `work` throws is damage. */
  read<T>(work: () => T): T {
    if (this.#damage !== null) throw new IndexDamage(this.#damage);
    try {
      return work();
    } catch (thrown) {
      const why = thrown instanceof IndexDamage ? thrown.message : sayDatabaseError(thrown);
      if (this.#damage === null) {
        this.#damage = why;
        // What another process holds locked is not broken.
        if (!isBusy(thrown)) this.#hear(why);
      }
      throw new IndexDamage(why);
    }
  }

  /** One row. */
  get(sql: string, ...values: Value[]): Row | undefined {
    return this.read(() => this.statement(sql).get(...values) as Row | undefined);
  }

  /** All rows. */
  all(sql: string, ...values: Value[]): Row[] {
    return this.read(() => this.statement(sql).all(...values) as Row[]);
  }

  /** A statement to write with. */
  statement(sql: string): ReturnType<Database["prepare"]> {
    const known = this.#prepared.get(sql) ?? this.database.prepare(sql);
    this.#prepared.set(sql, known);
    return known;
  }

  /** Writes. Contract: all of it is kept or nothing. */
  write<T>(work: () => T): T {
    return inTransaction(this.database, work);
  }
}

const DAMAGE_CODES: readonly unknown[] = [
  // Something that no statement of ours should meet, an unreadable disk, a broken page, another format, no database.
  1, 10, 11, 24, 26,
];

/** True for an error that a new index would not have. */
export function isDamage(thrown: unknown): boolean {
  if (thrown instanceof IndexDamage) return true;
  const code = thrown instanceof Error && "errcode" in thrown ? thrown.errcode : undefined;
  return typeof code === "number" && DAMAGE_CODES.includes(code & 0xff);
}
