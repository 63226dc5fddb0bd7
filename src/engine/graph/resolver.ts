import type { CallFact } from "../parse/facts.ts";
import { Catalogue } from "./catalogue.ts";
import type { BaseEdge, CallEdge, Definitions, FileEdges } from "./definitions.ts";
import { Evaluator } from "./evaluator.ts";
import type { Family } from "./families.ts";
import { isFunction, isType } from "./file-view.ts";
import { isKnown, type Value, type Where } from "./values.ts";

/** How sure a call is that is only told by a name that one method has. */
const GUESS = 0.4;

/** Names that are not a word that libraries use: several words, joined. */
const DISTINCT = /^(?=.{6})(?:.*[a-z][A-Z]|[^_]+_[^_])/;

/** Finds out where calls, bases and imports lead. */
export interface Resolver {
  /** Contract: the same facts give the same edges, in the order of the text; never throws. */
  resolve(file: number): FileEdges;
}

/** Makes a resolver over the facts of all files. Contract: keeps only what it looked at lately. */
export function makeResolver(definitions: Definitions): Resolver {
  const catalogue = new Catalogue(definitions);
  const evaluator = new Evaluator(catalogue);
  return { resolve: (file) => new FileResolver(catalogue, evaluator, file).edges() };
}

class FileResolver {
  readonly #catalogue: Catalogue;
  readonly #evaluator: Evaluator;
  readonly #file: number;
  readonly #family: Family | undefined;

  constructor(catalogue: Catalogue, evaluator: Evaluator, file: number) {
    this.#catalogue = catalogue;
    this.#evaluator = evaluator;
    this.#file = file;
    this.#family = catalogue.familyOf(file);
  }

  edges(): FileEdges {
    if (!this.#family) return { calls: [], bases: [], imports: [] };
    const { facts } = this.#catalogue.view(this.#file);
    return {
      calls: facts.calls.flatMap((call) => this.#call(call, this.#family as Family)),
      bases: this.#bases(),
      imports: this.#imports(),
    };
  }

  #call(call: CallFact, family: Family): CallEdge[] {
    this.#evaluator.begin();
    const where = { file: this.#file, scope: call.from, line: call.line };
    const target = call.receiver === "" ? this.#plain(call, where, family) : this.#onReceiver(call, where, family);
    if (!target) return [];
    const { file, symbol, trust } = target;
    return [
      { from: call.from, toFile: file, toSymbol: symbol, line: call.line, confidence: round(trust), kind: call.kind },
    ];
  }

  #plain(call: CallFact, where: Where, family: Family): Target | undefined {
    if (family.base.has(call.callee)) return this.#baseCall(call, where, family);
    if (family.self.has(call.callee) || family.ownType.has(call.callee))
      return this.#callable(this.#evaluator.evaluate(call.callee, where), call);
    // A type's constructor has its name in some languages; what is made is the type.
    const made = call.kind === "new" ? this.#evaluator.typeNamed(call.callee, where) : undefined;
    return this.#callable(isKnown(made) ? made : this.#evaluator.lookup(call.callee, where), call);
  }

  /** A call of the base alone: of its constructor, or of its method of the same name. */
  #baseCall(call: CallFact, where: Where, family: Family): Target | undefined {
    const view = this.#catalogue.view(this.#file);
    const type = view.typeAround(call.from);
    if (type === null || family.baseCall === "nothing") return undefined;
    const own = call.from === null ? undefined : view.symbol(call.from);
    if (family.baseCall === "method")
      return (
        own && this.#callable(this.#evaluator.member(this.#evaluator.evaluate(call.callee, where), own.name), call)
      );
    const [base] = view.bases(type);
    const found =
      base === undefined
        ? undefined
        : this.#evaluator.typeNamed(base, { ...where, scope: view.symbol(type)?.parent ?? null });
    return this.#callable(found, call);
  }

  #onReceiver(call: CallFact, where: Where, family: Family): Target | undefined {
    const receiver = this.#evaluator.evaluate(call.receiver, where);
    const found = this.#evaluator.member(receiver, call.callee);
    if (isKnown(found)) return this.#callable(found, call);
    if (call.callee === family.maker) return this.#callable(receiver, call);
    if (receiver?.kind !== "unknown" || !DISTINCT.test(call.callee)) return undefined;
    const only = this.#catalogue.onlyMethod(call.callee, family.id);
    return only && { ...only, trust: GUESS };
  }

  /** The definition that a call of a value runs, where it is one. */
  #callable(value: Value | undefined, call: CallFact, depth = 0): Target | undefined {
    if ((value?.kind !== "symbol" && value?.kind !== "object") || depth > 4) return undefined;
    // Only a constructor that calls another one calls an object.
    if (value.kind === "object") return call.receiver === "" && call.callee === "this" ? value : undefined;
    const symbol = this.#catalogue.symbolOf(value);
    if (!symbol) return undefined;
    if (isFunction(symbol) || isType(symbol)) return value;
    // A value that stands for a function; what holds the result of another call is itself what is called.
    const settled =
      symbol.type.startsWith("=") && !symbol.type.endsWith(")") ? this.#evaluator.settled(value) : undefined;
    const target = this.#callable(settled, call, depth + 1);
    const isDefined =
      target &&
      (isFunction(this.#catalogue.symbolOf({ kind: "symbol", ...target })) ||
        isType(this.#catalogue.symbolOf({ kind: "symbol", ...target })));
    return isDefined ? target : value;
  }

  #bases(): BaseEdge[] {
    const { facts } = this.#catalogue.view(this.#file);
    return facts.bases.flatMap(({ symbol, name }) => {
      const own = facts.symbols[symbol];
      if (!own) return [];
      this.#evaluator.begin();
      const found = this.#evaluator.typeNamed(name.replaceAll("::", "."), {
        file: this.#file,
        scope: own.parent,
        line: own.startLine,
      });
      const isOther = found?.kind === "symbol" && (found.file !== this.#file || found.symbol !== symbol);
      return isOther ? [{ symbol, toFile: found.file, toSymbol: found.symbol }] : [];
    });
  }

  #imports(): number[] {
    const { facts } = this.#catalogue.view(this.#file);
    const files = new Set<number>();
    for (const { source, names } of facts.imports) {
      if (source !== "") for (const file of this.#catalogue.modules.filesOf(this.#file, source)) files.add(file);
      for (const { alias } of names) {
        this.#evaluator.begin();
        const value = alias === "" ? undefined : this.#evaluator.imported(this.#file, alias);
        if (value?.kind === "module") for (const file of value.files) files.add(file);
        else if (value && "file" in value) files.add(value.file);
      }
    }
    files.delete(this.#file);
    return [...files].sort((one, other) => one - other);
  }
}

/** A definition, and how sure it is that it is meant. */
interface Target {
  readonly file: number;
  readonly symbol: number;
  readonly trust: number;
}

const round = (trust: number) => Math.round(trust * 1000) / 1000;
