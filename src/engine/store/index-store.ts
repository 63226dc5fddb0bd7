import type { Database } from "../../base/sqlite.ts";
import type { FileFacts, SymbolFact } from "../parse/facts.ts";
import type { Import } from "../search/imports.ts";
import { AskedStore, type ModuleSettings } from "./asked-store.ts";
import { blockId, blockLabel, findBlock, findInBlock, packBlocks, termsOfBlock } from "./blocks.ts";
import { packNumbers, packPaths, unpackFloats, unpackInts, unpackPaths } from "./catalogue.ts";
import { PackedEdges } from "./edges.ts";
import { mayHaveSymbol, type PackedFacts, unpackFacts, unpackSymbols } from "./facts.ts";
import { type Links, NO_LINKS } from "./links.ts";
import { Meta } from "./meta.ts";
import { readPostings } from "./postings.ts";
import { Records } from "./records.ts";
import { IndexDamage, seal, sealText, unseal, unsealText } from "./sealed.ts";
import { type Segment, type SegmentReader, unpackDefinitions } from "./segment.ts";
import { checkStamp, sumOfStamp, UNPARSED } from "./stamps.ts";

/** Folders and the modification time of each folder's listing. */
export interface FolderStamps {
  readonly paths: readonly string[];
  readonly modifiedMs: Float64Array;
  /** Sensitive files and folders inside them, which are not indexed under any name. */
  readonly sensitive: readonly string[];
}

/** Stamps of an index without folders. */
export const NO_FOLDERS: FolderStamps = { paths: [], modifiedMs: new Float64Array(0), sensitive: [] };

/** Progress of an index. */
export interface IndexState {
  /** Real path of the repository; two repositories may share a folder by hash collision. */
  readonly root: string;
  /** The next phase; `done` if nothing is left to do. */
  readonly phase: "text" | "code" | "graph" | "done";
  readonly files: number;
  /** Time of the last write. */
  readonly atMs: number;
  /** What was wrong with the previous index, if this one replaced a damaged one. */
  readonly mended?: string;
}

/** Facts of a parsed file, packed. */
export interface FactsRow {
  readonly path: string;
  /** Identifies the version of the file that was parsed. */
  readonly stamp: string;
  readonly outline: string;
  readonly facts: PackedFacts;
}

/** Edges of a file, packed, and what finding them asked for. */
export interface EdgesRow {
  readonly path: string;
  readonly edges: string;
  readonly asked: Int32Array;
}

/** A segment of a store. */
export interface StoredSegment extends SegmentReader {
  readonly id: number;
}

/** Columns of a segment; each is a sealed record of its own. */
const SEGMENT_COLUMNS = ["paths", "numbers", "stats", "removed", "terms"] as const;

/**
 * Reads and writes the contents of an index. Contract: every record has a checksum that is verified on reading, and a
 * missing required record is detected; both cause `IndexDamage`, as does any other error while reading. Every path of
 * the segments has a row in `outlines` and in `parsed`; a parsed file has facts, and also edges once the index is done.
 */
export class IndexStore {
  readonly records: Records;
  /** What edges depend on. */
  readonly asked: AskedStore;
  readonly #meta: Meta;

