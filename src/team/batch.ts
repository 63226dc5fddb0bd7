import { type Outcome, succeed } from "../contract/faults.ts";

/** Sends a message to a part of an index on a team's server. */
export type Post = (part: string, message: unknown) => Promise<Outcome<unknown>>;

/** Approximate maximum of characters and maximum of rows in a message. */
const MESSAGE_CHARS = 2_000_000;
const MOST_ROWS = 20_000;

/** Collects rows that are sent together. */
export class Batch<Row> {
  readonly #send: (rows: readonly Row[]) => Promise<Outcome<unknown>>;
  #rows: Row[] = [];
  #chars = 0;

  constructor(send: (rows: readonly Row[]) => Promise<Outcome<unknown>>) {
    this.#send = send;
  }

  /** Adds a row; sends the batch once it is large enough. */
  async add(row: Row, chars: number): Promise<Outcome<unknown>> {
    this.#rows.push(row);
    this.#chars += chars;
    return this.#chars > MESSAGE_CHARS || this.#rows.length >= MOST_ROWS ? this.flush() : succeed(undefined);
  }

  async flush(): Promise<Outcome<unknown>> {
    const rows = this.#rows;
    [this.#rows, this.#chars] = [[], 0];
    return rows.length === 0 ? succeed(undefined) : this.#send(rows);
  }
}
