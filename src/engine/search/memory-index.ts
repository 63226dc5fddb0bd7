import { commentsOf } from "./comments.ts";
import { findImports, type Import, makeImportFinder } from "./imports.ts";
import { findLineDefinitions } from "./line-definitions.ts";
import {
  FIELDS,
  type Field,
  type IndexedDefinition,
  type PlacedDefinition,
  type Postings,
  type SearchIndex,
} from "./source.ts";
import { readTraits, splitPath } from "./traits.ts";
import { termsOfPath, termsOfText, termsOfWord } from "./words.ts";

/** How often each term stands in something, and how many terms there are. */
interface Counts {
  readonly terms: ReadonlyMap<string, number>;
  readonly total: number;
}

/** What the text of one file says, whatever its path. */
export interface Digest {
  readonly lines: number;
  /** The first characters, in which generators name themselves. */
  readonly head: string;
  readonly definitions: readonly IndexedDefinition[];
  readonly imports: readonly Import[];
  readonly body: Counts;
  readonly name: Counts;
  readonly doc: Counts;
  /** Lines of each term, ascending, without doubles. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

/** Longest part of a line that is read: more is data. */
const MAX_LINE = 2_000;
const HEAD_CHARS = 1_000;

/** Reads one file. Contract: a function of text and ending. */
export function digestText(text: string, ending: string): Digest {
  const lines = text.split("\n");
  const places = new Map<string, number[]>();
  const counts = new Map<string, number>();
  let total = 0;
  lines.forEach((line, at) => {
    for (const term of termsOfText(line.length > MAX_LINE ? line.slice(0, MAX_LINE) : line)) {
      total++;
      const seen = places.get(term);
      if (seen === undefined) places.set(term, [at + 1]);
      else if (seen.at(-1) !== at + 1) seen.push(at + 1);
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
  });
  const definitions = findLineDefinitions(lines, ending);
  return {
    lines: lines.length,
    head: text.slice(0, HEAD_CHARS),
    definitions,
    imports: findImports(lines),
    body: { terms: counts, total },
    name: countTerms(definitions.flatMap(({ name }) => termsOfWord(name))),
    doc: countTerms(termsOfText(commentsOf(text, ending))),
    places,
  };
}

function countTerms(list: readonly string[]): Counts {
  const terms = new Map<string, number>();
  for (const term of list) terms.set(term, (terms.get(term) ?? 0) + 1);
  return { terms, total: list.length };
}

/** An index in memory, from digests by path. Contract: numbers files in the order of their paths. */
export function makeMemoryIndex(digests: ReadonlyMap<string, Digest>): SearchIndex {
  const paths = [...digests.keys()].sort((a, b) => (a < b ? -1 : 1));
  const all = paths.flatMap((path) => digests.get(path) ?? []);
  const pathCounts = paths.map((path) => countTerms(termsOfPath(path)));
  const countsOf = (field: Field, file: number) => (field === "path" ? pathCounts[file] : all[file]?.[field]);
  const perField = <T>(make: (field: Field) => T) =>
    Object.fromEntries(FIELDS.map((field) => [field, make(field)])) as Record<Field, T>;
  const lengths = perField((field) => Uint32Array.from(all, (_, file) => countsOf(field, file)?.total ?? 0));
  const named = new Map<string, PlacedDefinition[]>();
  const stems = new Map<string, number[]>();
  all.forEach(({ definitions }, file) => {
    push(stems, splitPath(paths[file] ?? "").stem.toLowerCase(), file);
    for (const definition of definitions) push(named, definition.name.toLowerCase(), { file, definition });
  });
  const findTargets = makeImportFinder(paths);
  const imports = all.map((digest, file) => findTargets(file, digest.imports));
  const importers = all.map((): number[] => []);
  imports.forEach((targets, file) => {
    for (const target of targets) importers[target]?.push(file);
  });

  const find = (term: string): Postings => {
    const files = paths.flatMap((_, file) =>
      all[file]?.body.terms.has(term) || pathCounts[file]?.terms.has(term) ? [file] : [],
    );
    return {
      files,
      counts: perField((field) => files.map((file) => countsOf(field, file)?.terms.get(term) ?? 0)),
      linesAt: (at) => all[files[at] ?? -1]?.places.get(term) ?? [],
    };
  };
  const made = new Map<string, Postings>();
  return {
    fileCount: all.length,
    traits: Uint8Array.from(all, ({ head }, file) => readTraits(paths[file] ?? "", head)),
    lines: Uint32Array.from(all, ({ lines }) => lines),
    lengths,
    meanLengths: perField((field) => lengths[field].reduce((sum, length) => sum + length, 0) / Math.max(1, all.length)),
    pathOf: (file) => paths[file] ?? "",
    postings: (term) => {
      const postings = made.get(term) ?? find(term);
      made.set(term, postings);
      return postings;
    },
    spreadOf: () => null,
    definitionsIn: (file) => all[file]?.definitions ?? [],
    definitionsNamed: (name) => named.get(name.toLowerCase()) ?? [],
    filesNamed: (stem) => stems.get(stem.toLowerCase()) ?? [],
    importsOf: (file) => imports[file] ?? [],
    importersOf: (file) => importers[file] ?? [],
  };
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