  constructor(database: Database) {
    this.records = new Records(database);
    this.#meta = new Meta(this.records);
    this.asked = new AskedStore(this.records, this.#meta);
  }

  get database(): Database {
    return this.records.database;
  }

  /** Why the store can no longer be read; null if no damage has been found so far. */
  get damage(): string | null {
    return this.records.damage;
  }

  /** All segments, oldest first. */
  segments(): StoredSegment[] {
    return this.#segmentIds().map((id) => this.#segment(id));
  }

  #segment(id: number): StoredSegment {
    const row = this.records.get(`SELECT ${SEGMENT_COLUMNS.join(", ")} FROM segments WHERE id = ?`, id);
    return this.records.read(() => {
      if (row === undefined) throw new IndexDamage(`segment ${id} is missing`);
      const column = (name: (typeof SEGMENT_COLUMNS)[number]) => unseal(segmentLabel(id, name), row[name]);
      const paths = unpackPaths(column("paths"));
      const terms = column("terms");
      let firsts: readonly string[] | undefined;
      return {
        id,
        catalogue: {
          paths,
          numbers: unpackInts(column("numbers")),
          stats: unpackFloats(column("stats")),
          removed: unpackPaths(column("removed")),
        },
        postings: (term) => {
          firsts ??= unpackPaths(terms);
          const number = findBlock(firsts, term);
          const found = number < 0 ? null : findInBlock(this.#block(id, number), term);
          return found === null ? null : readPostings(found);
        },
        definitionsIn: (slot) => this.#definitions(paths[slot] ?? ""),
      };
    });
  }

  #block(segment: number, number: number): Uint8Array {
    const row = this.records.get("SELECT data FROM blocks WHERE id = ?", blockId(segment, number));
    return this.records.read(() => unseal(blockLabel(segment, number), row?.["data"]));
  }

