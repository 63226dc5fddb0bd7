import type { SymbolFact } from "../parse/facts.ts";
import { unitOf } from "./answers.ts";
import type { Definitions, SymbolPlace } from "./definitions.ts";
import { type Family, familyOf } from "./families.ts";
import { FileView, isFunction, isType, simpleName } from "./file-view.ts";
import { folderOf } from "./folders.ts";
import { Modules } from "./modules.ts";
import { Questions, question } from "./questions.ts";
import { SYMBOL } from "./symbol-traits.ts";
import type { Value } from "./values.ts";

/** Maximum number of cached views; beyond that the oldest half is evicted. */
const MAX_VIEWS = 4_000;

/** Maximum number of definitions of a name; a name with more is too ambiguous to resolve. */
const MAX_CANDIDATES = 400;

/**
 * Confidence in a definition found by name alone: the only one, an imported one, one in the same folder, a reopened
 * type, a member defined apart from its type.
 */
const TRUST = { only: 0.85, imported: 0.8, beside: 0.6, reopened: 0.7, apart: 0.95 };

/** All definitions, by file and by name. */
export class DefinitionCatalogue {
  readonly modules: Modules;
  readonly #definitions: Definitions;
  readonly #views = new Map<number, FileView>();
  readonly #questions = new Questions();
  /** Views that were queried for names since the last `takeAsked`, with their files. */
  readonly #touched: (readonly [number, FileView])[] = [];

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
    this.modules = new Modules(definitions, this.#questions);
  }

