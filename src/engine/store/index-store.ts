import type { Database } from "../../base/sqlite.ts";
import type { FileFacts, SymbolFact } from "../parse/facts.ts";
import type { Import } from "../search/imports.ts";
import { packNumbers, packPaths, unpackFloats, unpackInts, unpackPaths } from "./catalogue.ts";
import { inTransaction } from "./database.ts";
import { type StoredEdges, unpackEdges } from "./edges.ts";
import { type PackedFacts, unpackFacts, unpackSymbols } from "./facts.ts";
import { type Links, NO_LINKS } from "./links.ts";
import { readPostings } from "./postings.ts";
import { type Segment, type SegmentReader, unpackDefinitions } from "./segment.ts";

/** Folders and when the list of files of each changed last. */
export interface FolderStamps {
  readonly paths: readonly string[];
  readonly modifiedMs: Float64Array;
  /** Sensitive files and folders in them, which are not indexed under any name. */
  readonly sensitive: readonly string[];
}

/** Nothing is known of any folder. */
export const NO_FOLDERS: FolderStamps = { paths: [], modifiedMs: new Float64Array(0), sensitive: [] };

/** How far an index is. */
export interface IndexState {
  /** Real path of the repository: two may share a folder by chance. */
  readonly root: string;
  /** What is done next: `done` where there is nothing more to do. */
  readonly phase: "text" | "code" | "graph" | "done";
  readonly files: number;
  /** When it was written last. */
  readonly atMs: number;
}

/** What a file says as code, packed. */
export interface FactsRow {
  readonly path: string;
  /** Tells the text that was read from others. */
  readonly stamp: string;
  readonly outline: string;
  readonly facts: PackedFacts;
}

/** A segment of a store. */
export interface StoredSegment extends SegmentReader {
  readonly id: number;
}

interface SegmentRow {
  readonly id: number;
  readonly paths: Uint8Array;
  readonly numbers: Uint8Array;
  readonly stats: Uint8Array;
  readonly removed: Uint8Array;
}

/** Reads and writes what an index is made of. Contract: throws where the database is damaged. */
export class IndexStore {
  readonly database: Database;

  readonly #prepared = new Map<string, ReturnType<Database["prepare"]>>();

  constructor(database: Database) {
    this.database = database;
  }