  #definitions(path: string) {
    const row = this.records.get("SELECT data FROM outlines WHERE path = ?", path);
    return this.records.read(() => unpackDefinitions(unsealText(`outline of ${path}`, row?.["data"])));
  }

  #segmentIds(): readonly number[] {
    const ids = this.#meta.get("segments");
    if (ids === null && this.#meta.get("state") !== null) return this.#miss("the list of segments is missing");
    return ids === null ? [] : (JSON.parse(toText(ids)) as number[]);
  }

  #setSegmentIds(ids: readonly number[]): void {
    this.#meta.set("segments", Buffer.from(JSON.stringify(ids)));
  }

  #miss(why: string): never {
    return this.records.read(() => {
      throw new IndexDamage(why);
    });
  }

  /** Removes segments that contain no live files. */
  dropSegments(dead: readonly number[]): void {
    if (dead.length === 0) return;
    const ids = this.#segmentIds().filter((id) => !dead.includes(id));
    this.records.write(() => {
      for (const id of dead) {
        this.#run("DELETE FROM segments WHERE id = ?", id);
        this.#run("DELETE FROM blocks WHERE id >= ? AND id < ?", blockId(id, 0), blockId(id + 1, 0));
      }
      this.#setSegmentIds(ids);
    });
  }

  /**
   * Adds a segment as the newest. Files for which `isSame` is true have only moved here from an older segment, so their
   * stored definitions are kept. `moved` are the questions that get another answer by it. Contract: atomic.
   */
  addSegment(segment: Segment, isSame: (path: string) => boolean, moved: readonly number[]): void {
    const { catalogue, outlines, imports } = segment;
    const ids = this.#segmentIds();
    const id = Math.max(0, ...ids) + 1;
    this.records.write(() => {
      const firsts: string[] = [];
      const addBlock = this.records.statement("INSERT OR REPLACE INTO blocks (id, data) VALUES (?, ?)");
      packBlocks(segment, id, ({ number, first, data }) => {
        firsts.push(first);
        addBlock.run(blockId(id, number), data);
      });
      const columns = {
        paths: packPaths(catalogue.paths),
        numbers: packNumbers(catalogue.numbers),
        stats: packNumbers(catalogue.stats),
        removed: packPaths(catalogue.removed),
        terms: packPaths(firsts),
      };
      this.#run(
        `INSERT OR REPLACE INTO segments (id, ${SEGMENT_COLUMNS.join(", ")}) VALUES (?, ?, ?, ?, ?, ?)`,
        id,
        ...SEGMENT_COLUMNS.map((name) => seal(segmentLabel(id, name), columns[name])),
      );
      this.#setSegmentIds([...ids, id]);
      const addOutline = this.records.statement(
        "INSERT OR REPLACE INTO outlines (path, data, imports) VALUES (?, ?, ?)",
      );
      const addParsed = this.records.statement("INSERT OR IGNORE INTO parsed (path, stamp, sum) VALUES (?, ?, ?)");
      for (const [slot, path] of catalogue.paths.entries()) {
        if (isSame(path)) continue;
        const [outline, brought] = [outlines[slot] ?? "[]", imports[slot] ?? "[]"];
        addOutline.run(path, sealText(`outline of ${path}`, outline), sealText(`imports of ${path}`, brought));
        addParsed.run(path, UNPARSED, sumOfStamp(path, UNPARSED));
      }
      for (const path of catalogue.removed)
        for (const table of ["outlines", "parsed", "facts", ...EDGE_TABLES])
          this.#run(`DELETE FROM ${table} WHERE path = ?`, path);
      this.asked.addMoved(moved);
    });
  }

  /** The imports of each file, by path. */
  imports(): Map<string, readonly Import[]> {
    const rows = this.records.all("SELECT path, imports FROM outlines");
    return this.records.read(
      () =>
        new Map(
          rows.map(({ path, imports }) => [
            String(path),
            JSON.parse(unsealText(`imports of ${path}`, imports)) as Import[],
          ]),
        ),
    );
  }

  /** The packed imports of a file, for comparison; null if they are not known. */
  packedImports(path: string): string | null {
    const row = this.records.get("SELECT imports FROM outlines WHERE path = ?", path);
    return row === undefined ? null : this.records.read(() => unsealText(`imports of ${path}`, row["imports"]));
  }

  /**
   * Stores the facts of parsed files and drops their edges, which must be found again. `moved` as for `addSegment`.
   * Contract: atomic.
   */
  addFacts(readings: readonly FactsRow[], moved: readonly number[]): void {
    this.records.write(() => {
      for (const { path, stamp, outline, facts } of readings) {
        this.#setStamp(path, stamp);
        this.#run("UPDATE outlines SET data = ? WHERE path = ?", sealText(`outline of ${path}`, outline), path);
        this.#run(
          "INSERT OR REPLACE INTO facts (path, symbols, refs) VALUES (?, ?, ?)",
          path,
          sealText(`symbols of ${path}`, facts.symbols),
          sealText(`references of ${path}`, facts.references),
        );
        this.#dropEdgesOf(path);
      }
      this.asked.addMoved(moved);
    });
  }

  /** Drops the facts of files. `moved` as for `addSegment`. Contract: atomic. */
  dropFacts(paths: readonly string[], moved: readonly number[]): void {
    this.records.write(() => {
      for (const path of paths) {
        this.#setStamp(path, UNPARSED);
        this.#run("DELETE FROM facts WHERE path = ?", path);
        this.#dropEdgesOf(path);
      }
      this.asked.addMoved(moved);
    });
  }

  #setStamp(path: string, stamp: string): void {
    const sum = sumOfStamp(path, stamp);
    this.#run("INSERT OR REPLACE INTO parsed (path, stamp, sum) VALUES (?, ?, ?)", path, stamp, sum);
  }

  /** The facts of a file; null if it was not parsed. */
  facts(path: string): FileFacts | null {
    const row = this.records.get("SELECT symbols, refs FROM facts WHERE path = ?", path);
    if (row === undefined) return this.#withoutFacts(path);
    return this.records.read(() =>
      unpackFacts({
        symbols: unsealText(`symbols of ${path}`, row["symbols"]),
        references: unsealText(`references of ${path}`, row["refs"]),
      }),
    );
  }

  /**
   * The symbols of a file; empty if it was not parsed, or if none of them has the wanted name, which costs far less to
   * see than to unpack them.
   */
  symbols(path: string, wanted: string | null = null): SymbolFact[] {
    const row = this.records.get("SELECT symbols FROM facts WHERE path = ?", path);
    if (row === undefined) return this.#withoutFacts(path) ?? [];
    return this.records.read(() => {
      const text = unsealText(`symbols of ${path}`, row["symbols"]);
      return wanted === null || mayHaveSymbol(text, wanted) ? unpackSymbols(text) : [];
    });
  }

  #withoutFacts(path: string): null {
    return (this.#stamp(path) ?? UNPARSED) === UNPARSED ? null : this.#miss(`facts of ${path} are missing`);
  }

  /** Stores edges of files. Contract: atomic. */
  addEdges(rows: readonly EdgesRow[]): void {
    this.records.write(() => {
      for (const { path, edges, asked } of rows) {
        this.#run("INSERT OR REPLACE INTO edges (path, data) VALUES (?, ?)", path, sealText(`edges of ${path}`, edges));
        this.asked.set(path, asked);
      }
    });
  }

  /** The outgoing edges of a file; null if they have not been found yet or the file is not code. */
  edges(path: string): PackedEdges | null {
    const row = this.records.get("SELECT data FROM edges WHERE path = ?", path);
    if (row !== undefined) return this.records.read(() => new PackedEdges(unsealText(`edges of ${path}`, row["data"])));
    // The stamp first: names stand in many files that are not code.
    const isMissed = (this.#stamp(path) ?? UNPARSED) !== UNPARSED && this.state()?.phase === "done";
    return isMissed ? this.#miss(`edges of ${path} are missing`) : null;
  }

  /** Whether any edges have been found yet. */
  hasEdges(): boolean {
    return this.records.get("SELECT 1 FROM edges LIMIT 1") !== undefined;
  }

  /** Terms that start with the given letters, at most `most` per segment. */
  termsFrom(letters: string, most: number): string[] {
    const found = new Set<string>();
    for (const id of this.#segmentIds()) {
      const row = this.records.get("SELECT terms FROM segments WHERE id = ?", id);
      const firsts = this.records.read(() => unpackPaths(unseal(segmentLabel(id, "terms"), row?.["terms"])));
      let left = most;
      for (let number = Math.max(0, findBlock(firsts, letters)); left > 0 && number < firsts.length; number++) {
        const first = firsts[number] ?? "";
        if (first > letters && !first.startsWith(letters)) break;
        const terms = termsOfBlock(this.#block(id, number)).filter((term) => term.startsWith(letters));
        for (const term of terms.slice(0, left)) found.add(term);
        left -= terms.length;
      }
    }
    return [...found];
  }

  /** Parsed files whose edges have yet to be found. */
  pathsWithoutEdges(): string[] {
    const rows = this.records.all(
      // A correlated lookup: a list of all edges would read every page of the table.
      `SELECT path, stamp, sum FROM parsed WHERE stamp <> '' AND NOT EXISTS (SELECT 1 FROM edges WHERE edges.path = parsed.path) ORDER BY path`,
    );
    return this.records.read(() => rows.map((row) => checkStamp(row).path));
  }

  /**
   * Drops the edges of files, so that they are found again, and forgets why: no question counts as moved any more.
   * Contract: atomic.
   */
  dropEdges(paths: readonly string[], settings: ModuleSettings): void {
    this.records.write(() => {
      for (const path of paths) this.#dropEdgesOf(path);
      this.asked.settle(settings);
    });
  }

  #dropEdgesOf(path: string): void {
    for (const table of EDGE_TABLES) this.#run(`DELETE FROM ${table} WHERE path = ?`, path);
  }

  /** Stamp of the version of an indexed file that was parsed; null if it was not parsed. */
  parsedStamp(path: string): string | null {
    const stamp = this.#stamp(path) ?? this.#miss(`what is known of ${path} is missing`);
    return stamp === UNPARSED ? null : stamp;
  }

  #stamp(path: string): string | null {
    const row = this.records.get("SELECT path, stamp, sum FROM parsed WHERE path = ?", path);
    return row === undefined ? null : this.records.read(() => checkStamp(row).stamp);
  }

  /** Stamps of all parsed files, by path. */
  parsedStamps(): Map<string, string> {
    const rows = this.records.all("SELECT path, stamp, sum FROM parsed WHERE stamp <> ''");
    return this.records.read(() => {
      const stamps = new Map<string, string>();
      for (const row of rows) {
        const { path, stamp } = checkStamp(row);
        stamps.set(path, stamp);
      }
      return stamps;
    });
  }

  links(): Links {
    const paths = this.#meta.get("links.paths");
    const starts = this.#meta.get("links.starts");
    const targets = this.#meta.get("links.targets");
    if (paths === null || starts === null || targets === null) return this.#withoutText("the links", NO_LINKS);
    return { paths: unpackPaths(paths), starts: unpackInts(starts), targets: unpackInts(targets) };
  }

  /** Whether the import links between files have ever been computed. */
  hasLinks(): boolean {
    return this.#meta.get("links.targets") !== null;
  }

  setLinks({ paths, starts, targets }: Links): void {
    this.records.write(() => {
      this.#meta.set("links.paths", packPaths(paths));
      this.#meta.set("links.starts", packNumbers(starts));
      this.#meta.set("links.targets", packNumbers(targets));
    });
  }

  folders(): FolderStamps {
    const paths = this.#meta.get("folders.paths");
    const stamps = this.#meta.get("folders.stamps");
    const sensitive = this.#meta.get("folders.sensitive");
    if (paths === null || stamps === null || sensitive === null) return this.#withoutText("the folders", NO_FOLDERS);
    return { paths: unpackPaths(paths), modifiedMs: unpackFloats(stamps), sensitive: unpackPaths(sensitive) };
  }

  /** Fallback for data that must exist once all text has been read. */
  #withoutText<T>(what: string, nothing: T): T {
    const state = this.state();
    return state === null || state.phase === "text" ? nothing : this.#miss(`${what} are missing`);
  }

  setFolders({ paths, modifiedMs, sensitive }: FolderStamps): void {
    this.records.write(() => {
      this.#meta.set("folders.sensitive", packPaths(sensitive));
      this.#meta.set("folders.paths", packPaths(paths));
      this.#meta.set("folders.stamps", packNumbers(modifiedMs));
    });
  }

  /** Progress of the index; null if no build has started. */
  state(): IndexState | null {
    const bytes = this.#meta.get("state");
    if (bytes !== null) return JSON.parse(toText(bytes)) as IndexState;
    const isBegun =
      this.#meta.get("segments") !== null || this.records.get("SELECT 1 FROM segments LIMIT 1") !== undefined;
    return isBegun ? this.#miss("the state is missing") : null;
  }

  setState(state: IndexState): void {
    this.records.write(() => {
      if (this.#meta.get("segments") === null) this.#setSegmentIds([]);
      this.#meta.set("state", Buffer.from(JSON.stringify(state)));
    });
  }

  /** Verifies all records of an indexed file. Contract: as for the class. */
  checkFile(path: string): void {
    const outline = this.records.get("SELECT data, imports FROM outlines WHERE path = ?", path);
    const facts = this.records.get("SELECT symbols, refs FROM facts WHERE path = ?", path);
    const edges = this.records.get("SELECT data FROM edges WHERE path = ?", path);
    this.records.read(() => {
      unseal(`outline of ${path}`, outline?.["data"]);
      unseal(`imports of ${path}`, outline?.["imports"]);
      const isParsed = this.parsedStamp(path) !== null;
      if (facts !== undefined || isParsed) {
        unseal(`symbols of ${path}`, facts?.["symbols"]);
        unseal(`references of ${path}`, facts?.["refs"]);
      }
      if (edges !== undefined) {
        unseal(`edges of ${path}`, edges["data"]);
        this.asked.check(path);
      } else if (isParsed && this.state()?.phase === "done") throw new IndexDamage(`edges of ${path} are missing`);
    });
  }

  /** Reads every block of postings to verify it. Contract: as for the class. */
  readAllBlocks(): void {
    for (const id of this.#segmentIds()) {
      const row = this.records.get("SELECT terms FROM segments WHERE id = ?", id);
      const firsts = this.records.read(() => unpackPaths(unseal(segmentLabel(id, "terms"), row?.["terms"])));
      for (let number = 0; number < firsts.length; number++) this.#block(id, number);
    }
  }

  #run(sql: string, ...values: (string | number | Uint8Array)[]): void {
    this.records.statement(sql).run(...values);
  }
}

/** Tables with what was found out about the calls of a file. */
const EDGE_TABLES = ["edges", "asked"];
function segmentLabel(id: number, column: string): string {
  return `${column} of segment ${id}`;
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
