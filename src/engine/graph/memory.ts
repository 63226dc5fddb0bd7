import { isKnown, type Value } from "./values.ts";

/** Entries that are kept; all of them are made again when there are more. */
const MAX_ENTRIES = 200_000;

/** Stands for an answer that is being looked for. */
const OPEN = Symbol("open");

/**
 * Answers that were found.
 *
 * Contract: a question that comes up while it is being answered has no answer; "nothing" is only remembered where the
 * search for it was not cut short, since another way to the same question may find more.
 */
export class Memory {
  #size = 0;
  readonly #known = new Map<number, Map<string, Value | undefined | typeof OPEN>>();
  readonly #search: { cuts: number };

  constructor(search: { cuts: number }) {
    this.#search = search;
  }

  /** The answer about a name of something, known or found now. */
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
