import type { SymbolFact } from "../parse/facts.ts";
import type { Definitions, Place } from "./definitions.ts";
import { type Family, familyOf } from "./families.ts";
import { FileView, isFunction, isType, simpleName } from "./file-view.ts";
import { folderOf } from "./folders.ts";
import { Modules } from "./modules.ts";
import type { Value } from "./values.ts";

/** Views that are kept; beyond that the oldest are made again when they are asked for. */
const MAX_VIEWS = 4_000;

/** Names that so many files define say nothing about which one is meant. */
const MAX_CANDIDATES = 400;

/** How sure a definition is that is found by its name alone: the only one, one that is imported, one beside, one of many. */
const TRUST = { only: 0.85, imported: 0.8, beside: 0.6, reopened: 0.7, apart: 0.95 };

/** All definitions, by file and by name. */
export class Catalogue {
  readonly modules: Modules;
  readonly #definitions: Definitions;
  readonly #views = new Map<number, FileView>();

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
    this.modules = new Modules(definitions);
  }

  /** One file's facts by name. */
  view(file: number): FileView {
    const known = this.#views.get(file);
    if (known) return known;
    if (this.#views.size >= MAX_VIEWS) {
      for (const old of [...this.#views.keys()].slice(0, MAX_VIEWS / 2)) this.#views.delete(old);
    }
    const view = new FileView(this.#definitions.facts(file));
    this.#views.set(file, view);
    return view;
  }

  familyOf(file: number): Family | undefined {
    return familyOf(this.#definitions.language(file));
  }

  /** The definition that a value is, where it is one. */
  symbolOf(value: Value | undefined): SymbolFact | undefined {
    return value && "symbol" in value ? this.view(value.file).symbol(value.symbol) : undefined;
  }

  /** The folder that a file is in. */
  folderOf(file: number): string {
    return folderOf(this.#definitions.path(file));
  }

  /** The symbol of that name that a namespace has itself. */
  topOf(namespace: string, name: string, family: string): Value | undefined {
    return this.#bestPlace(
      this.#candidates(name, family).filter(
        (place) => this.#isTop(place) && this.view(place.file).facts.namespace === namespace,
      ),
    );
  }

  /** The one method of that name in all files of a family, where there is only one. */
  onlyMethod(name: string, family: string): Place | undefined {
    const all = this.#candidates(name, family);
    const [first] = all;
    if (!first) return undefined;
    const { kind, owner, cyclomatic } = this.view(first.file).symbol(first.symbol) ?? {};
    const isOne = all.every(
      ({ file, symbol }) => file === first.file && this.view(file).symbol(symbol)?.owner === owner,
    );
    return isOne && kind === "method" && owner !== "" && cyclomatic !== 0 ? first : undefined;
  }

  /** The definition that all files see: the only one, or the nearest. */
  everywhere(file: number, name: string, family: Family): Value | undefined {
    const top = this.#candidates(name, family.id).filter((place) => this.#isTop(place) && this.#isSeen(place, file));
    const whole = top.filter(
      ({ file: at, symbol }) =>
        isType(this.view(at).symbol(symbol)) || (this.view(at).symbol(symbol)?.cyclomatic ?? 0) > 0,
    );
    const usable = whole.length > 0 ? whole : top;
    if (usable.length <= 1) return usable[0] && { kind: "symbol", ...usable[0], trust: TRUST.only };
    const imports = new Set(this.view(file).facts.imports.flatMap(({ source }) => this.modules.filesOf(file, source)));
    const near = usable.filter((place) => imports.has(place.file));
    const nearest =
      near.length > 0 ? near : usable.filter((place) => this.folderOf(place.file) === this.folderOf(file));
    if (nearest.length > 0) return this.#bestPlace(nearest, near.length > 0 ? TRUST.imported : TRUST.beside);
    // A type that is opened again and again is one type.
    const isOneType =
      family.reopensTypes === true &&
      usable.every(
        ({ file: at, symbol }) =>
          isType(this.view(at).symbol(symbol)) || this.view(at).symbol(symbol)?.kind === "module",
      );
    return isOneType ? this.#bestPlace(usable, TRUST.reopened) : undefined;
  }

  /** A member in the type itself, or one that stands apart from it. */
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

  /** Members are no plain names, except where the language says so. */
  plainly(view: FileView, indices: readonly number[], { bareMembers }: Family): readonly number[] {
    return bareMembers
      ? indices
      : indices.filter(
          (index) =>
            view.symbol(index)?.kind !== "method" ||
            (view.symbol(index)?.owner === "" && view.symbol(index)?.parent === null),
        );
  }

  /** Of several symbols of one name the first that has a body, else the first type, else the first. */
  best(file: number, indices: readonly number[], line = 0): Value | undefined {
    const view = this.view(file);
    const whole = indices.filter((index) => (view.symbol(index)?.cyclomatic ?? 0) > 0);
    const symbol =
      // Unnamed functions have no scope of their own here: the last one before a line is the most likely.
      (whole.length > 1 ? whole.findLast((index) => (view.symbol(index)?.nameLine ?? 0) <= line) : undefined) ??
      whole[0] ??
      indices.find((index) => view.symbol(index)?.kind === "class") ??
      indices[0];
    return symbol === undefined ? undefined : { kind: "symbol", file, symbol, trust: 1 };
  }

  #bestPlace(places: readonly Place[], trust = 1): Value | undefined {
    const [first] = places;
    if (!first) return undefined;
    const whole = places.find(({ file, symbol }) => (this.view(file).symbol(symbol)?.cyclomatic ?? 0) > 0) ?? first;
    return { kind: "symbol", file: whole.file, symbol: whole.symbol, trust };
  }

  /** Symbols of a name in the files of a family; none where they are too many to tell. */
  #candidates(name: string, family: string): readonly Place[] {
    const all = this.#definitions.named(name);
    return all.length > MAX_CANDIDATES ? [] : all.filter(({ file }) => this.familyOf(file)?.id === family);
  }

  /** Whether a file's own (`static`) names are out of sight. */
  #isSeen({ file, symbol }: Place, from: number): boolean {
    return file === from || this.view(file).symbol(symbol)?.visibility !== "private";
  }

  #isTop({ file, symbol }: Place): boolean {
    const view = this.view(file);
    const fact = view.symbol(symbol);
    if (!fact) return false;
    if (fact.parent === null) return fact.owner === "" || isType(fact) || fact.kind === "module";
    return view.symbol(fact.parent)?.kind === "module";
  }
}
