import { isKnown, type Value } from "./values.ts";

/** Maximum number of cached entries; when it is reached, the cache is cleared. */
const MAX_ENTRIES = 200_000;

/** Marks an answer that is being computed. */
const OPEN = Symbol("open");

/**
 * A cache of answers.
 *
 * Contract: a query that recurs while it is being answered gets undefined; a negative answer is cached only if the
 * search for it was not cut short, because another path to the same query may find more.
 */
export class Memory {
  #size = 0;
  readonly #known = new Map<number, Map<string, Value | undefined | typeof OPEN>>();
  readonly #search: { cuts: number };

  constructor(search: { cuts: number }) {
    this.#search = search;
  }

  /** The answer for a name within something, cached or computed now. */
  get(of: number, name: string, find: () => Value | undefined): Value | undefined {
    let names = this.#known.get(of);
    const known = names?.get(name);
    if (known === OPEN) {
      this.#search.cuts++;
      return undefined;
    }
    if (known !== undefined || names?.has(name)) return known;
    if (!names) {
      if (this.#size >= MAX_ENTRIES) this.#forget();
      names = new Map();
      this.#known.set(of, names);
    }
    names.set(name, OPEN);
    const before = this.#search.cuts;
    const found = find();
    if (isKnown(found) || this.#search.cuts === before) {
      names.set(name, found);
      this.#size++;
    } else names.delete(name);
    return found;
  }

  #forget(): void {
    this.#known.clear();
    this.#size = 0;
  }
}
