import { editDistance } from "../base/edit-distance.ts";
import type { Node } from "./graph/code-graph.ts";
import { isFunctionKind, isTypeKind, type SymbolKind } from "./parse/facts.ts";
import type { Repository } from "./repository.ts";
import { hasTrait, splitPath, TRAIT } from "./search/traits.ts";
import { isWhole, partsOf, termsOfWord, wholeTerm } from "./search/words.ts";
import { filesNaming } from "./store/files-naming.ts";
import type { StoredGraph } from "./stored-graph.ts";

/** A symbol as written by a user: `name`, `Type.name`, `module.name` or `path#name`. */
interface WrittenSymbol {
  readonly name: string;
  /** Qualifying names, outermost first. */
  readonly around: readonly string[];
  /** A path or path suffix; empty if none is given. */
  readonly path: string;
}

const SEPARATOR = /\.|::|->|#|\\/;
const MAX_CHARS = 300;
/** Maximum number of files searched for a definition that the line-based index did not find. */
const MOST_LOOKED = 200;

function readWritten(written: string): WrittenSymbol {
  const text = written.trim().slice(0, MAX_CHARS).replace(/\(.*$/s, "");
  const hash = text.lastIndexOf("#");
  // Some languages write methods as `Type#name`; a path contains a slash or a file extension.
  const isPath = hash > 0 && /[/.]/.test(text.slice(0, hash));
  const parts = (isPath ? text.slice(hash + 1) : text).split(SEPARATOR).filter((part) => part !== "");
  return {
    name: parts.at(-1) ?? "",
    around: parts.slice(0, -1),
    path: isPath ? text.slice(0, hash).replace(/^(?:\.{0,2}\/)+/, "") : "",
  };
}

/** Weights for choosing among definitions of the same name. */
const WEIGHTS = { own: 8, callable: 4, exported: 2, sameCase: 16, importer: 0.5 };
const isCallable = (kind: SymbolKind) => isFunctionKind(kind) || isTypeKind(kind) || kind === "module";

/**
 * Definitions that a written symbol can refer to, most likely first: the repository's own code before tests and
 * examples, callables before values, exported before private, and files with many importers first. Contract: empty if
 * there is none; the order is deterministic.
 */
export function findSymbols({ index }: Repository, graph: StoredGraph, written: string): Node[] {
  const { name, around, path } = readWritten(written);
  if (name === "") return [];
  const lower = name.toLowerCase();
  const defining = index.definitionsNamed(name).map(({ file }) => file);
  // Line-based detection misses some definitions that a grammar finds, for example a name on a line of its own.
  const files = new Set(defining.length > 0 ? defining : filesNaming(index, name).slice(0, MOST_LOOKED));
  const found: { readonly node: Node; readonly score: number }[] = [];
  for (const file of files) {
    const own = index.pathOf(file);
    if (path !== "" && own !== path && !own.endsWith(`/${path}`)) continue;
    const isOwn = !hasTrait(index, file, TRAIT.test | TRAIT.aside | TRAIT.declaration);
    graph.symbols(file).forEach((symbol, at) => {
      const node = { file, symbol: at };
      if (symbol.name.toLowerCase() !== lower || !isWithin(own, graph.nameOf(node), around)) return;
      const score =
        (symbol.name === name ? WEIGHTS.sameCase : 0) +
        (isOwn ? WEIGHTS.own : 0) +
        (isCallable(symbol.kind) ? WEIGHTS.callable : 0) +
        (symbol.exported ? WEIGHTS.exported : 0) +
        WEIGHTS.importer * Math.log1p(index.importersOf(file).length);
      found.push({ node, score });
    });
  }
  const pathOf = ({ node }: (typeof found)[number]) => index.pathOf(node.file);
  return found
    .sort((a, b) => b.score - a.score || pathOf(a).length - pathOf(b).length || (pathOf(a) < pathOf(b) ? -1 : 1))
    .map(({ node }) => node);
}

/** Whether the folders, the file name and the enclosing names of a symbol contain `around` in order. */
function isWithin(path: string, qualified: string, around: readonly string[]): boolean {
  const { folders, stem } = splitPath(path);
  const have = [...folders, stem, ...qualified.split(".").slice(0, -1)].map((part) => part.toLowerCase());
  let from = 0;
  return around.every((part) => {
    const at = have.indexOf(part.toLowerCase(), from);
    from = at + 1;
    return at >= 0;
  });
}

/** Maximum number of files searched per part of a name, and of index terms compared with it. */
const MOST_FILES = 100;
const MOST_TERMS = 5_000;
/** Leading letters that a misspelt word is assumed to have right; fewer letters mean more words to compare. */
const SURE_LETTERS = [2, 1];
const SUGGESTIONS = 5;

/**
 * Names of definitions similar to a written one: a few letters away, or made of the same words. Contract: nearest
 * first, at most five; looks at a few hundred files, however large the repository is.
 */
export function suggestSymbols(repository: Repository, written: string): string[] {
  const { name } = readWritten(written);
  for (const sure of name === "" ? [] : SURE_LETTERS) {
    const found = suggest(repository, name, sure);
    if (found.length > 0) return found;
  }
  return [];
}

function suggest({ index, termsFrom }: Repository, name: string, sureLetters: number): string[] {
  const own = [...new Set([wholeTerm(name), ...termsOfWord(name)])];
  const near = own.flatMap((term) => {
    const sure = term.slice(0, sureLetters + Number(isWhole(term)));
    const terms = termsFrom(sure, MOST_TERMS);
    return terms.filter((other) => Math.abs(other.length - term.length) <= 2 && editDistance(other, term) <= 2);
  });
  const parts = new Set(partsOf(name));
  const most = Math.max(2, Math.floor(name.length / 3));
  const scores = new Map<string, number>();
  for (const term of new Set([...own, ...near])) {
    for (const file of filesInNames(index, term).slice(0, MOST_FILES)) {
      for (const { name: other } of index.definitionsIn(file)) {
        if (!scores.has(other)) scores.set(other, likeness(name, parts, other, most));
      }
    }
  }
  return [...scores]
    .filter(([, score]) => score > 0)
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, SUGGESTIONS)
    .map(([other]) => other);
}

/** Files that have a term in the name of a definition. */
function filesInNames(index: Repository["index"], term: string): number[] {
  const { files, counts } = index.postings(term);
  return Array.from(files).filter((_, at) => (counts.name[at] ?? 0) > 0);
}

/** Similarity from 0 to 2: edit distance plus the share of common words. */
function likeness(name: string, parts: ReadonlySet<string>, other: string, most: number): number {
  const distance =
    Math.abs(other.length - name.length) > most ? most + 1 : editDistance(name.toLowerCase(), other.toLowerCase());
  const letters = distance > most ? 0 : 1 - distance / (most + 1);
  const others = new Set(partsOf(other));
  const shared = [...others].filter((part) => parts.has(part)).length;
  const words = (2 * shared) / Math.max(1, parts.size + others.size);
  return letters + (words >= MIN_WORDS ? words : 0);
}

/** Names that share a smaller proportion of their words are considered unrelated. */
const MIN_WORDS = 0.5;
