import { once } from "../../base/once.ts";
import { blockId, blockLabel, entriesOfBlock, findBlock, findInBlock, packBlocks } from "./blocks.ts";
import { packNumbers, packPaths, UNSURE, unpackFloats, unpackInts, unpackPaths } from "./catalogue.ts";
import type { Meta } from "./meta.ts";
import { readPostings } from "./postings.ts";
import type { Records } from "./records.ts";
import { IndexDamage, seal, unseal, unsealText } from "./sealed.ts";
import { type Segment, type SegmentReader, unpackDefinitions } from "./segment.ts";
import type { Witness } from "./witness.ts";

/** A segment of a store. */
export interface StoredSegment extends SegmentReader {
  readonly id: number;
  readonly isOfBase: boolean;
  /** Every term with its packed postings, in the order of terms. */
  readonly entries: () => Iterable<{ readonly term: string; readonly postings: Uint8Array }>;
}

/** Columns of a segment; each is a sealed record of its own. */
const SEGMENT_COLUMNS = ["paths", "numbers", "stats", "removed", "terms", "ids"] as const;

/** The segments of one database, with their postings. Contract: as `IndexStore`. */
export class SegmentTable {
  readonly #records: Records;
  readonly #meta: Meta;
  readonly #isOfBase: boolean;
  readonly #getWitness: () => Witness | null;

  /** `getWitness` returns the witness that checks definitions before they are shown, if there is one. */
  constructor(records: Records, meta: Meta, isOfBase: boolean, getWitness: () => Witness | null) {
    this.#records = records;
    this.#meta = meta;
    this.#isOfBase = isOfBase;
    this.#getWitness = getWitness;
  }

  /** All segments, oldest first. */
  all(): StoredSegment[] {
    return this.#ids().map((id) => this.#segment(id));
  }

