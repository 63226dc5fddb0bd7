import { join } from "node:path";
import { readInside } from "../../base/jail.ts";
import type { Definitions, Place } from "../graph/definitions.ts";
import { type FileFacts, NO_FACTS } from "../parse/facts.ts";
import { languageOf } from "../parse/languages/table.ts";
import { hasEnding } from "../parse/script.ts";
import type { IndexStore } from "../store/index-store.ts";

/** Facts that are kept at hand: resolution comes back to the files that others import. */
const MOST_KEPT = 4_000;
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
  readonly #named = new Map<string, Place[]>();
  #isNamedAll = false;

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
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#kept.set(file, facts);
    return facts;
  }

  named(name: string): readonly Place[] {
    if (this.#findNamed === null) {
      if (!this.#isNamedAll) this.#nameAll();
      return this.#named.get(name) ?? [];
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

  #nameAll(): void {
    this.#isNamedAll = true;
    this.#paths.forEach((path, file) => {
      // Whatever is kept need not be read again when its calls are followed.
      const symbols = this.#kept.size < MOST_KEPT ? this.facts(file).symbols : this.#store.symbols(path);
      symbols.forEach(({ name }, symbol) => {
        const places = this.#named.get(name);
        if (places === undefined) this.#named.set(name, [{ file, symbol }]);
        else places.push({ file, symbol });
      });
    });
  }
}

function placesOf(file: number, { symbols }: FileFacts, name: string): Place[] {
  return symbols.flatMap((own, symbol) => (own.name === name ? [{ file, symbol }] : []));
}
