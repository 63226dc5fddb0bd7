import { getOrMake, pushTo } from "../../base/maps.ts";
import {
  type FileFacts,
  type ImportedName,
  isFunctionKind,
  isTypeKind,
  type SymbolFact,
  type VariableFact,
} from "../parse/facts.ts";
import { WHOLE } from "./questions.ts";

/** An imported name and its source. */
interface Imported {
  readonly source: string;
  readonly name: string;
}

/** Whether a symbol can have members. */
export const isType = (symbol: SymbolFact | undefined) => symbol !== undefined && isTypeKind(symbol.kind);

/** Whether a symbol can be called. */
export const isFunction = (symbol: SymbolFact | undefined) => symbol !== undefined && isFunctionKind(symbol.kind);

/** One file's facts, indexed by name. Records the names that it is queried for. */
export class FileView {
  readonly facts: FileFacts;
  readonly #stars: string[] = [];
  readonly #dotted: readonly string[];
  readonly #inside = new Named<number>();
  readonly #owned = new Map<string, number[]>();
  readonly #variables = new Named<VariableFact>();
  readonly #imported = new Map<string, Imported>();
  readonly #bases = new Map<number, string[]>();
  readonly #asked = new Set<string>();
  readonly #onFirst: (view: FileView) => void;

  /** `onFirst` is called on the first query for a name, and on the first one after each `takeAsked`. */
  constructor(facts: FileFacts, onFirst: (view: FileView) => void) {
    this.facts = facts;
    this.#onFirst = onFirst;
    for (const [index, symbol] of facts.symbols.entries()) this.#add(index, symbol);
    for (const variable of facts.variables) this.#variables.add(variable.name, variable.scope, variable);
    for (const { symbol, name } of facts.bases) pushTo(this.#bases, symbol, name);
    for (const { source, names } of facts.imports) this.#addImport(source, names);
    this.#dotted = [...this.#imported.keys()].filter((alias) => alias.includes("."));
  }

  /** Returns the names that were queried since the last call. */
  takeAsked(): string[] {
    const asked = [...this.#asked];
    this.#asked.clear();
    return asked;
  }

  #ask(name: string): void {
    if (this.#asked.size === 0) this.#onFirst(this);
    this.#asked.add(name);
  }

  /** Sources from which every name is imported. */
  get stars(): readonly string[] {
    this.#ask(WHOLE.stars);
    return this.#stars;
  }

  /** Imported names that contain a dot. */
  get dotted(): readonly string[] {
    this.#ask(WHOLE.dotted);
    return this.#dotted;
  }

  /** All sources of the file's imports. */
  get sources(): readonly string[] {
    this.#ask(WHOLE.sources);
    return this.facts.imports.map(({ source }) => source);
  }

  symbol(index: number): SymbolFact | undefined {
    return this.facts.symbols[index];
  }

  /**
   * Symbols with that name directly inside another; `null` is the top of the file, where namespaces do not count as a
   * level.
   */
  inside(parent: number | null, name: string): readonly number[] {
    this.#ask(name);
    return this.#inside.get(name, parent) ?? [];
  }

  /** Members of the type with that name that are defined apart from it. */
  owned(owner: string, name: string): readonly number[] {
    this.#ask(name);
    return this.#owned.get(`${owner}.${name}`) ?? [];
  }

  /** The variable with that name that is in effect at a line: the last one declared before it. */
  variable(scope: number | null, name: string, line: number): VariableFact | undefined {
    this.#ask(name);
    const all = this.#variables.get(name, scope);
    return all?.findLast((variable) => variable.line <= line) ?? all?.[0];
  }

  /** Whether a symbol, a variable or an import of the file has that name. */
  has(name: string): boolean {
    this.#ask(name);
    return this.#inside.has(name) || this.#imported.has(name) || this.#variables.has(name);
  }

  imported(alias: string): Imported | undefined {
    this.#ask(alias);
    return this.#imported.get(alias);
  }

  bases(symbol: number): readonly string[] {
    return this.#bases.get(symbol) ?? [];
  }

  /** The type that encloses a symbol, or the symbol itself if it is a type. */
  typeAround(from: number | null): number | null {
    for (let at = from; at !== null; at = this.facts.symbols[at]?.parent ?? null) {
      if (isType(this.facts.symbols[at])) return at;
    }
    return null;
  }

  #add(index: number, { name, parent, owner }: SymbolFact): void {
    this.#inside.add(name, parent, index);
    const above = parent === null ? undefined : this.facts.symbols[parent];
    if (above?.kind === "module") this.#inside.add(name, null, index);
    if (owner !== "" && !isType(above)) pushTo(this.#owned, `${simpleName(owner)}.${name}`, index);
  }

  #addImport(source: string, names: readonly ImportedName[]): void {
    for (const { name, alias } of names) {
      if (alias === "") this.#stars.push(source);
      else if (!this.#imported.has(alias)) this.#imported.set(alias, { source, name });
    }
  }
}

/** Items by name and by enclosing symbol. */
class Named<T> {
  readonly #byName = new Map<string, Map<number | null, T[]>>();

  add(name: string, parent: number | null, item: T): void {
    pushTo(
      getOrMake(this.#byName, name, () => new Map()),
      parent,
      item,
    );
  }

  get(name: string, parent: number | null): readonly T[] | undefined {
    return this.#byName.get(name)?.get(parent);
  }

  has(name: string): boolean {
    return this.#byName.has(name);
  }
}

/** The last part of a name, without type arguments: `a::B<C>` → `B`. */
export function simpleName(owner: string): string {
  const plain = owner.replace(/[<[].*$/s, "").replace(/^[&*\s]+/, "");
  return (
    plain
      .split(/::|\.|\\/)
      .at(-1)
      ?.trim() ?? ""
  );
}
