import { join } from "node:path";
import { readInside, readWhole } from "../../base/jail.ts";
import { getOrMake } from "../../base/maps.ts";
import type { Definitions, SymbolPlace } from "../graph/definitions.ts";
import { traitsOf } from "../graph/symbol-traits.ts";
import { type FileFacts, NO_FACTS, type SymbolFact } from "../parse/facts.ts";
import { languageOf } from "../parse/languages/table.ts";
import { hasEnding } from "../parse/script.ts";
import type { IndexStore } from "../store/index-store.ts";

/** Maximum number of cached symbols and calls: resolution comes back to files that others import. */
const MOST_KEPT = 1_000_000;
/**
 * Maximum number of lookups of a single name in a file. Beyond it, every file is read whole when it is first needed;
 * otherwise, names that occur in many files would cause the same files to be read again and again.
 */
const MOST_LOOKS = 20_000;
const MAX_TEXT_BYTES = 256 * 1024;
const MAX_HEAD_BYTES = 1_024;

/**
 * Provides stored facts to the resolver. Contract: as `Definitions`; `findNamed` returns the files that may define a
 * name, ascending (false positives are allowed), or null if it cannot tell; in that case, or if `findNamed` is null,
 * every file is read once.
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
  /** One byte per symbol for each file; not evicted, unlike `#kept`. */
  readonly #traits = new Map<number, Uint8Array>();
  readonly #named = new Map<string, SymbolPlace[]>();
  /** Number of lookups of a single name in a file so far. */
  #looks = 0;
  /**
   * Packed places of every name in the files that were read whole: there may be millions of names, and most have only
   * one place.
   */
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
    return getOrMake(this.#traits, file, () => traitsOf(this.symbolsWith(file, null)));
  }

  named(name: string): readonly SymbolPlace[] {
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const files = this.#findNamed(name);
    if (files === null || !this.#mayLook(files.length)) return this.#getOrMake(name, files);
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

  /**
   * Places of a name in the given files, or in all files if null; no file is read more than once, even for other names.
   */
  #getOrMake(name: string, files: readonly number[] | null): SymbolPlace[] {
    if (!this.#areAllRead) for (const file of files ?? this.#paths.keys()) this.#readNames(file);
    this.#areAllRead ||= files === null;
    const packed = this.#places.get(name) ?? [];
    return (typeof packed === "number" ? [packed] : packed.toSorted((one, other) => one - other)).map(unpackPlace);
  }

  /** Symbols of a file; may be empty if none of them has the given name. A null name stands for any. */
  protected symbolsWith(file: number, name: string | null): readonly SymbolFact[] {
    return this.#kept.get(file)?.symbols ?? this.#store.code.symbols(this.path(file), name);
  }

  fileAt(path: string): number | undefined {
    return this.#numbers.get(path);
  }

  text(file: number): string | undefined {
    return readWhole(this.#root, this.path(file), MAX_TEXT_BYTES) ?? undefined;
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
