import { lstatSync } from "node:fs";
import { join } from "node:path";
import { readBytesInside } from "../../base/jail.ts";
import { SYMBOL_KINDS, type SymbolFact, VISIBILITIES } from "../parse/facts.ts";
import type { IndexedDefinition } from "../search/source.ts";
import type { FileStamp } from "./known-files.ts";
import { IndexDamage } from "./sealed.ts";

/** Longer files have no symbols. */
const MAX_BYTES = 512 * 1024;
/** Maximum number of cached texts: queries come back to the same files. */
const MOST_KEPT = 50;
/**
 * Characters that mark or wrap comments, or are added when they are cut: whitespace, the ellipsis, and all ASCII
 * punctuation. Most other symbols are kept, because looking each up in the Unicode tables takes five times as long.
 */
const NO_LETTER = /[^A-Za-z0-9\u00a1-\u167f\u1681-\u1fff\u2070-\u2fff\u3001-\ufefe\uff00-\uffff]+/g;
/** Number of lines that nearly all signatures fit into. */
const HEAD_LINES = 20;
const WORD = /[\p{L}\p{N}]+/gu;

const DEFINITION_KINDS: readonly IndexedDefinition["kind"][] = ["function", "type", "value"];

/** True if the words of a signature occur in its lines in the same order; the signature omits comments. */
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

/**
 * How far before the previous match a search starts: a comment precedes what it explains, but is searched for after it.
 */
const BACK_CHARS = 2_000;

/**
 * Searches a text for many pieces. Most occur in the order in which they are searched for, so that one pass finds them.
 */
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
  throw new IndexDamage("the data of a base contains something that is not in its file");
}

/** Returns the size of a file here, and its modification time as long as its text is that of the base. */
export type StampOf = (path: string) => FileStamp | undefined;

/**
 * Compares the data of a base from elsewhere about a file with the file itself, because nothing may be shown that does
 * not occur in it. Contract: opens only files inside the root.
 */
export class Witness {
  readonly #root: string;
  readonly #stampOf: StampOf;
  readonly #unconfirmed: ReadonlySet<string> | null;
  readonly #texts = new Map<string, string | null>();

  /** `unconfirmed` are the files to compare: all others have been found to match before. Null means all files. */
  constructor(root: string, stampOf: StampOf, unconfirmed: ReadonlySet<string> | null = null) {
    this.#root = root;
    this.#stampOf = stampOf;
    this.#unconfirmed = unconfirmed;
  }

  #isConfirmed(path: string): boolean {
    return this.#unconfirmed !== null && !this.#unconfirmed.has(path);
  }

  /** True if the symbols match a file. Contract: as `#confirms`. */
  confirmsSymbols(path: string, symbols: readonly SymbolFact[]): boolean {
    if (this.#isConfirmed(path)) return true;
    const isPlain = symbols.every(
      ({ kind, visibility, parent, startLine, endLine, nameLine, cyclomatic, cognitive }) =>
        SYMBOL_KINDS.includes(kind) &&
        VISIBILITIES.includes(visibility) &&
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

  /** True if the definitions match a file. Contract: as `#confirms`. */
  confirmsDefinitions(path: string, definitions: readonly IndexedDefinition[]): boolean {
    if (this.#isConfirmed(path)) return true;
    const isPlain = definitions.every(
      ({ kind, line, endLine }) => DEFINITION_KINDS.includes(kind) && [line, endLine].every(Number.isSafeInteger),
    );
    if (!isPlain) throw new IndexDamage("a base has definitions of an unknown kind");
    // Each part of a qualified name is the name of a definition or of the owner.
    return this.#confirms(
      path,
      definitions.flatMap(({ name, qualified }) => [name, ...qualified.split(".")]),
    );
  }

  /**
   * True if all of the given texts occur in a file, ignoring punctuation and whitespace; false if the file has changed.
   * Contract: throws `IndexDamage` if one of them does not occur.
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
