import { type Catalogue, packNumbers, UNSURE, unpackFloats } from "./catalogue.ts";
import { Meta } from "./meta.ts";
import type { Records, Row } from "./records.ts";
import { SegmentTable, type StoredSegment } from "./segment-table.ts";
import type { Witness } from "./witness.ts";

/** Tables with one row per file, and to which half of an index they belong: words, or what parsing found. */
const TABLES = {
  outlines: "text",
  parsed: "code",
  facts: "code",
  edges: "code",
  asked: "code",
} as const;
/** One of them. */
export type LayeredTable = keyof typeof TABLES;

/** A base as it is stored: an index of some state of the files that is never written, without any file's time. */
export interface Base {
  /** Identifies its contents. */
  readonly name: string;
  readonly text: Records;
  /** Null as long as only the words are there. */
  readonly code: Records | null;
  /** If it is from elsewhere, the files that were not compared yet with what it says of them; null or absent for all. */
  readonly unconfirmed?: ReadonlySet<string> | null;
}

/** True for a base that was made elsewhere: what it says is not shown unless it stands in the files here. */
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
  /** Whom to ask before anything is shown; null for a layer that was made here, and for a builder, who shows nothing. */
  witness: Witness | null = null;

  constructor({ name, text, code }: Base, isOfBase: boolean) {
    this.name = name;
    this.#text = text;
    this.#code = code;
    this.meta = new Meta(text);
    this.segments = new SegmentTable(text, this.meta, isOfBase, () => this.witness);
  }

  /** The single values of the code. */
  get codeMeta(): Meta | null {
    return this.#code === null ? null : new Meta(this.#code);
  }

  /** The database with a table; null where it is not there yet. */
  holding(table: LayeredTable): Records | null {
    return TABLES[table] === "text" ? this.#text : this.#code;
  }

  /** Whether this layer says what becomes of a file, so that the layers below do not. */
  hides(path: string): boolean {
    this.#own ??= new Set(this.segments.all().flatMap(({ catalogue: { paths, removed } }) => [...paths, ...removed]));
    return this.#own.has(path);
  }

  /** To be called when segments were added or dropped. */
  forgetFiles(): void {
    this.#own = undefined;
  }
}

/**
 * The rows of all files, by path: the top's own, and below it those of the bases, newest first. A file of one layer hides what
 * older layers have of it. Contract: as `IndexStore`.
 */
export class LayeredRows {
  readonly #layers: readonly Layer[];

  constructor(layers: readonly Layer[]) {
    this.#layers = layers;
  }

  /** The row of a file as `unpack` reads it; null if there is none. */
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

  /** Reads the rows of all files for which `where` holds. */
  forEach(table: LayeredTable, columns: string, where: string, see: (row: Row) => void): void {
    this.#layers.forEach((layer, at) => {
      const records = layer.holding(table);
      const rows = records?.all(`SELECT ${columns} FROM ${table} WHERE ${where}`) ?? [];
      records?.read(() => {
        for (const row of rows) if (at === 0 || !this.isHidden(String(row["path"]), at, table)) see(row);
      });
    });
  }

  /** Whether a layer above has the file, or a row of its own for it. */
  isHidden(path: string, at: number, table: LayeredTable): boolean {
    return this.#layers
      .slice(0, at)
      .some(
        (layer) =>
          layer.hides(path) || layer.holding(table)?.get(`SELECT 1 FROM ${table} WHERE path = ?`, path) !== undefined,
      );
  }
}

/** Where the times of a base's files are kept in the top. */
const timesKey = (layer: Layer, segment: StoredSegment) => `times ${layer.name} ${segment.id}`;

/** The segments of a base, with the times that its files have here. A file without a time is to be read again. */
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

/** Keeps the times that the files of a base's segment have here. Contract: part of the caller's transaction. */
export function setTimes(base: Layer, segment: StoredSegment, top: Meta, times: Float64Array): void {
  top.set(timesKey(base, segment), packNumbers(times));
}
