import type { FileFacts, SymbolFact } from "../parse/facts.ts";
import { AskedQuestions, type ModuleSettings } from "./asked-questions.ts";
import { PackedEdges } from "./edges.ts";
import { mayHaveSymbol, type PackedFacts, unpackFacts, unpackSymbols } from "./facts.ts";
import { type Layer, LayeredRows, type LayeredTable } from "./layers.ts";
import type { Records, Row } from "./records.ts";
import { checksumOf, IndexDamage, sealText, unseal, unsealText } from "./sealed.ts";

/** Facts of a parsed file, packed. */
export interface FactsRow {
  readonly path: string;
  /** Identifies the text that was parsed. */
  readonly stamp: string;
  readonly outline: string;
  readonly facts: PackedFacts;
}

/** Edges of a file, packed, and the questions asked to find them. */
interface EdgesRow {
  readonly path: string;
  readonly edges: string;
  readonly asked: Int32Array;
}

/** Parse results of each file, and the targets of its calls. Contract: as `IndexStore`. */
export class CodeStore {
  /** The questions that edges depend on. */
  readonly asked: AskedQuestions;
  /** Newest first: the top, which is written, and the bases. */
  readonly #layers: readonly Layer[];
  readonly #rows: LayeredRows;
  readonly #records: Records;
  readonly #isDone: () => boolean;

  /** `isDone` returns true if every parsed file must have edges. */
  constructor(layers: readonly Layer[], top: Records, isDone: () => boolean) {
    this.#layers = layers;
    this.#rows = new LayeredRows(layers);
    this.#records = top;
    this.#isDone = isDone;
    this.asked = new AskedQuestions(layers, top);
  }

  /** Adds files that are not parsed yet. Contract: part of the caller's transaction. */
  begin(paths: readonly string[]): void {
    const sql = "INSERT OR IGNORE INTO parsed (path, stamp, sum) VALUES (?, ?, ?)";
    for (const path of paths) this.#records.run(sql, path, UNPARSED, sumOfStamp(path, UNPARSED));
  }

  /** Removes a file. Contract: as `begin`. */
  remove(path: string): void {
    for (const table of Object.keys(CODE_COLUMNS)) this.#records.run(`DELETE FROM ${table} WHERE path = ?`, path);
  }

  /**
   * Copies the rows of a file from a base to the top before the file changes for the first time: the effects of a
   * change are determined by comparison with them. Contract: as `begin`.
   */
  bringUp(path: string): void {
    if (!this.#hasBases || this.#layers[0]?.hides(path)) return;
    for (const [table, columns] of Object.entries(CODE_COLUMNS) as [LayeredTable, readonly string[]][]) {
      const values = this.#rows.find(table, columns.join(", "), path, (row) => columns.map((name) => row[name]));
      if (values === null) continue;
      const places = columns.map(() => "?").join(", ");
      this.#records.run(
        `INSERT OR REPLACE INTO ${table} (path, ${columns.join(", ")}) VALUES (?, ${places})`,
        path,
        ...(values as (string | Uint8Array)[]),
      );
    }
  }

