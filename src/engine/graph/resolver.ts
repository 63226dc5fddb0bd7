import type { CallFact } from "../parse/facts.ts";
import { DefinitionCatalogue } from "./catalogue.ts";
import type { BaseEdge, CallEdge, Definitions, FileEdges } from "./definitions.ts";
import { Evaluator } from "./evaluator.ts";
import type { Family } from "./families.ts";
import { isFunction, isType } from "./file-view.ts";
import { isKnown, type Value, type Where } from "./values.ts";

/** Confidence of a call resolved only because a single method has that name. */
const GUESS = 0.4;

/** Names unlikely to be used by libraries: several words, joined. */
const DISTINCT = /^(?=.{6})(?:.*[a-z][A-Z]|[^_]+_[^_])/;

/** Determines the targets of calls, bases and imports. */
interface Resolver {
  /** Contract: the same facts give the same edges, in source order; never throws. */
  resolve(file: number): FileEdges;
  /** Questions (`questions.ts`) about other files that the last `resolve` asked, ascending. */
  asked(): Int32Array;
}

/**
 * Creates a resolver over the facts of all files. Contract: its caches are bounded; the edges of a file do not depend
 * on which files were resolved before.
 */
export function makeResolver(definitions: Definitions): Resolver {
  const catalogue = new DefinitionCatalogue(definitions);
  let last = -1;
  return {
    resolve: (file) => {
      catalogue.takeAsked(last);
      last = file;
      // A new evaluator per file: its caches shorten searches, so with a shared one the targets would depend on the
      // order in which files are resolved.
      return new FileResolver(catalogue, new Evaluator(catalogue), file).edges();
    },
    asked: () => catalogue.takeAsked(last),
  };
}

class FileResolver {
  readonly #catalogue: DefinitionCatalogue;
  readonly #evaluator: Evaluator;
  readonly #file: number;
  readonly #family: Family | undefined;

  constructor(catalogue: DefinitionCatalogue, evaluator: Evaluator, file: number) {
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
    // In some languages a constructor has the name of its type; the call then refers to the type.
    const made = call.kind === "new" ? this.#evaluator.typeNamed(call.callee, where) : undefined;
    return this.#callable(isKnown(made) ? made : this.#evaluator.lookup(call.callee, where), call);
  }

  /** Resolves a bare call of the base, such as `super()`: to its constructor, or to its method of the same name. */
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

  /** The definition that calling a value runs, if it is known. */
  #callable(value: Value | undefined, call: CallFact, depth = 0): Target | undefined {
    if ((value?.kind !== "symbol" && value?.kind !== "object") || depth > 4) return undefined;
    // An object is callable only as `this(…)`, where one constructor calls another.
    if (value.kind === "object") return call.receiver === "" && call.callee === "this" ? value : undefined;
    const symbol = this.#catalogue.symbolOf(value);
    if (!symbol) return undefined;
    if (isFunction(symbol) || isType(symbol)) return value;
    // A variable may be an alias of a function; one that holds the result of a call is itself the target.
    const settled =
      symbol.type.startsWith("=") && !symbol.type.endsWith(")") ? this.#evaluator.settled(value) : undefined;
    const target = this.#callable(settled, call, depth + 1);
    const meant = target && this.#catalogue.symbolOf({ kind: "symbol", ...target });
    return isFunction(meant) || isType(meant) ? target : value;
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

/** A definition, and the confidence that it is the one meant. */
interface Target {
  readonly file: number;
  readonly symbol: number;
  readonly trust: number;
}

const round = (trust: number) => Math.round(trust * 1000) / 1000;
