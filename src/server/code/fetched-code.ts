import type { SymbolFact } from "../../engine/parse/facts.ts";
import { unpackInts } from "../../engine/store/catalogue.ts";
import { type LazyEdges, PackedEdges, type StoredEdges } from "../../engine/store/edges.ts";
import { unpackSymbols } from "../../engine/store/facts.ts";
import { type Importers, reverseLinks } from "../../engine/store/links.ts";
import { makeRecordMemory } from "../../engine/store/record-memory.ts";
import { CODE_NAME_BYTES } from "../../team/shared-code.ts";
import type { Transaction } from "../database.ts";
import { perDatabase } from "../per-database.ts";

/** What calls what in a repository in one state, as rows of `code` tell it. Files are numbered by path. */
export interface RepoGraph {
  /** The name of the code of each file. */
  readonly code: Buffer;
  readonly importers: Importers;
}

/** Bytes of the graphs that are kept between questions. */
const KEPT_BYTES = 64 * 1024 * 1024;
/** Graphs never change once they are published. Contract: found by an id that the database has just shown to whoever asks. */
const keptGraphs = perDatabase(() => makeRecordMemory(KEPT_BYTES));

/** The graph of a repository; null if there is none. */
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

/** Memory that one link takes, about. */
const LINK_BYTES = 16;

/** Pieces of code that are brought for one call, each of some kilobytes: many times what an answer shows. */
const MOST_PIECES = 4_000;

const NO_EDGES: StoredEdges = { calls: [], bases: [], imports: [] };

/** A file whose edges are wanted: all of them, or only if they have a name. */
interface WantedEdges {
  readonly file: number;
  readonly needle: string | null;
}

/**
 * The code of a repository, brought from the database as it is asked for. What is not here yet is answered with nothing and noted, to be
 * brought by `fetchMissing`.
 */
export class FetchedCode {
  readonly #repo: number;
  readonly #graph: RepoGraph;
  readonly #symbols = new Map<number, readonly SymbolFact[]>();
  readonly #edges = new Map<number, PackedEdges>();
  /** What edges are known not to have. */
  readonly #lacking = new Set<string>();
  /** How much more may be brought. */
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
      // Of a popular name thousands of files have the word, and few a call: the database looks which.
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

  /** Whether something was asked for that is not here. */
  get isWanting(): boolean {
    return this.#wantedSymbols.size + this.#wantedEdges.size > 0;
  }

  /** Whether more was asked for than is brought. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Brings what was asked for and is not here. */
  async fetchMissing(transaction: Transaction): Promise<void> {
    await this.#fetchSymbols(transaction);
    await this.#fetchEdges(transaction);
  }

  async #fetchSymbols({ rows }: Transaction): Promise<void> {
    const wanted = [...this.#wantedSymbols].sort((one, other) => one - other);
    if (wanted.length === 0) return;
    // What is not brought is empty: it would be asked for again and again.
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
    return this.#nameOf(file).some((byte) => byte !== 0);
  }

  #nameOf(file: number): Buffer {
    return this.#graph.code.subarray(file * CODE_NAME_BYTES, (file + 1) * CODE_NAME_BYTES);
  }
}

function keyOf({ file, needle }: WantedEdges): string {
  return `${file} ${needle ?? ""}`;
}
