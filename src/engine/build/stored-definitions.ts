import { join } from "node:path";
import { readInside } from "../../base/jail.ts";
import type { Definitions, Place } from "../graph/definitions.ts";
import { type FileFacts, NO_FACTS } from "../parse/facts.ts";
import { languageOf } from "../parse/languages/table.ts";
import { hasEnding } from "../parse/script.ts";
import type { IndexStore } from "../store/index-store.ts";

/** Symbols and calls that are kept at hand: resolution comes back to the files that others import. */
const MOST_KEPT = 1_000_000;
const MAX_TEXT_BYTES = 256 * 1024;
const MAX_HEAD_BYTES = 1_024;

/**
 * What resolution asks, out of a store. Contract: as `Definitions`; `findNamed` says which files may define a name and
 * may name too many; without it every file is looked through once.
 */
export class StoredDefinitions implements Definitions {
  readonly #root: string;
  readonly #store: IndexStore;
  readonly #paths: readonly string[];
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #findNamed: ((name: string) => readonly number[]) | null;
  readonly #languages: (string | undefined)[] = [];
  readonly #kept = new Map<number, FileFacts>();
  #keptSize = 0;
  readonly #named = new Map<string, Place[]>();
  /** The places of every name, packed: there may be millions, and most names have one. */
  #all: Map<string, number | number[]> | undefined;

  constructor(
    root: string,
    store: IndexStore,
    paths: readonly string[],
    findNamed: ((name: string) => readonly number[]) | null,
  ) {
    this.#root = root;
    this.#store = store;
    this.#paths = paths;
    this.#numbers = new Map(paths.map((path, at) => [path, at]));
    this.#findNamed = findNamed;
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
    // What was read as code without being called so is a script, and its first line says which.
    if (named !== null || hasEnding(path) || this.facts(file) === NO_FACTS) return named?.id ?? "";
    const read = readInside(this.#root, join(this.#root, path), MAX_HEAD_BYTES);
    return languageOf(path, (read.ok && read.value.text) || "")?.id ?? "";
  }

  facts(file: number): FileFacts {
    const known = this.#kept.get(file);
    if (known !== undefined) return known;
    const facts = this.#store.facts(this.path(file));
    if (facts === null) return NO_FACTS;
    if (this.#keptSize >= MOST_KEPT) {
      this.#kept.clear();
      this.#keptSize = 0;
    }
    this.#kept.set(file, facts);
    this.#keptSize += facts.symbols.length + facts.calls.length;
    return facts;
  }

  named(name: string): readonly Place[] {
    if (this.#findNamed === null) {
      this.#all ??= this.#nameAll();
      const packed = this.#all.get(name);
      return packed === undefined ? [] : (typeof packed === "number" ? [packed] : packed).map(unpackPlace);
    }
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const places = this.#findNamed(name).flatMap((file) => placesOf(file, this.facts(file), name));
    this.#named.set(name, places);
    return places;
  }

  fileAt(path: string): number | undefined {
    return this.#numbers.get(path);
  }

  text(file: number): string | undefined {
    const read = readInside(this.#root, join(this.#root, this.path(file)), MAX_TEXT_BYTES);
    return read.ok && !read.value.cut ? (read.value.text ?? undefined) : undefined;
  }

  #nameAll(): Map<string, number | number[]> {
    const all = new Map<string, number | number[]>();
    this.#paths.forEach((path, file) => {
      // Whatever is kept need not be read again when its calls are followed.
      const symbols = this.#keptSize < MOST_KEPT ? this.facts(file).symbols : this.#store.symbols(path);
      symbols.forEach(({ name }, symbol) => {
        const place = file * SYMBOLS_PER_FILE + symbol;
        const known = all.get(name);
        if (known === undefined) all.set(copyOf(name), place);
        else if (typeof known === "number") all.set(name, [known, place]);
        else known.push(place);
      });
    });
    return all;
  }
}

/** More than a file can have: files that are read as code are small. */
const SYMBOLS_PER_FILE = 2 ** 20;

function unpackPlace(packed: number): Place {
  return { file: Math.floor(packed / SYMBOLS_PER_FILE), symbol: packed % SYMBOLS_PER_FILE };
}

/** A text of its own: a piece of another would keep all of that in memory. */
function copyOf(text: string): string {
  return ` ${text}`.slice(1);
}

function placesOf(file: number, { symbols }: FileFacts, name: string): Place[] {
  return symbols.flatMap((own, symbol) => (own.name === name ? [{ file, symbol }] : []));
}
