import { lstatSync } from "node:fs";
import { join } from "node:path";
import { readBytesInside } from "../../base/jail.ts";
import type { SymbolFact } from "../parse/facts.ts";
import type { IndexedDefinition } from "../search/source.ts";
import { IndexDamage } from "./sealed.ts";

/** Longer files have no symbols. */
const MAX_BYTES = 512 * 1024;
/** Texts that are kept: questions come back to the same files. */
const MOST_KEPT = 50;
/**
 * What comments are marked, wrapped and cut with: spaces, the dots after a cut, and all signs of ASCII. Most others stay, because
 * looking each up in the tables of Unicode takes five times as long.
 */
const NO_LETTER = /[^A-Za-z0-9\u00a1-\u167f\u1681-\u1fff\u2070-\u2fff\u3001-\ufefe\uff00-\uffff]+/g;
/** Lines that nearly all signatures fit into. */
const HEAD_LINES = 20;
const WORD = /[\p{L}\p{N}]+/gu;

const KINDS: ReadonlySet<string> = new Set<SymbolFact["kind"]>([
  ...(["function", "method", "class", "interface", "struct", "enum"] as const),
  ...(["trait", "type", "module", "constant", "variable", "property"] as const),
]);
const VISIBILITIES: ReadonlySet<string> = new Set<SymbolFact["visibility"]>([
  ...(["public", "protected", "private", "internal", "package"] as const),
]);
const DEFINITIONS: ReadonlySet<string> = new Set<IndexedDefinition["kind"]>(["function", "type", "value"]);

/** Whether the words of a signature stand in its lines, in their order: what it leaves out are comments. */
function hasInOrder(text: string, signature: string): boolean {
  if (text.includes(signature)) return true;
  let at = 0;
  for (const [word] of signature.matchAll(WORD)) {
    at = text.indexOf(word, at);
    if (at < 0) return false;
    at += word.length;
  }
  return true;
}

/** How far back something may stand that is looked for after something else: a comment stands before what it explains. */
const BACK_CHARS = 2_000;

/** Looks for many pieces of a text, most of which stand in the order in which they are asked for: one pass finds them all. */
class Finder {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  has(piece: string): boolean {
    const ahead = this.#text.indexOf(piece, Math.max(0, this.#at - BACK_CHARS));
    const found = ahead < 0 ? this.#text.indexOf(piece) : ahead;
    if (found >= 0) this.#at = found;
    return found >= 0;
  }
}

function disagree(): never {
  throw new IndexDamage("a base says of a file what does not stand in it");
}

/** What is known of a file here: its size, and its time as long as its text is the one that the base has. */
export type StampOf = (path: string) => { readonly bytes: number; readonly modifiedMs: number } | undefined;

/**
 * Compares what a base from elsewhere says of a file with the file itself, because no word of it may be shown that does not stand
 * there. Contract: opens files inside the root alone.
 */
export class Witness {
  readonly #root: string;
  readonly #stampOf: StampOf;
  readonly #unconfirmed: ReadonlySet<string> | null;
  readonly #texts = new Map<string, string | null>();

  /** `unconfirmed` are the files to look at: of all others, somebody has found before that they agree. */
  constructor(root: string, stampOf: StampOf, unconfirmed: ReadonlySet<string> | null = null) {
    this.#root = root;
    this.#stampOf = stampOf;
    this.#unconfirmed = unconfirmed;
  }

  #isConfirmed(path: string): boolean {
    return this.#unconfirmed !== null && !this.#unconfirmed.has(path);
  }

  /** Whether symbols are those of a file. Contract: as `#confirms`. */
  confirmsSymbols(path: string, symbols: readonly SymbolFact[]): boolean {
    if (this.#isConfirmed(path)) return true;
    const isPlain = symbols.every(
      ({ kind, visibility, parent, startLine, endLine, nameLine, cyclomatic, cognitive }) =>
        KINDS.has(kind) &&
        VISIBILITIES.has(visibility) &&
        [parent ?? 0, startLine, endLine, nameLine, cyclomatic, cognitive].every(Number.isSafeInteger),
    );
    if (!isPlain) throw new IndexDamage("a base has symbols of an unknown kind");
    const isThere = this.#confirms(
      path,
      symbols.flatMap(({ name, owner, doc }) => [name, owner, doc]),
    );
    const lines = isThere ? (this.#textOf(path)?.split("\n") ?? []) : [];
    for (const { signature, startLine, endLine } of isThere ? symbols : []) {
      const stands = (end: number) => hasInOrder(lines.slice(Math.max(0, startLine - 1), end).join("\n"), signature);
      if (!stands(Math.min(endLine, startLine + HEAD_LINES)) && !stands(endLine)) disagree();
    }
    return isThere;
  }

  /** Whether definitions are those of a file. Contract: as `#confirms`. */
  confirmsDefinitions(path: string, definitions: readonly IndexedDefinition[]): boolean {
    if (this.#isConfirmed(path)) return true;
    if (
      !definitions.every(
        ({ kind, line, endLine }) => DEFINITIONS.has(kind) && [line, endLine].every(Number.isSafeInteger),
      )
    )
      throw new IndexDamage("a base has definitions of an unknown kind");
    // A qualified name is made of names, each of which is a definition, or the owner's.
    return this.#confirms(
      path,
      definitions.flatMap(({ name, qualified }) => [name, ...qualified.split(".")]),
    );
  }

  /**
   * Whether all that is said of a file stands in it, but for signs and spaces. False if the file is another
   * one by now. Contract: throws `IndexDamage` if something does not stand there.
   */
  #confirms(path: string, said: readonly string[]): boolean {
    const text = this.#textOf(path);
    if (text === null) return false;
    const words = new Finder(text);
    let letters: Finder | undefined;
    for (const one of new Set(said)) {
      if (words.has(one)) continue;
      letters ??= new Finder(text.replace(NO_LETTER, ""));
      if (!letters.has(one.replace(NO_LETTER, ""))) disagree();
    }
    return true;
  }

  #textOf(path: string): string | null {
    const known = this.#texts.get(path);
    if (known !== undefined) return known;
    const text = this.#isSame(path) ? this.#read(path) : null;
    if (this.#texts.size >= MOST_KEPT) this.#texts.clear();
    this.#texts.set(path, text);
    return text;
  }

  #isSame(path: string): boolean {
    const stamp = this.#stampOf(path);
    const stats = lstatSync(join(this.#root, path), { throwIfNoEntry: false });
    return stamp !== undefined && stats?.size === stamp.bytes && stats.mtimeMs === stamp.modifiedMs;
  }

  #read(path: string): string | null {
    const read = readBytesInside(this.#root, join(this.#root, path), MAX_BYTES);
    return read.ok && !read.value.cut ? read.value.bytes.toString("utf8") : null;
  }
}