  #segment(id: number): StoredSegment {
    const row = this.#records.get("SELECT paths, numbers, stats, removed, terms FROM segments WHERE id = ?", id);
    const ids = once(() => this.#textIds(id));
    return this.#records.read(() => {
      if (row === undefined) throw new IndexDamage(`segment ${id} is missing`);
      const column = (name: (typeof SEGMENT_COLUMNS)[number]) => unseal(segmentLabel(id, name), row[name]);
      const paths = unpackPaths(column("paths"));
      const terms = column("terms");
      let firsts: readonly string[] | undefined;
      return {
        id,
        isOfBase: this.#isOfBase,
        catalogue: {
          paths,
          numbers: unpackInts(column("numbers")),
          stats: unpackFloats(column("stats")),
          // Read on access: queries do not need it.
          get ids() {
            return ids();
          },
          removed: unpackPaths(column("removed")),
        },
        postings: (term) => {
          firsts ??= unpackPaths(terms);
          const number = findBlock(firsts, term);
          const found = number < 0 ? null : findInBlock(this.#block(id, number), term);
          return found === null ? null : readPostings(found);
        },
        definitionsIn: (slot) => this.#definitions(paths[slot] ?? ""),
        entries: () => this.#entries(id),
      };
    });
  }

  *#entries(segment: number) {
    const blocks = this.#firstTerms(segment).length;
    for (let number = 0; number < blocks; number++) yield* entriesOfBlock(this.#block(segment, number));
  }

  #textIds(segment: number): Uint8Array {
    const row = this.#records.get("SELECT ids FROM segments WHERE id = ?", segment);
    return this.#records.read(() => unseal(segmentLabel(segment, "ids"), row?.["ids"]));
  }

  #block(segment: number, number: number): Uint8Array {
    const row = this.#records.get("SELECT data FROM blocks WHERE id = ?", blockId(segment, number));
    return this.#records.read(() => unseal(blockLabel(segment, number), row?.["data"]));
  }

  #definitions(path: string) {
    const row = this.#records.get("SELECT data FROM outlines WHERE path = ?", path);
    return this.#records.read(() => {
      const found = unpackDefinitions(unsealText(`outline of ${path}`, row?.["data"]));
      return this.#getWitness()?.confirmsDefinitions(path, found) === false ? [] : found;
    });
  }

  /** True if a list of segments was ever written. */
  isBegun(): boolean {
    return this.#meta.get("segments") !== null || this.#records.get("SELECT 1 FROM segments LIMIT 1") !== undefined;
  }

  /** Writes an empty list of segments if there is none. Contract: part of the caller's transaction. */
  begin(): void {
    if (this.#meta.get("segments") === null) this.#setIds([]);
  }

  #ids(): readonly number[] {
    const ids = this.#meta.getJson<number[]>("segments");
    if (ids === null && this.#meta.get("state") !== null) this.#records.miss("the list of segments is missing");
    return ids ?? [];
  }

  #setIds(ids: readonly number[]): void {
    this.#meta.setJson("segments", ids);
  }

  /** Adds a segment as the newest. Contract: part of the caller's transaction. */
  add(segment: Segment): void {
    const { catalogue } = segment;
    const ids = this.#ids();
    const id = Math.max(0, ...ids) + 1;
    const firsts: string[] = [];
    packBlocks(segment, id, ({ number, first, data }) => {
      firsts.push(first);
      this.#records.run("INSERT OR REPLACE INTO blocks (id, data) VALUES (?, ?)", blockId(id, number), data);
    });
    const columns = {
      paths: packPaths(catalogue.paths),
      numbers: packNumbers(catalogue.numbers),
      stats: packNumbers(catalogue.stats),
      removed: packPaths(catalogue.removed),
      terms: packPaths(firsts),
      ids: catalogue.ids,
    };
    this.#records.run(
      `INSERT OR REPLACE INTO segments (id, ${SEGMENT_COLUMNS.join(", ")}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      id,
      ...SEGMENT_COLUMNS.map((name) => seal(segmentLabel(id, name), columns[name])),
    );
    this.#setIds([...ids, id]);
  }

  /** Removes segments. Contract: as `add`. */
  drop(dead: readonly number[]): void {
    for (const id of dead) {
      this.#records.run("DELETE FROM segments WHERE id = ?", id);
      this.#records.run("DELETE FROM blocks WHERE id >= ? AND id < ?", blockId(id, 0), blockId(id + 1, 0));
    }
    this.#setIds(this.#ids().filter((id) => !dead.includes(id)));
  }

  /** Adds terms that start with the given letters to a set, at most `most` per segment. */
  collectTerms(letters: string, most: number, found: Set<string>): void {
    for (const id of this.#ids()) {
      const firsts = this.#firstTerms(id);
      let left = most;
      for (let number = Math.max(0, findBlock(firsts, letters)); left > 0 && number < firsts.length; number++) {
        const first = firsts[number] ?? "";
        if (first > letters && !first.startsWith(letters)) break;
        const terms = entriesOfBlock(this.#block(id, number))
          .map(({ term }) => term)
          .filter((term) => term.startsWith(letters));
        for (const term of terms.slice(0, left)) found.add(term);
        left -= terms.length;
      }
    }
  }

  /** The sealed `stats` of each segment: the sizes of its files, without their modification times. */
  statsWithoutTimes(): { readonly id: number; readonly stats: Uint8Array }[] {
    return this.all().map(({ id, catalogue }) => {
      const stats = catalogue.stats.map((value, at) => (at % 2 === 0 ? value : UNSURE));
      return { id, stats: seal(segmentLabel(id, "stats"), packNumbers(stats)) };
    });
  }

  /** Reads every block of postings and the ids of all texts to verify them. */
  verify(): void {
    for (const id of this.#ids()) {
      this.#textIds(id);
      const blocks = this.#firstTerms(id).length;
      for (let number = 0; number < blocks; number++) this.#block(id, number);
    }
  }

  #firstTerms(segment: number): readonly string[] {
    const row = this.#records.get("SELECT terms FROM segments WHERE id = ?", segment);
    return this.#records.read(() => unpackPaths(unseal(segmentLabel(segment, "terms"), row?.["terms"])));
  }
}

function segmentLabel(id: number, column: string): string {
  return `${column} of segment ${id}`;
}
