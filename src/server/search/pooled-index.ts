import {
  type Field,
  type IndexedDefinition,
  type PlacedDefinition,
  type Postings,
  perField,
  type SearchIndex,
  type Spread,
} from "../../engine/search/source.ts";
import type { RepositoryIndex } from "../../engine/store/repository-index.ts";

/** One of the repositories that are searched together. */
interface PooledRepo {
  readonly name: string;
  readonly index: RepositoryIndex;
}

/** File statistics over more repositories than are searched. */
interface PooledStatistics {
  /** Number of files that have a term. */
  readonly spreads: ReadonlyMap<string, number>;
  readonly of: number;
  readonly meanLengths: Readonly<Record<Field, number>>;
}

/** Maximum number of definitions returned per name. */
const MOST_NAMED = 200;

/**
 * Several repositories as one index, as if all were in one folder: the name of a repository is the first folder of its
 * paths. Contract: as `SearchIndex`; files are numbered by path.
 */
export class PooledIndex<Repo extends PooledRepo> implements SearchIndex {
  readonly fileCount: number;
  readonly traits: Int32Array;
  readonly lines: Int32Array;
  readonly lengths: Readonly<Record<Field, Int32Array>>;
  readonly meanLengths: Readonly<Record<Field, number>>;
  readonly #repos: readonly Repo[];
  /** Number of the first file of each repository, followed by the total number of files. */
  readonly #starts: Int32Array;
  readonly #statistics: PooledStatistics | null;
  readonly #found = new Map<string, Postings>();

  /** `statistics` is null if there are no other repositories. */
  constructor(repos: readonly Repo[], statistics: PooledStatistics | null) {
    this.#repos = repos.toSorted((one, other) => (`${one.name}/` < `${other.name}/` ? -1 : 1));
    this.#statistics = statistics;
    this.#starts = new Int32Array(repos.length + 1);
    this.#repos.forEach(({ index }, at) => {
      this.#starts[at + 1] = (this.#starts[at] ?? 0) + index.fileCount;
    });
    this.fileCount = this.#starts.at(-1) ?? 0;
    const column = (pick: (index: RepositoryIndex) => Int32Array) => {
      const values = new Int32Array(this.fileCount);
      this.#repos.forEach(({ index }, at) => void values.set(pick(index), this.#starts[at]));
      return values;
    };
    this.traits = column(({ traits }) => traits);
    this.lines = column(({ lines }) => lines);
    this.lengths = perField((field) => column(({ lengths }) => lengths[field]));
    const mean = (values: Int32Array) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
    this.meanLengths = statistics?.meanLengths ?? perField((field) => mean(this.lengths[field]));
  }

  /** Repository of a file, and the file's number within it. */
  repoOf(file: number): { readonly repo: Repo | undefined; readonly own: number } {
    let [low, high] = [0, this.#repos.length];
    while (low < high - 1) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) <= file) low = middle;
      else high = middle;
    }
    return { repo: this.#repos[low], own: file - (this.#starts[low] ?? 0) };
  }

  pathOf(file: number): string {
    const { repo, own } = this.repoOf(file);
    return repo === undefined ? "" : `${repo.name}/${repo.index.pathOf(own)}`;
  }

  /** Returns the number of the file with this path. */
  fileAt(path: string): number | undefined {
    const [name = "", ...rest] = path.split("/");
    const at = this.#repos.findIndex((repo) => repo.name === name);
    const own = this.#repos[at]?.index.fileAt(rest.join("/"));
    return own === undefined ? undefined : (this.#starts[at] ?? 0) + own;
  }

  postings(term: string): Postings {
    const known = this.#found.get(term);
    if (known !== undefined) return known;
    const joined = this.#join(this.#repos.map(({ index }) => index.postings(term)));
    this.#found.set(term, joined);
    return joined;
  }

  #join(parts: readonly Postings[]): Postings {
    const starts = new Int32Array(parts.length + 1);
    parts.forEach(({ files }, at) => {
      starts[at + 1] = (starts[at] ?? 0) + files.length;
    });
    const length = starts.at(-1) ?? 0;
    const files = new Int32Array(length);
    const from = new Uint16Array(length);
    const column = (field: Field) => {
      const values = new Int32Array(length);
      parts.forEach(({ counts }, at) => void values.set(counts[field], starts[at]));
      return values;
    };
    parts.forEach(({ files: own }, at) => {
      const [start, first] = [starts[at] ?? 0, this.#starts[at] ?? 0];
      for (let row = 0; row < own.length; row++) files[start + row] = (own[row] ?? 0) + first;
      from.fill(at, start, start + own.length);
    });
    return {
      files,
      counts: perField(column),
      linesAt: (row) => {
        const part = from[row] ?? 0;
        return parts[part]?.linesAt(row - (starts[part] ?? 0)) ?? [];
      },
    };
  }

  /** Null for a word that was not counted over all repositories: then the searched ones are representative. */
  spreadOf(term: string): Spread | null {
    const having = this.#statistics?.spreads.get(term);
    return having === undefined ? null : { having, of: this.#statistics?.of ?? 0 };
  }

  definitionsIn(file: number): readonly IndexedDefinition[] {
    const { repo, own } = this.repoOf(file);
    return repo?.index.definitionsIn(own) ?? [];
  }

  definitionsNamed(name: string): readonly PlacedDefinition[] {
    const found: PlacedDefinition[] = [];
    for (const [at, { index }] of this.#repos.entries()) {
      if (found.length >= MOST_NAMED) break;
      for (const { file, definition } of index.definitionsNamed(name))
        found.push({ file: file + (this.#starts[at] ?? 0), definition });
    }
    return found.slice(0, MOST_NAMED);
  }

  filesNamed(stem: string): readonly number[] {
    return this.#repos.flatMap(({ index }, at) => index.filesNamed(stem).map((file) => file + (this.#starts[at] ?? 0)));
  }

  /** Must be called after the segments have received these terms, or more definitions, since the last request. */
  forget(terms: readonly string[]): void {
    for (const term of terms) this.#found.delete(term);
    for (const { index } of this.#repos) index.forget(terms);
  }
}
