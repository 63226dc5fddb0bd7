import { packNumbers, unpackInts } from "./catalogue.ts";
import { type Layer, LayeredRows } from "./layers.ts";
import { Meta } from "./meta.ts";
import type { Records } from "./records.ts";
import { seal, unseal } from "./sealed.ts";

/** Module settings at the time when edges were found: for each question, a checksum of its answer. */
export interface ModuleSettings {
  /** Identifies the state of the files from which they were read. */
  readonly stamp: number;
  readonly answers: ReadonlyMap<number, number>;
}

/** Number of rows read at once. */
const PAGE = 1_000;
/** Up to this many questions, the database searches for their bytes, and only rows that contain them are read. */
const FEW = 8;

/**
 * The questions that were asked to find the edges of each file, and those whose answers may have changed since. A
 * question is a number created by `graph/questions.ts`. Contract: as `IndexStore`.
 */
export class AskedQuestions {
  /** Newest first. */
  readonly #layers: readonly Layer[];
  readonly #rows: LayeredRows;
  /** Records of the top, the only layer that is written. */
  readonly #records: Records;
  readonly #meta: Meta;

  constructor(layers: readonly Layer[], top: Records) {
    this.#layers = layers;
    this.#rows = new LayeredRows(layers);
    this.#records = top;
    this.#meta = new Meta(top);
  }

  /** Stores the questions of a file. Contract: part of the caller's transaction. */
  set(path: string, asked: Int32Array): void {
    const data = seal(labelOf(path), packNumbers(asked));
    this.#records.run("INSERT OR REPLACE INTO asked (path, data) VALUES (?, ?)", path, data);
  }

  /** Verifies the questions of a file. */
  check(path: string): void {
    const row = this.#records.get("SELECT data FROM asked WHERE path = ?", path);
    this.#records.read(() => unseal(labelOf(path), row?.["data"]));
  }

  /** Paths of the files that asked one of these questions. */
  pathsAsking(keys: ReadonlySet<number>): string[] {
    const found: string[] = [];
    if (keys.size === 0) return found;
    // Most questions match none of these, and a lookup table detects that faster than the set.
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

  /** Questions whose answers may have changed since the edges were found. */
  moved(): Set<number> {
    const bytes = this.#need("moved");
    return new Set(bytes === null ? [] : unpackInts(bytes));
  }

  /** Adds questions whose answers may have changed. Contract: part of the caller's transaction. */
  addMoved(keys: readonly number[]): void {
    if (keys.length > 0) this.#setMoved(new Set([...this.moved(), ...keys]));
  }

  /** Removes all moved questions and stores the settings that apply from now on. Contract: as `addMoved`. */
  settle({ stamp, answers }: ModuleSettings): void {
    this.#setMoved(new Set());
    this.#meta.set("modules", packNumbers(Int32Array.from([stamp, ...[...answers].flat()])));
  }

  #setMoved(keys: ReadonlySet<number>): void {
    this.#meta.set("moved", packNumbers(Int32Array.from(keys)));
  }

  /** The module settings with which edges were found; null if none have been found. */
  modules(): ModuleSettings | null {
    const bases = this.#layers.slice(1).map(({ codeMeta }) => codeMeta?.get("modules") ?? null);
    const bytes = this.#need("modules") ?? bases.find((kept) => kept !== null) ?? null;
    if (bytes === null) return null;
    const [stamp = 0, ...pairs] = unpackInts(bytes);
    const answers = new Map<number, number>();
    for (let at = 0; at < pairs.length; at += 2) answers.set(pairs[at] ?? 0, pairs[at + 1] ?? 0);
    return { stamp, answers };
  }

  /** Returns a value that must exist once there are edges. */
  #need(key: string): Uint8Array | null {
    const bytes = this.#meta.get(key);
    const isMissed = bytes === null && this.#records.get("SELECT 1 FROM asked LIMIT 1") !== undefined;
    return isMissed ? this.#records.miss(`${key} is missing`) : bytes;
  }
}

function labelOf(path: string): string {
  return `what ${path} asked`;
}
