import { packNumbers, unpackInts } from "./catalogue.ts";
import { type Layer, LayeredRows } from "./layers.ts";
import { Meta } from "./meta.ts";
import type { Records } from "./records.ts";
import { IndexDamage, seal, unseal } from "./sealed.ts";

/** The settings of modules as they were when edges were found: for each question, a checksum of its answer. */
export interface ModuleSettings {
  /** Identifies the state of the files that they were read from. */
  readonly stamp: number;
  readonly answers: ReadonlyMap<number, number>;
}

/** Rows that are read at once. */
const PAGE = 1_000;
/** Up to this many questions, the database itself looks for their bytes, and only rows that have them are read. */
const FEW = 8;

/**
 * What finding the edges of each file asked for, and which of these questions may have got another answer since. A
 * question is a number that `graph/questions.ts` makes. Contract: as `IndexStore`.
 */
export class AskedQuestions {
  /** Newest first. */
  readonly #layers: readonly Layer[];
  readonly #rows: LayeredRows;
  /** Of the top, which is written. */
  readonly #records: Records;
  readonly #meta: Meta;

  constructor(layers: readonly Layer[], top: Records) {
    this.#layers = layers;
    this.#rows = new LayeredRows(layers);
    this.#records = top;
    this.#meta = new Meta(top);
  }

  /** Keeps what a file asked for. Contract: part of the caller's transaction. */
  set(path: string, asked: Int32Array): void {
    this.#records
      .statement("INSERT OR REPLACE INTO asked (path, data) VALUES (?, ?)")
      .run(path, seal(labelOf(path), packNumbers(asked)));
  }

  /** Verifies what a file asked for. */
  check(path: string): void {
    const row = this.#records.get("SELECT data FROM asked WHERE path = ?", path);
    this.#records.read(() => unseal(labelOf(path), row?.["data"]));
  }

  /** Files that asked one of these questions. */
  pathsAsking(keys: ReadonlySet<number>): string[] {
    const found: string[] = [];
    if (keys.size === 0) return found;
    // Most questions are none of these, and a table of bits tells that faster than the set.
    const may = new Uint8Array(1 << 16);
    for (const key of keys) may[key & 0xffff] = 1;
    const isAsked = (key: number) => may[key & 0xffff] === 1 && keys.has(key);
    const wanted = keys.size > FEW ? [] : [...keys].map((key) => packNumbers(Int32Array.of(key)));
    const filter = wanted.length === 0 ? "" : `AND (${wanted.map(() => "instr(data, ?) > 0").join(" OR ")})`;
    const sql = `SELECT path, data FROM asked WHERE path > ? ${filter} ORDER BY path LIMIT ?`;
    for (const [at, layer] of this.#layers.entries()) {
      const records = layer.holding("asked");
      for (let last = "", more = records !== null; more && records !== null; ) {
        const rows = records.all(sql, last, ...wanted, PAGE);
        for (const row of rows) {
          last = String(row["path"]);
          const asked = records.read(() => unpackInts(unseal(labelOf(last), row["data"])));
          if (asked.some(isAsked) && !this.#rows.isHidden(last, at, "asked")) found.push(last);
        }
        more = rows.length === PAGE;
      }
    }
    return found;
  }

  /** Questions whose answer may be another one since edges were found. */
  moved(): Set<number> {
    const bytes = this.#need("moved");
    return new Set(bytes === null ? [] : unpackInts(bytes));
  }

  /** Adds questions whose answer may be another one now. Contract: part of the caller's transaction. */
  addMoved(keys: readonly number[]): void {
    if (keys.length > 0) this.#setMoved(new Set([...this.moved(), ...keys]));
  }

  /** Forgets all moved questions, and keeps the settings that apply from now on. Contract: as `addMoved`. */
  settle({ stamp, answers }: ModuleSettings): void {
    this.#setMoved(new Set());
    this.#meta.set("modules", packNumbers(Int32Array.from([stamp, ...[...answers].flat()])));
  }

  #setMoved(keys: ReadonlySet<number>): void {
    this.#meta.set("moved", packNumbers(Int32Array.from(keys)));
  }

  /** The settings of modules that edges were found with; null if none have been found. */
  modules(): ModuleSettings | null {
    const bases = this.#layers.slice(1).map(({ codeMeta }) => codeMeta?.get("modules") ?? null);
    const bytes = this.#need("modules") ?? bases.find((kept) => kept !== null) ?? null;
    if (bytes === null) return null;
    const [stamp = 0, ...pairs] = unpackInts(bytes);
    const answers = new Map<number, number>();
    for (let at = 0; at < pairs.length; at += 2) answers.set(pairs[at] ?? 0, pairs[at + 1] ?? 0);
    return { stamp, answers };
  }

  /** A value that is there where edges are. */
  #need(key: string): Uint8Array | null {
    const bytes = this.#meta.get(key);
    const isMissed = bytes === null && this.#records.get("SELECT 1 FROM asked LIMIT 1") !== undefined;
    return this.#records.read(() => {
      if (isMissed) throw new IndexDamage(`${key} is missing`);
      return bytes;
    });
  }
}

function labelOf(path: string): string {
  return `what ${path} asked`;
}