  #sql(text: string): ReturnType<Database["prepare"]> {
    const known = this.#prepared.get(text) ?? this.database.prepare(text);
    this.#prepared.set(text, known);
    return known;
  }

  /** All segments, oldest first. */
  segments(): StoredSegment[] {
    const rows = this.#sql(
      "SELECT id, paths, numbers, stats, removed FROM segments ORDER BY id",
    ).all() as unknown as SegmentRow[];
    const postings = this.#sql("SELECT data FROM postings WHERE segment = ? AND term = ?");
    const outline = this.#sql("SELECT data FROM outlines WHERE path = ?");
    return rows.map((row) => {
      const paths = unpackPaths(row.paths);
      return {
        id: row.id,
        catalogue: {
          paths,
          numbers: unpackInts(row.numbers),
          stats: unpackFloats(row.stats),
          removed: unpackPaths(row.removed),
        },
        postings: (term) => {
          const found = postings.get(row.id, term) as { data: Uint8Array } | undefined;
          return found === undefined ? null : readPostings(found.data);
        },
        definitionsIn: (slot) => {
          const found = outline.get(paths[slot] ?? "") as { data: string } | undefined;
          return found === undefined ? [] : unpackDefinitions(found.data);
        },
      };
    });
  }

  /** Removes segments of which nothing is left. */
  dropSegments(ids: readonly number[]): void {
    inTransaction(this.database, () => {
      for (const id of ids) {
        this.#sql("DELETE FROM segments WHERE id = ?").run(id);
        this.#sql("DELETE FROM postings WHERE segment = ?").run(id);
      }
    });
  }

  /**
   * Adds a segment as the newest. Files for which `isSame` is true have only moved here from an older one: what is known of
   * their definitions stays. Contract: all of it or nothing.
   */
  addSegment(
    { catalogue, outlines, imports, terms, starts, postings }: Segment,
    isSame: (path: string) => boolean = () => false,
  ): void {
    inTransaction(this.database, () => {
      const { id } = this.#sql("SELECT coalesce(max(id), 0) + 1 AS id FROM segments").get() as { id: number };
      this.#sql("INSERT INTO segments (id, paths, numbers, stats, removed) VALUES (?, ?, ?, ?, ?)").run(
        id,
        packPaths(catalogue.paths),
        packNumbers(catalogue.numbers),
        packNumbers(catalogue.stats),
        packPaths(catalogue.removed),
      );
      const addPosting = this.#sql("INSERT INTO postings (segment, term, data) VALUES (?, ?, ?)");
      for (const [at, term] of terms.entries()) addPosting.run(id, term, postings.subarray(starts[at], starts[at + 1]));
      const addOutline = this.#sql("INSERT OR REPLACE INTO outlines (path, data, imports) VALUES (?, ?, ?)");
      for (const [slot, path] of catalogue.paths.entries()) {
        if (!isSame(path)) addOutline.run(path, outlines[slot] ?? "[]", imports[slot] ?? "[]");
      }
      const forget = ["outlines", "parsed", "facts", "edges"].map((table) =>
        this.#sql(`DELETE FROM ${table} WHERE path = ?`),
      );
      for (const path of catalogue.removed) for (const statement of forget) statement.run(path);
    });
  }

  /** What each file brings in, by path. */
  imports(): Map<string, readonly Import[]> {
    const rows = this.#sql("SELECT path, imports FROM outlines").all() as unknown as {
      path: string;
      imports: string;
    }[];
    return new Map(rows.map(({ path, imports }) => [path, JSON.parse(imports) as Import[]]));
  }

  /** What a file brings in, packed, to be compared; null where it is not known. */
  packedImports(path: string): string | null {
    const row = this.#sql("SELECT imports FROM outlines WHERE path = ?").get(path) as { imports: string } | undefined;
    return row?.imports ?? null;
  }

  /** Keeps what files say as code; their edges have to be found anew. Contract: all of them or none. */
  addFacts(readings: readonly FactsRow[]): void {
    inTransaction(this.database, () => {
      const put = (sql: string) => this.#sql(sql);
      const parsed = put("INSERT OR REPLACE INTO parsed (path, stamp) VALUES (?, ?)");
      const outlines = put("UPDATE outlines SET data = ? WHERE path = ?");
      const facts = put("INSERT OR REPLACE INTO facts (path, symbols, refs) VALUES (?, ?, ?)");
      const edges = put("DELETE FROM edges WHERE path = ?");
      for (const reading of readings) {
        parsed.run(reading.path, reading.stamp);
        outlines.run(reading.outline, reading.path);
        facts.run(reading.path, reading.facts.symbols, reading.facts.references);
        edges.run(reading.path);
      }
    });
  }

  /** Forgets what files say as code. Contract: of all of them or of none. */
  dropFacts(paths: readonly string[]): void {
    inTransaction(this.database, () => {
      const forget = ["parsed", "facts", "edges"].map((table) => this.#sql(`DELETE FROM ${table} WHERE path = ?`));
      for (const path of paths) for (const statement of forget) statement.run(path);
    });
  }

  /** What a file says as code; null where it was not read as code. */
  facts(path: string): FileFacts | null {
    const row = this.#sql("SELECT symbols, refs FROM facts WHERE path = ?").get(path);
    if (row === undefined) return null;
    const { symbols, refs } = row as { symbols: string; refs: string };
    return unpackFacts({ symbols, references: refs });
  }

  /** The symbols of a file; none where it was not read as code. */
  symbols(path: string): SymbolFact[] {
    const row = this.#sql("SELECT symbols FROM facts WHERE path = ?").get(path);
    return row === undefined ? [] : unpackSymbols((row as { symbols: string }).symbols);
  }

  /** Keeps edges of files, packed. Contract: all of them or none. */
  addEdges(rows: readonly { readonly path: string; readonly edges: string }[]): void {
    inTransaction(this.database, () => {
      const put = this.#sql("INSERT OR REPLACE INTO edges (path, data) VALUES (?, ?)");
      for (const { path, edges } of rows) put.run(path, edges);
    });
  }

  /** Where what a file says leads to; null where that has not been found out yet. */
  edges(path: string): StoredEdges | null {
    const row = this.#sql("SELECT data FROM edges WHERE path = ?").get(path);
    return row === undefined ? null : unpackEdges((row as { data: string }).data);
  }

  /** Whether any edges have been found yet. */
  hasEdges(): boolean {
    return this.#sql("SELECT 1 FROM edges LIMIT 1").get() !== undefined;
  }

  /** Terms that begin with these letters, at most so many of each segment. */
  termsFrom(letters: string, most: number): string[] {
    const last = String.fromCharCode(letters.charCodeAt(letters.length - 1) + 1);
    const select = this.#sql("SELECT term FROM postings WHERE segment = ? AND term >= ? AND term < ? LIMIT ?");
    const segments = this.#sql("SELECT id FROM segments ORDER BY id").all() as unknown as { id: number }[];
    const rows = segments.flatMap(({ id }) => select.all(id, letters, letters.slice(0, -1) + last, most));
    return [...new Set((rows as unknown as { term: string }[]).map(({ term }) => term))];
  }

  /** Files whose edges have to be found. */
  pathsWithoutEdges(): string[] {
    const rows = this.#sql(
      // Looked up one by one: a list of all would read every page of edges.
      "SELECT path FROM parsed WHERE NOT EXISTS (SELECT 1 FROM edges WHERE edges.path = parsed.path) ORDER BY path",
    ).all() as unknown as { path: string }[];
    return rows.map(({ path }) => path);
  }

  /** Makes the edges of files be found anew; null stands for all of them. */
  dropEdges(paths: readonly string[] | null): void {
    inTransaction(this.database, () => {
      if (paths === null) this.#sql("DELETE FROM edges").run();
      for (const path of paths ?? []) this.#sql("DELETE FROM edges WHERE path = ?").run(path);
    });
  }

  /** Which state of a file was read as code; null where none was. */
  parsedStamp(path: string): string | null {
    const row = this.#sql("SELECT stamp FROM parsed WHERE path = ?").get(path) as { stamp: string } | undefined;
    return row?.stamp ?? null;
  }

  /** Which state of each file was read as code. */
  parsedStamps(): Map<string, string> {
    const rows = this.#sql("SELECT path, stamp FROM parsed").all() as unknown as { path: string; stamp: string }[];
    return new Map(rows.map(({ path, stamp }) => [path, stamp]));
  }

  links(): Links {
    const paths = this.#get("links.paths");
    const starts = this.#get("links.starts");
    const targets = this.#get("links.targets");
    if (!isBytes(paths) || !isBytes(starts) || !isBytes(targets)) return NO_LINKS;
    return { paths: unpackPaths(paths), starts: unpackInts(starts), targets: unpackInts(targets) };
  }

  setLinks({ paths, starts, targets }: Links): void {
    inTransaction(this.database, () => {
      this.#set("links.paths", packPaths(paths));
      this.#set("links.starts", packNumbers(starts));
      this.#set("links.targets", packNumbers(targets));
    });
  }

  folders(): FolderStamps {
    const paths = this.#get("folders.paths");
    const stamps = this.#get("folders.stamps");
    const sensitive = this.#get("folders.sensitive");
    if (!isBytes(paths) || !isBytes(stamps) || !isBytes(sensitive)) return NO_FOLDERS;
    return { paths: unpackPaths(paths), modifiedMs: unpackFloats(stamps), sensitive: unpackPaths(sensitive) };
  }

  setFolders({ paths, modifiedMs, sensitive }: FolderStamps): void {
    inTransaction(this.database, () => {
      this.#set("folders.sensitive", packPaths(sensitive));
      this.#set("folders.paths", packPaths(paths));
      this.#set("folders.stamps", packNumbers(modifiedMs));
    });
  }

  /** How far the index is; null where no build has begun. */
  state(): IndexState | null {
    const text = this.#get("state");
    return typeof text === "string" ? (JSON.parse(text) as IndexState) : null;
  }

  setState(state: IndexState): void {
    this.#set("state", JSON.stringify(state));
  }

  #get(key: string): unknown {
    const row = this.#sql("SELECT value FROM meta WHERE key = ?").get(key) as { value: unknown } | undefined;
    return row?.value;
  }

  #set(key: string, value: string | Uint8Array): void {
    this.#sql("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(key, value);
  }
}

function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}
