import { type Database, inTransaction, isBusy, sayDatabaseError } from "../../base/sqlite.ts";
import { IndexDamage } from "./sealed.ts";

type Value = string | number | Uint8Array;
/** A row as returned by the database. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * Row access to a database. Contract: any error while reading becomes `IndexDamage`, and from then on all reads fail,
 * so that no answer mixes two states; errors while writing are thrown unchanged.
 */
export class Records {
  readonly database: Database;
  readonly #prepared = new Map<string, ReturnType<Database["prepare"]>>();
  #damage: string | null = null;
  #hear: (why: string) => void = () => {};

  constructor(database: Database) {
    this.database = database;
  }

  /** Why the database can no longer be read; null if no damage has been found so far. */
  get damage(): string | null {
    return this.#damage;
  }

  /** Registers a listener for the first damage. */
  onDamage(hear: (why: string) => void): void {
    this.#hear = hear;
  }

  /** Runs a read that includes its own checks. Contract: anything `work` throws counts as damage. */
  read<T>(work: () => T): T {
    if (this.#damage !== null) throw new IndexDamage(this.#damage);
    try {
      return work();
    } catch (thrown) {
      const why = thrown instanceof IndexDamage ? thrown.message : sayDatabaseError(thrown);
      if (this.#damage === null) {
        this.#damage = why;
        // Neither a lock held by another process nor a closed connection says anything about the file.
        if (!isBusy(thrown) && this.database.isOpen) this.#hear(why);
      }
      throw new IndexDamage(why);
    }
  }

  /** Reports data that must exist but does not. */
  miss(why: string): never {
    return this.read(() => {
      throw new IndexDamage(why);
    });
  }

  /** Reads one row. */
  get(sql: string, ...values: Value[]): Row | undefined {
    return this.read(() => this.#statement(sql).get(...values) as Row | undefined);
  }

  /** Reads all rows. */
  all(sql: string, ...values: Value[]): Row[] {
    return this.read(() => this.#statement(sql).all(...values) as Row[]);
  }

  #statement(sql: string): ReturnType<Database["prepare"]> {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const prepared = this.database.prepare(sql);
    this.#prepared.set(sql, prepared);
    return prepared;
  }

  /** Runs a statement that writes. Contract: part of the caller's transaction. */
  run(sql: string, ...values: Value[]): void {
    this.#statement(sql).run(...values);
  }

  /** Runs a write. Contract: atomic. */
  write<T>(work: () => T): T {
    return inTransaction(this.database, work);
  }
}

const DAMAGE_CODES: readonly unknown[] = [
  // SQLite codes: generic error (which none of our statements should cause), I/O error, corrupt page, wrong format, not
  // a database.
  1, 10, 11, 24, 26,
];

/** True if an error would not occur with a newly built index. */
export function isDamage(thrown: unknown): boolean {
  if (thrown instanceof IndexDamage) return true;
  const code = thrown instanceof Error && "errcode" in thrown ? thrown.errcode : undefined;
  return typeof code === "number" && DAMAGE_CODES.includes(code & 0xff);
}