  /**
   * Returns the questions asked about files other than `own` since the last call. Contract: as for `Questions.take`.
   */
  takeAsked(own: number): Int32Array {
    for (const [file, view] of this.#touched) {
      const names = view.takeAsked();
      if (file === own) continue;
      const unit = unitOf(this.#definitions.path(file), this.#definitions.language(file));
      for (const name of names) this.#questions.ask(question.inside(unit, name));
    }
    this.#touched.length = 0;
    return this.#questions.take();
  }

  /** One file's facts by name. */
  view(file: number): FileView {
    const known = this.#views.get(file);
    if (known) return known;
    if (this.#views.size >= MAX_VIEWS) {
      for (const old of [...this.#views.keys()].slice(0, MAX_VIEWS / 2)) this.#views.delete(old);
    }
    const view = new FileView(this.#definitions.facts(file), (own) => this.#touched.push([file, own]));
    this.#views.set(file, view);
    return view;
  }

  familyOf(file: number): Family | undefined {
    return familyOf(this.#definitions.language(file));
  }

  /** The definition that a value refers to, if any. */
  symbolOf(value: Value | undefined): SymbolFact | undefined {
    return value && "symbol" in value ? this.view(value.file).symbol(value.symbol) : undefined;
  }

  /** Folder of a file. */
  folderOf(file: number): string {
    return folderOf(this.#definitions.path(file));
  }

  /** The top-level symbol with that name in a namespace. */
  topOf(namespace: string, name: string, family: string): Value | undefined {
    return this.#bestPlace(
      this.#candidates(name, family).filter(
        (place) => this.#is(place, SYMBOL.top) && this.view(place.file).facts.namespace === namespace,
      ),
    );
  }

  /** The method with that name, if it is the only definition of the name in all files of a family. */
  onlyMethod(name: string, family: string): SymbolPlace | undefined {
    const all = this.#candidates(name, family);
    const [first] = all;
    if (!first) return undefined;
    const { kind, owner, cyclomatic } = this.view(first.file).symbol(first.symbol) ?? {};
    const isOne = all.every(
      ({ file, symbol }) => file === first.file && this.view(file).symbol(symbol)?.owner === owner,
    );
    return isOne && kind === "method" && owner !== "" && cyclomatic !== 0 ? first : undefined;
  }

  /** The definition visible from everywhere: the only one, or the nearest. */
  everywhere(file: number, name: string, family: Family): Value | undefined {
    const top = this.#candidates(name, family.id).filter(
      (place) => this.#is(place, SYMBOL.top) && (place.file === file || !this.#is(place, SYMBOL.private)),
    );
    const whole = top.filter((place) => this.#is(place, SYMBOL.type | SYMBOL.whole));
    const usable = whole.length > 0 ? whole : top;
    if (usable.length <= 1) return usable[0] && { kind: "symbol", ...usable[0], trust: TRUST.only };
    const imports = new Set(this.view(file).sources.flatMap((source) => this.modules.filesOf(file, source)));
    const near = usable.filter((place) => imports.has(place.file));
    const nearest =
      near.length > 0 ? near : usable.filter((place) => this.folderOf(place.file) === this.folderOf(file));
    if (nearest.length > 0) return this.#bestPlace(nearest, near.length > 0 ? TRUST.imported : TRUST.beside);
    // A type that is reopened in several files is one type.
    const isOneType =
      family.reopensTypes === true && usable.every((place) => this.#is(place, SYMBOL.type | SYMBOL.module));
    return isOneType ? this.#bestPlace(usable, TRUST.reopened) : undefined;
  }

  /** A member inside the type itself, or one defined apart from it. */
  ownMember(file: number, symbol: number, fact: SymbolFact, name: string): Value | undefined {
    const inside = this.view(file).inside(symbol, name);
    const family = this.familyOf(file);
    const found = this.best(file, inside);
    const isWhole =
      found &&
      (!family?.declaresMethods || (this.symbolOf(found)?.cyclomatic ?? 0) > 0 || !isFunction(this.symbolOf(found)));
    if (isWhole || !family || !isType(fact)) return found;
    if (family.members === "folder") {
      for (const other of this.modules.go.filesIn(this.folderOf(file))) {
        const apart = this.best(other, this.view(other).owned(fact.name, name));
        if (apart) return apart;
      }
      return found;
    }
    if (family.members !== "anywhere") return found;
    const apart = this.#candidates(name, family.id).filter(({ file: at, symbol: index }) => {
      const other = this.view(at).symbol(index);
      const above = other?.parent == null ? undefined : this.view(at).symbol(other.parent);
      if (other === undefined || simpleName(other.owner) !== fact.name) return false;
      return (
        !isType(above) || (family.reopensTypes && this.view(at).facts.namespace === this.view(file).facts.namespace)
      );
    });
    return this.#bestPlace(apart, TRUST.apart) ?? found;
  }

  /** Excludes members, unless the language allows them to be used as plain names. */
  plainly(view: FileView, indices: readonly number[], { bareMembers }: Family): readonly number[] {
    return bareMembers
      ? indices
      : indices.filter(
          (index) =>
            view.symbol(index)?.kind !== "method" ||
            (view.symbol(index)?.owner === "" && view.symbol(index)?.parent === null),
        );
  }

  /** The best of several symbols with one name: one with a body, else the first class, else the first symbol. */
  best(file: number, indices: readonly number[], line = 0): Value | undefined {
    const view = this.view(file);
    const whole = indices.filter((index) => (view.symbol(index)?.cyclomatic ?? 0) > 0);
    const symbol =
      // Anonymous functions have no scope of their own here, so the last definition before the line is the most likely.
      (whole.length > 1 ? whole.findLast((index) => (view.symbol(index)?.nameLine ?? 0) <= line) : undefined) ??
      whole[0] ??
      indices.find((index) => view.symbol(index)?.kind === "class") ??
      indices[0];
    return symbol === undefined ? undefined : { kind: "symbol", file, symbol, trust: 1 };
  }

  #bestPlace(places: readonly SymbolPlace[], trust = 1): Value | undefined {
    const [first] = places;
    if (!first) return undefined;
    const whole = places.find((place) => this.#is(place, SYMBOL.whole)) ?? first;
    return { kind: "symbol", file: whole.file, symbol: whole.symbol, trust };
  }

  /** Symbols with a name in the files of a family; none if there are too many to decide. */
  #candidates(name: string, family: string): readonly SymbolPlace[] {
    this.#questions.ask(question.named(name));
    const all = this.#definitions.named(name);
    return all.length > MAX_CANDIDATES ? [] : all.filter(({ file }) => this.familyOf(file)?.id === family);
  }

  /** Whether a symbol has one of these traits. */
  #is({ file, symbol }: SymbolPlace, traits: number): boolean {
    return ((this.#definitions.traits(file)[symbol] ?? 0) & traits) !== 0;
  }
}
