import type { SymbolFact } from "../../engine/parse/facts.ts";
import { unpackInts } from "../../engine/store/catalogue.ts";
import { type LazyEdges, PackedEdges, type StoredEdges } from "../../engine/store/edges.ts";
import { unpackSymbols } from "../../engine/store/facts.ts";
import { type Importers, reverseLinks } from "../../engine/store/links.ts";
import { makeRecordMemory } from "../../engine/store/record-memory.ts";
import { CODE_NAME_BYTES, isCodeName } from "../../team/shared-code.ts";
import { perDatabase, type Transaction } from "../database.ts";

/** Call graph of one state of a repository, referring to rows of `code`. Files are numbered by path. */
export interface RepoGraph {
  /** Concatenated names of the files' code. */
  readonly code: Buffer;
  readonly importers: Importers;
}

/** Memory limit in bytes for graphs cached between questions. */
const KEPT_BYTES = 64 * 1024 * 1024;
/**
 * Cache of graphs, which never change after publication. Contract: looked up by an id that the database has just shown
 * to the asker.
 */
const keptGraphs = perDatabase(() => makeRecordMemory(KEPT_BYTES));

/** Reads the graph of a repository; null if there is none. */
export async function readGraph(transaction: Transaction, repo: number): Promise<RepoGraph | null> {
  const { rows } = transaction;
  const kept = keptGraphs(transaction);
  const [known] = await rows("SELECT id FROM groundwork.graphs WHERE repo = $1", repo);
  if (known === undefined) return null;
  const key = String(known["id"]);
  const found = kept.has(key)
    ? []
    : await rows("SELECT code, starts, targets FROM groundwork.graphs WHERE repo = $1", repo);
  const bytes = (name: string) => (found[0]?.[name] ?? Buffer.alloc(0)) as Buffer;
  const [starts, targets] = [unpackInts(bytes("starts")), unpackInts(bytes("targets"))];
  return kept.recall(
    key,
    () => ({ code: bytes("code"), importers: reverseLinks({ starts, targets }) }),
    ({ code }) => code.length + LINK_BYTES * targets.length,
  );
}

/** Approximate memory of one link in bytes. */
const LINK_BYTES = 16;

/** Maximum number of pieces of code fetched for one call, each of some kilobytes: many times what an answer shows. */
const MOST_PIECES = 4_000;

const NO_EDGES: StoredEdges = { calls: [], bases: [], imports: [] };

/** A file whose edges are requested: always, or only if they contain a name. */
interface WantedEdges {
  readonly file: number;
  readonly needle: string | null;
}

/**
 * Code of a repository, fetched from the database on demand. Data that is not loaded yet reads as empty and is noted
 * for `fetchMissing`.
 */
export class FetchedCode {
  readonly #repo: number;
  readonly #graph: RepoGraph;
  readonly #symbols = new Map<number, readonly SymbolFact[]>();
  readonly #edges = new Map<number, PackedEdges>();
  /** Requests for edges that are done and need not be repeated. */
  readonly #lacking = new Set<string>();
  /** Number of pieces that may still be fetched. */
  #left: number;
  #isCut = false;
  readonly #wantedSymbols = new Set<number>();
  readonly #wantedEdges = new Map<string, WantedEdges>();

  constructor(repo: number, graph: RepoGraph, mostPieces = MOST_PIECES) {
    this.#repo = repo;
    this.#graph = graph;
    this.#left = mostPieces;
  }

  symbolsOf(file: number): readonly SymbolFact[] {
    const known = this.#symbols.get(file);
    if (known === undefined && this.#hasCode(file)) this.#wantedSymbols.add(file);
    return known ?? [];
  }

  edgesOf(file: number): LazyEdges | null {
    if (!this.#hasCode(file)) return null;
    return {
      // Thousands of files contain the word of a popular name, but few call it: the database filters them.
      mayLeadTo: (to) => {
        const known = this.#edges.get(file);
        if (known !== undefined) return known.mayLeadTo(to);
        this.#wantEdges({ file, needle: JSON.stringify(to.name) });
        return false;
      },
      unpack: () => {
        const known = this.#edges.get(file);
        if (known === undefined) this.#wantEdges({ file, needle: null });
        return known?.unpack() ?? NO_EDGES;
      },
    };
  }

  /** True if data was requested that is not loaded. */
  get isWanting(): boolean {
    return this.#wantedSymbols.size + this.#wantedEdges.size > 0;
  }

  /** True if more was requested than may be fetched. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Fetches the requested data that is not loaded. */
  async fetchMissing(transaction: Transaction): Promise<void> {
    await this.#fetchSymbols(transaction);
    await this.#fetchEdges(transaction);
  }

  async #fetchSymbols({ rows }: Transaction): Promise<void> {
    const wanted = [...this.#wantedSymbols].sort((one, other) => one - other);
    if (wanted.length === 0) return;
    // Symbols beyond the limit count as empty; otherwise they would be requested forever.
    for (const file of wanted.splice(this.#left)) {
      this.#symbols.set(file, []);
      this.#isCut = true;
    }
    this.#left -= wanted.length;
    const found = await rows(
      `SELECT w.file, c.symbols FROM unnest($2::int[], $3::bytea[]) AS w (file, name)
       JOIN groundwork.code c ON c.repo = $1 AND c.name = w.name`,
      ...[this.#repo, wanted, wanted.map((file) => this.#nameOf(file))],
    );
    for (const file of wanted) this.#symbols.set(file, []);
    for (const { file, symbols } of found) this.#symbols.set(Number(file), unpackSymbols(String(symbols)));
    this.#wantedSymbols.clear();
  }

  async #fetchEdges({ rows }: Transaction): Promise<void> {
    const wanted = [...this.#wantedEdges.values()];
    if (wanted.length === 0) return;
    const found = await rows(
      `SELECT w.file, c.edges FROM unnest($2::int[], $3::bytea[], $4::text[]) AS w (file, name, needle)
       JOIN groundwork.code c ON c.repo = $1 AND c.name = w.name WHERE w.needle IS NULL OR strpos(c.edges, w.needle) > 0
       ORDER BY w.file LIMIT $5`,
      ...[this.#repo, wanted.map(({ file }) => file), wanted.map(({ file }) => this.#nameOf(file))],
      ...[wanted.map(({ needle }) => needle), this.#left + 1],
    );
    if (found.length > this.#left) this.#isCut = true;
    found.splice(this.#left);
    this.#left -= found.length;
    for (const { file, edges } of found) this.#edges.set(Number(file), new PackedEdges(String(edges)));
    for (const one of wanted) this.#lacking.add(keyOf(one));
    this.#wantedEdges.clear();
  }

  #wantEdges(wanted: WantedEdges): void {
    const key = keyOf(wanted);
    if (!this.#lacking.has(key)) this.#wantedEdges.set(key, wanted);
  }

  #hasCode(file: number): boolean {
    return isCodeName(this.#nameOf(file));
  }

  #nameOf(file: number): Buffer {
    return this.#graph.code.subarray(file * CODE_NAME_BYTES, (file + 1) * CODE_NAME_BYTES);
  }
}

function keyOf({ file, needle }: WantedEdges): string {
  return `${file} ${needle ?? ""}`;
}
