import { type Catalogue, packNumbers, UNSURE, unpackFloats } from "./catalogue.ts";
import { Meta } from "./meta.ts";
import type { Records, Row } from "./records.ts";
import { SegmentTable, type StoredSegment } from "./segment-table.ts";
import type { Witness } from "./witness.ts";

/** Tables with one row per file, and the half of an index that each belongs to: words, or parse results. */
const TABLES = {
  outlines: "text",
  parsed: "code",
  facts: "code",
  edges: "code",
  asked: "code",
} as const;
/** Name of a table with one row per file. */
export type LayeredTable = keyof typeof TABLES;

/** A stored base: an index of some state of the files that is never written and contains no modification times. */
export interface Base {
  /** Identifies its contents. */
  readonly name: string;
  readonly text: Records;
  /** Null as long as only the words are available. */
  readonly code: Records | null;
  /** For a base from elsewhere, the files that have not been compared with its data yet; null or absent means all. */
  readonly unconfirmed?: ReadonlySet<string> | null;
}

/** True for a base that was made elsewhere: its data is shown only if it matches the files here. */
export function isForeign(baseName: string): boolean {
  return baseName.startsWith("base-");
}

/** One index of a stack. */
export class Layer {
  readonly name: string;
  readonly meta: Meta;
  readonly segments: SegmentTable;
  readonly #text: Records;
  readonly #code: Records | null;
  #own: ReadonlySet<string> | undefined;
  /** Checks data before it is shown; null for a layer that was made here, and in a builder, which shows nothing. */
  witness: Witness | null = null;

  constructor({ name, text, code }: Base, isOfBase: boolean) {
    this.name = name;
    this.#text = text;
    this.#code = code;
    this.meta = new Meta(text);
    this.segments = new SegmentTable(text, this.meta, isOfBase, () => this.witness);
  }

  /** Single values of the code half; null if it is not available yet. */
  get codeMeta(): Meta | null {
    return this.#code === null ? null : new Meta(this.#code);
  }

  /** The database that contains a table; null if it is not available yet. */
  holding(table: LayeredTable): Records | null {
    return TABLES[table] === "text" ? this.#text : this.#code;
  }

  /** True if this layer contains or removes a file, so that the layers below do not count for it. */
  hides(path: string): boolean {
    this.#own ??= new Set(this.segments.all().flatMap(({ catalogue: { paths, removed } }) => [...paths, ...removed]));
    return this.#own.has(path);
  }

  /** Must be called after segments were added or dropped. */
  forgetFiles(): void {
    this.#own = undefined;
  }
}

/**
 * The rows of all files, by path: those of the top, then those of the bases, newest first. A file of one layer hides
 * its rows in older layers. Contract: as `IndexStore`.
 */
export class LayeredRows {
  readonly #layers: readonly Layer[];

  constructor(layers: readonly Layer[]) {
    this.#layers = layers;
  }

  /** Returns the row of a file, decoded by `unpack`; null if there is none. */
  find<T>(table: LayeredTable, columns: string, path: string, unpack: (row: Row, layer: Layer) => T): T | null {
    const last = this.#layers.length - 1;
    for (const [at, layer] of this.#layers.entries()) {
      const records = layer.holding(table);
      const row = records?.get(`SELECT ${columns} FROM ${table} WHERE path = ?`, path);
      if (row !== undefined && records !== null) return records.read(() => unpack(row, layer));
      if (at < last && layer.hides(path)) return null;
    }
    return null;
  }

  /** Calls `see` with the rows of all files that satisfy the SQL condition `where`. */
  forEach(table: LayeredTable, columns: string, where: string, see: (row: Row) => void): void {
    this.#layers.forEach((layer, at) => {
      const records = layer.holding(table);
      const rows = records?.all(`SELECT ${columns} FROM ${table} WHERE ${where}`) ?? [];
      records?.read(() => {
        for (const row of rows) if (at === 0 || !this.isHidden(String(row["path"]), at, table)) see(row);
      });
    });
  }

  /** True if a layer above layer `at` contains or removes the file, or has its own row for it. */
  isHidden(path: string, at: number, table: LayeredTable): boolean {
    return this.#layers
      .slice(0, at)
      .some(
        (layer) =>
          layer.hides(path) || layer.holding(table)?.get(`SELECT 1 FROM ${table} WHERE path = ?`, path) !== undefined,
      );
  }
}

/** Key under which the top stores the modification times of the files of a base's segment. */
const timesKey = (layer: Layer, segment: StoredSegment) => `times ${layer.name} ${segment.id}`;

/** The segments of a base, with the modification times of its files here. A file without a time must be read again. */
export function segmentsHere(base: Layer, top: Meta): StoredSegment[] {
  return base.segments.all().map((segment) => {
    const { catalogue } = segment;
    const times = unpackFloats(top.get(timesKey(base, segment)) ?? new Uint8Array(0));
    const stats = catalogue.stats.map((value, at) => (at % 2 === 0 ? value : (times[(at - 1) / 2] ?? UNSURE)));
    const { paths, numbers, removed } = catalogue;
    const ids = { get: () => catalogue.ids };
    return {
      ...segment,
      catalogue: Object.defineProperty({ paths, numbers, removed, stats } as Catalogue, "ids", ids),
    };
  });
}

/** Stores the modification times here of the files of a base's segment. Contract: part of the caller's transaction. */
export function setTimes(base: Layer, segment: StoredSegment, top: Meta, times: Float64Array): void {
  top.set(timesKey(base, segment), packNumbers(times));
}