  /**
   * Stores the facts of parsed files and drops their edges, which must be found again. `moved` as for `addSegment`.
   * Contract: atomic.
   */
  addFacts(readings: readonly FactsRow[], moved: readonly number[]): void {
    this.#records.write(() => {
      for (const { path, stamp, outline, facts } of readings) {
        this.#setStamp(path, stamp);
        this.#records.run("UPDATE outlines SET data = ? WHERE path = ?", sealText(`outline of ${path}`, outline), path);
        this.#records.run(
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
    this.#records.write(() => {
      for (const path of paths) {
        this.#setStamp(path, UNPARSED);
        this.#records.run("DELETE FROM facts WHERE path = ?", path);
        this.#dropEdgesOf(path);
      }
      this.asked.addMoved(moved);
    });
  }

  #setStamp(path: string, stamp: string): void {
    const sum = sumOfStamp(path, stamp);
    this.#records.run("INSERT OR REPLACE INTO parsed (path, stamp, sum) VALUES (?, ?, ?)", path, stamp, sum);
  }

  /** The facts of a file; null if it was not parsed. */
  facts(path: string): FileFacts | null {
    const facts = this.#rows.find("facts", "symbols, refs", path, (row) => unpackFacts(toPacked(path, row)));
    return facts ?? this.#withoutFacts(path);
  }

  /** The packed facts of a file, for comparison; null if there are none. */
  packedFacts(path: string): PackedFacts | null {
    return this.#rows.find("facts", "symbols, refs", path, (row) => toPacked(path, row));
  }

  /**
   * The symbols of a file; empty if it was not parsed, or if none of them has the wanted name, which is far cheaper to
   * check than to unpack them.
   */
  symbols(path: string, wanted: string | null = null): SymbolFact[] {
    const symbols = this.#rows.find("facts", "symbols", path, (row, { witness }) => {
      const text = unsealText(`symbols of ${path}`, row["symbols"]);
      const found = wanted === null || mayHaveSymbol(text, wanted) ? unpackSymbols(text) : [];
      return witness?.confirmsSymbols(path, found) === false ? [] : found;
    });
    return symbols ?? this.#withoutFacts(path) ?? [];
  }

  #withoutFacts(path: string): null {
    return (this.#stamp(path) ?? UNPARSED) === UNPARSED ? null : this.#records.miss(`facts of ${path} are missing`);
  }

  /** Stores edges of files. Contract: atomic. */
  addEdges(rows: readonly EdgesRow[]): void {
    this.#records.write(() => {
      for (const { path, edges, asked } of rows) {
        this.#records.run(
          "INSERT OR REPLACE INTO edges (path, data) VALUES (?, ?)",
          path,
          sealText(`edges of ${path}`, edges),
        );
        this.asked.set(path, asked);
      }
    });
  }

  /** The outgoing edges of a file; null if they have not been found yet or the file is not code. */
  edges(path: string): PackedEdges | null {
    const edges = this.#rows.find("edges", "data", path, ({ data }) =>
      isDropped(data) ? null : new PackedEdges(unsealText(`edges of ${path}`, data)),
    );
    if (edges !== null) return edges;
    // Check the stamp first: names occur in many files that are not code.
    const isMissed = (this.#stamp(path) ?? UNPARSED) !== UNPARSED && this.#isDone();
    return isMissed ? this.#records.miss(`edges of ${path} are missing`) : null;
  }

  /** True if any edges have been found yet. */
  hasEdges(): boolean {
    return this.#layers.some((layer) => layer.holding("edges")?.get("SELECT 1 FROM edges LIMIT 1") !== undefined);
  }

  /** Parsed files whose edges have yet to be found. */
  pathsWithoutEdges(): string[] {
    const rows = this.#records.all(
      // A correlated lookup: a list of all edges would read every page of the table.
      `SELECT path, stamp, sum FROM parsed WHERE stamp <> '' AND NOT EXISTS (SELECT 1 FROM edges WHERE edges.path = parsed.path) ORDER BY path`,
    );
    const dropped = !this.#hasBases ? [] : this.#records.all("SELECT path FROM edges WHERE length(data) = 0");
    return this.#records
      .read(() => [...rows.map((row) => checkStamp(row).path), ...dropped.map(({ path }) => String(path))])
      .sort();
  }

  /** Drops the edges of files, so that they are found again, and removes all moved questions. Contract: atomic. */
  dropEdges(paths: readonly string[], settings: ModuleSettings): void {
    this.#records.write(() => {
      for (const path of paths) this.#dropEdgesOf(path);
      this.asked.settle(settings);
    });
  }

  #dropEdgesOf(path: string): void {
    for (const table of EDGE_TABLES) this.#records.run(`DELETE FROM ${table} WHERE path = ?`, path);
    // A row of a base cannot be deleted, so an empty row hides it.
    if (this.#hasBases && this.#rows.find("edges", "1", path, () => true) === true)
      this.#records.run("INSERT INTO edges (path, data) VALUES (?, ?)", path, new Uint8Array(0));
  }

  /** Stamp of the version of an indexed file that was parsed; null if it was not parsed. */
  parsedStamp(path: string): string | null {
    const stamp =
      this.#stamp(path) ?? (this.#lacksCode ? UNPARSED : this.#records.miss(`the data of ${path} is missing`));
    return stamp === UNPARSED ? null : stamp;
  }

  #stamp(path: string): string | null {
    return this.#rows.find("parsed", "path, stamp, sum", path, (row) => checkStamp(row).stamp);
  }

  /** Stamps of all parsed files, by path. */
  parsedStamps(): Map<string, string> {
    const stamps = new Map<string, string>();
    this.#rows.forEach("parsed", "path, stamp, sum", "stamp <> ''", (row) => {
      const { path, stamp } = checkStamp(row);
      stamps.set(path, stamp);
    });
    return stamps;
  }

  /** Verifies the records of a file in the top. */
  check(path: string): void {
    const facts = this.#records.get("SELECT symbols, refs FROM facts WHERE path = ?", path);
    const edges = this.#records.get("SELECT data FROM edges WHERE path = ?", path);
    this.#records.read(() => {
      const isParsed = this.parsedStamp(path) !== null;
      if (facts !== undefined || isParsed) {
        unseal(`symbols of ${path}`, facts?.["symbols"]);
        unseal(`references of ${path}`, facts?.["refs"]);
      }
      if (edges !== undefined) {
        unseal(`edges of ${path}`, edges["data"]);
        this.asked.check(path);
      } else if (isParsed && this.#isDone()) throw new IndexDamage(`edges of ${path} are missing`);
    });
  }

  get #hasBases(): boolean {
    return this.#layers.length > 1;
  }

  /** True if only the words of a base are available so far. */
  get #lacksCode(): boolean {
    return this.#layers.some((layer) => layer.holding("facts") === null);
  }
}

function toPacked(path: string, row: Row): PackedFacts {
  return {
    symbols: unsealText(`symbols of ${path}`, row["symbols"]),
    references: unsealText(`references of ${path}`, row["refs"]),
  };
}

/** Columns of the tables about the code of a file. */
const CODE_COLUMNS = {
  parsed: ["stamp", "sum"],
  facts: ["symbols", "refs"],
  edges: ["data"],
  asked: ["data"],
} satisfies Partial<Record<LayeredTable, readonly string[]>>;

/** Tables that are filled when the edges of a file are found. */
const EDGE_TABLES = ["edges", "asked"];

/** True if a row of edges only hides that of a base. */
function isDropped(data: unknown): boolean {
  return data instanceof Uint8Array && data.length === 0;
}

/** The stamp of a file that was not parsed. */
const UNPARSED = "";

/**
 * Checksum of a stamp. The stamps of all files are read at once, and text with a separate number costs a third of what
 * sealed bytes would.
 */
function sumOfStamp(path: string, stamp: string): number {
  return checksumOf(`${path}\0${stamp}`);
}

/** Verifies a row of stamps. Contract: throws `IndexDamage` for anything but what was written. */
function checkStamp({ path, stamp, sum }: Row): { readonly path: string; readonly stamp: string } {
  if (typeof path !== "string" || typeof stamp !== "string" || sumOfStamp(path, stamp) !== sum)
    throw new IndexDamage(`the stamp of ${path} has been altered`);
  return { path, stamp };
}
