import { join } from "node:path";
import { readInside } from "../../base/jail.ts";
import type { Definitions, SymbolPlace } from "../graph/definitions.ts";
import { traitsOf } from "../graph/symbol-traits.ts";
import { type FileFacts, NO_FACTS, type SymbolFact } from "../parse/facts.ts";
import { languageOf } from "../parse/languages/table.ts";
import { hasEnding } from "../parse/script.ts";
import type { IndexStore } from "../store/index-store.ts";

/** Maximum number of symbols and calls cached: resolution returns to files that others import. */
const MOST_KEPT = 1_000_000;
/**
 * Files that are looked into for one name at a time. After that every file is read whole when it is first needed: names that
 * many files contain would otherwise have them read again and again.
 */
const MOST_LOOKS = 20_000;
const MAX_TEXT_BYTES = 256 * 1024;
const MAX_HEAD_BYTES = 1_024;

/**
 * Provides stored facts to the resolver. Contract: as `Definitions`; `findNamed` returns the files that may define a
 * name, ascending (false positives are allowed), or null if it cannot tell; without it, and then, every file is read
 * once.
 */
export class StoredDefinitions implements Definitions {
  readonly #root: string;
  readonly #store: IndexStore;
  readonly #paths: readonly string[];
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #findNamed: (name: string) => readonly number[] | null;
  readonly #languages: (string | undefined)[] = [];
  readonly #kept = new Map<number, FileFacts>();
  #keptSize = 0;
  /** Of all files: a byte for each symbol. */
  readonly #traits = new Map<number, Uint8Array>();
  readonly #named = new Map<string, SymbolPlace[]>();
  /** Files that were looked into for single names so far. */
  #looks = 0;
  /** The places of every name in the files that were read whole, packed: there may be millions, and most names have only one. */
  readonly #places = new Map<string, number | number[]>();
  readonly #isRead: Uint8Array;
  #areAllRead = false;

  constructor(
    root: string,
    store: IndexStore,
    paths: readonly string[],
    findNamed: ((name: string) => readonly number[] | null) | null,
  ) {
    this.#root = root;
    this.#store = store;
    this.#paths = paths;
    this.#numbers = new Map(paths.map((path, at) => [path, at]));
    this.#findNamed = findNamed ?? (() => null);
    this.#isRead = new Uint8Array(paths.length);
  }

  get fileCount(): number {
    return this.#paths.length;
  }

  path(file: number): string {
    return this.#paths[file] ?? "";
  }

  language(file: number): string {
    this.#languages[file] ??= this.#findLanguage(file);
    return this.#languages[file];
  }

  #findLanguage(file: number): string {
    const path = this.path(file);
    const named = languageOf(path, "");
    // A file that was parsed although its name indicates no language is a script; its first line identifies the
    // language.
    if (named !== null || hasEnding(path) || this.facts(file) === NO_FACTS) return named?.id ?? "";
    const read = readInside(this.#root, join(this.#root, path), MAX_HEAD_BYTES);
    return languageOf(path, (read.ok && read.value.text) || "")?.id ?? "";
  }

  facts(file: number): FileFacts {
    const known = this.#kept.get(file);
    if (known !== undefined) return known;
    const facts = this.#store.code.facts(this.path(file));
    if (facts === null) return NO_FACTS;
    if (this.#keptSize >= MOST_KEPT) {
      this.#kept.clear();
      this.#keptSize = 0;
    }
    this.#kept.set(file, facts);
    this.#keptSize += facts.symbols.length + facts.calls.length;
    return facts;
  }

  traits(file: number): Uint8Array {
    const known = this.#traits.get(file);
    if (known !== undefined) return known;
    const traits = traitsOf(this.symbolsWith(file, null));
    this.#traits.set(file, traits);
    return traits;
  }

  named(name: string): readonly SymbolPlace[] {
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const files = this.#findNamed(name);
    if (files === null || !this.#mayLook(files.length)) return this.#recall(name, files);
    const places = this.#lookFor(name, files);
    this.#named.set(name, places);
    return places;
  }

  #mayLook(files: number): boolean {
    if (this.#looks + files > MOST_LOOKS) return false;
    this.#looks += files;
    return true;
  }

  #lookFor(name: string, files: readonly number[]): SymbolPlace[] {
    return files.flatMap((file) =>
      this.symbolsWith(file, name).flatMap((own, symbol) => (own.name === name ? [{ file, symbol }] : [])),
    );
  }

  /** The places of a name in files, or in all of them; each file is read once, whatever is asked. */
  #recall(name: string, files: readonly number[] | null): SymbolPlace[] {
    if (!this.#areAllRead) for (const file of files ?? this.#paths.keys()) this.#readNames(file);
    this.#areAllRead ||= files === null;
    const packed = this.#places.get(name) ?? [];
    return (typeof packed === "number" ? [packed] : packed.toSorted((one, other) => one - other)).map(unpackPlace);
  }

  /** The symbols of a file, at least if one of them has that name; null for any name. */
  protected symbolsWith(file: number, name: string | null): readonly SymbolFact[] {
    return this.#kept.get(file)?.symbols ?? this.#store.code.symbols(this.path(file), name);
  }

  fileAt(path: string): number | undefined {
    return this.#numbers.get(path);
  }

  text(file: number): string | undefined {
    const read = readInside(this.#root, join(this.#root, this.path(file)), MAX_TEXT_BYTES);
    return read.ok && !read.value.cut ? (read.value.text ?? undefined) : undefined;
  }

  #readNames(file: number): void {
    if (this.#isRead[file] === 1) return;
    this.#isRead[file] = 1;
    // Use the cache while there is room: cached facts need not be read again when calls are resolved.
    const hasRoom = this.#keptSize < MOST_KEPT;
    const symbols = hasRoom ? this.facts(file).symbols : this.symbolsWith(file, null);
    this.#traits.set(file, traitsOf(symbols));
    symbols.forEach(({ name }, symbol) => {
      const place = file * SYMBOLS_PER_FILE + symbol;
      const known = this.#places.get(name);
      if (known === undefined) this.#places.set(copyOf(name), place);
      else if (typeof known === "number") this.#places.set(name, [known, place]);
      else known.push(place);
    });
  }
}

/** Upper bound of symbols per file; parsed files are small enough. */
const SYMBOLS_PER_FILE = 2 ** 20;

function unpackPlace(packed: number): SymbolPlace {
  return { file: Math.floor(packed / SYMBOLS_PER_FILE), symbol: packed % SYMBOLS_PER_FILE };
}

/** Copies a string: a slice would keep its whole source string in memory. */
function copyOf(text: string): string {
  return ` ${text}`.slice(1);
}
