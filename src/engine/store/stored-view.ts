import type { SymbolFact } from "../parse/facts.ts";
import type { PackedEdges } from "./edges.ts";
import type { FolderStamps, IndexStore } from "./index-store.ts";
import { type IndexedFile, knownFiles } from "./known-files.ts";
import type { Links } from "./links.ts";
import type { RecordMemory } from "./record-memory.ts";
import { RepositoryIndex } from "./repository-index.ts";
import type { SegmentReader } from "./segment.ts";
import type { StoredSegment } from "./segment-table.ts";

/** Cache weight of one record, besides its text. */
const RECORD_SIZE = 200;
/** Cache weight of one symbol. */
const SYMBOL_SIZE = 300;
/** Factor by which unpacked edges outweigh their text. */
const UNPACKED = 4;
/** Maximum number of cached indexes: one per set of excluded paths. */
const MOST_INDEXES = 2;

/**
 * One state of an index, with the data that every query needs. Contract: reads throw `IndexDamage` like those of the
 * store; a cached view must be dropped when the index changes.
 */
export class StoredView {
  readonly store: IndexStore;
  readonly segments: readonly StoredSegment[];
  readonly links: Links;
  readonly folders: FolderStamps;
  readonly #memory: RecordMemory;
  readonly #indexes = new Map<(path: string) => boolean, RepositoryIndex>();
  /** The last index with changed files laid over it. */
  #laid: { readonly key: string; readonly isExcluded: unknown; readonly index: RepositoryIndex } | undefined;
  #files: ReadonlyMap<string, IndexedFile> | undefined;

  constructor(store: IndexStore, memory: RecordMemory) {
    this.store = store;
    this.segments = store.segments();
    this.links = store.links();
    this.folders = store.folders();
    this.#memory = memory;
    store.confirmForeign((path) => this.files.get(path));
  }

  /** Files as recorded in the index. */
  get files(): ReadonlyMap<string, IndexedFile> {
    this.#files ??= knownFiles(this.segments);
    return this.#files;
  }

  /** The index of all files except the excluded ones. */
  indexWithout(isExcluded: (path: string) => boolean): RepositoryIndex {
    const known = this.#indexes.get(isExcluded);
    if (known !== undefined) return known;
    const [oldest] = this.#indexes.keys();
    if (oldest !== undefined && this.#indexes.size >= MOST_INDEXES) this.#indexes.delete(oldest);
    const index = new RepositoryIndex(this.segments, this.links, isExcluded);
    this.#indexes.set(isExcluded, index);
    return index;
  }

  /**
   * The same, with newer files laid over those of the index. Contract: a path with the same size and time has the same
   * text.
   */
  indexUnder(overlay: SegmentReader, isExcluded: (path: string) => boolean): RepositoryIndex {
    const { paths, stats, removed } = overlay.catalogue;
    const key = JSON.stringify([paths, [...stats], removed]);
    if (this.#laid?.key === key && this.#laid.isExcluded === isExcluded) return this.#laid.index;
    const index = new RepositoryIndex([...this.segments, overlay], this.links, isExcluded);
    this.#laid = { key, isExcluded, index };
    return index;
  }

  /** As `CodeStore.symbols`. */
  symbols(path: string): readonly SymbolFact[] {
    const sizeOf = (symbols: readonly SymbolFact[]) => RECORD_SIZE + SYMBOL_SIZE * symbols.length;
    return this.#memory.recall(`symbols ${path}`, () => this.store.code.symbols(path), sizeOf);
  }

  /** As `CodeStore.edges`. */
  edges(path: string): PackedEdges | null {
    const sizeOf = (edges: PackedEdges | null) => RECORD_SIZE + UNPACKED * (edges?.text.length ?? 0);
    return this.#memory.recall(`edges ${path}`, () => this.store.code.edges(path), sizeOf);
  }

  /** As `CodeStore.parsedStamp`. */
  parsedStamp(path: string): string | null {
    return this.#memory.recall(
      `stamp ${path}`,
      () => this.store.code.parsedStamp(path),
      () => RECORD_SIZE,
    );
  }
}
