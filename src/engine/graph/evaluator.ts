import type { SymbolFact } from "../parse/facts.ts";
import type { DefinitionCatalogue } from "./catalogue.ts";
import type { Family } from "./families.ts";
import { type FileView, isFunction, isType, simpleName } from "./file-view.ts";
import { Memory } from "./memory.ts";
import { elementOf, namesIn, resultOf } from "./type-text.ts";
import { beforeIt, isKnown, lessSure, OUTSIDE, type SymbolValue, UNKNOWN, type Value, type Where } from "./values.ts";

/** Maximum depth: going deeper costs more than it finds. Also ends cycles. */
const MAX_DEPTH = 20;

/** Maximum steps per query: types that refer to each other would otherwise be explored along every path. */
const MAX_STEPS = 300;

/** More symbols than a file can have. */
const MAX_SYMBOLS = 2_000_000;
/** Confidence of each way to resolve a name. */
const TRUST = { base: 0.97, star: 0.9, told: 0.95, inferred: 0.9, either: 0.9 };

const STEP = /\(\)|\[\]|[^.()[\]]+/g;

/** What every step of a search in a file needs. */
interface Search {
  readonly family: Family;
  readonly view: FileView;
  readonly depth: number;
}

/** Determines what names and expressions refer to. */
export class Evaluator {
  readonly #catalogue: DefinitionCatalogue;
  #steps = 0;
  readonly #search = { cuts: 0 };
  readonly #imports = new Memory(this.#search);
  readonly #members = new Memory(this.#search);

  constructor(catalogue: DefinitionCatalogue) {
    this.#catalogue = catalogue;
  }

  /** Starts a new query with a fresh step budget. */
  begin(): void {
    this.#steps = 0;
  }

  #isDeep(depth: number): boolean {
    this.#steps++;
    if (depth <= MAX_DEPTH && this.#steps <= MAX_STEPS) return false;
    this.#search.cuts++;
    return true;
  }

  #familyAt(where: Where, depth: number): Family | undefined {
    return this.#isDeep(depth) ? undefined : this.#catalogue.familyOf(where.file);
  }

  /** What a chain (`a.b().c`) evaluates to at a place; undefined if unknown. */
  evaluate(chain: string, where: Where, depth = 0): Value | undefined {
    const family = this.#familyAt(where, depth);
    if (!family) return undefined;
    if (chain.startsWith(":"))
      return this.#follow(
        { kind: "written", type: /^:([^.()[\]]*)/.exec(chain)?.[1] ?? "", where, trust: 1 },
        chain.replace(/^:[^.()[\]]*/, ""),
        depth,
      );
    const dotted = this.#catalogue
      .view(where.file)
      .dotted.find((alias) => chain === alias || chain.startsWith(`${alias}.`));
    if (dotted !== undefined)
      return this.#follow(this.lookup(dotted, where, depth + 1), chain.slice(dotted.length), depth);
    const text = chain.replace(/^new /, "");
    const head = /^[^.()[\]]+/.exec(text)?.[0] ?? "";
    const rest = text.slice(head.length);
    if (family.base.has(head)) return this.#follow(this.#self(where, "base"), rest.replace(/^\(\)/, ""), depth);
    if (family.self.has(head)) return this.#follow(this.#self(where, "object"), rest, depth);
    if (family.ownType.has(head)) return this.#follow(this.#self(where, "symbol"), rest, depth);
    if (head === "") return undefined;
    // The first character marks Ruby's instance variables and PHP's variables.
    if (head.startsWith("@"))
      return this.#follow(this.member(this.#self(where, "object"), head, depth + 1), rest, depth);
    const name = family.sigil !== undefined && head.startsWith(family.sigil) ? head.slice(family.sigil.length) : head;
    return this.#follow(this.lookup(name, where, depth + 1), rest, depth);
  }

  /** What a plain name refers to at a place; undefined if nothing with that name is visible there. */
  lookup(name: string, where: Where, depth = 0): Value | undefined {
    if (this.#isDeep(depth)) return undefined;
    const family = this.#catalogue.familyOf(where.file);
    const view = this.#catalogue.view(where.file);
    if (!family) return undefined;
    const first = family.bareMembers || view.has(name) ? where.scope : null;
    for (let scope = first; scope !== null; scope = view.symbol(scope)?.parent ?? null) {
      const found = this.#inScope(name, { ...where, scope }, { family, view, depth, isOwn: scope === where.scope });
      if (found) return found;
    }
    return this.#inFile(name, where, { family, view, depth });
  }

  /** A member of a value, by name: a symbol, or a field's value. */
  member(value: Value | undefined, name: string, depth = 0): Value | undefined {
    if (!value || this.#isDeep(depth)) return undefined;
    switch (value.kind) {
      case "outside":
      case "unknown":
        return value;
      case "written":
        return this.#memberOfWritten(value, name, depth);
      case "module":
        return this.#memberOfModule(value.files, name, depth);
      case "namespace":
        return this.qualified(value.name, name, value.family, depth);
      default:
        return this.#trusted(value, this.#memberOfSymbol(value, name, depth));
    }
  }

  /** The result of calling a value. */
  called(value: Value | undefined, depth = 0): Value | undefined {
    if (!isKnown(value)) return value;
    if (this.#isDeep(depth)) return undefined;
    if (value.kind === "written") return this.#calledWritten(value, depth);
    const symbol = this.#catalogue.symbolOf(value);
    if (value.kind === "object" && symbol) return this.#calledType(value, symbol, depth);
    if (value.kind !== "symbol" || !symbol) return undefined;
    if (isType(symbol)) return { ...value, kind: "object" };
    const told = this.#told(symbol.type, { file: value.file, scope: value.symbol, line: symbol.endLine }, depth + 1);
    if (isFunction(symbol)) return this.#trusted(value, told);
    return this.#trusted(value, this.called(told, depth + 1));
  }

  #calledWritten(value: Value & { readonly kind: "written" }, depth: number): Value | undefined {
    const type = resultOf(value.type);
    if (type !== "") return { ...value, type };
    for (const name of namesIn(value.type)) {
      const found = this.typeNamed(name, value.where, depth + 1);
      const symbol = found?.kind === "symbol" ? this.#catalogue.symbolOf(found) : undefined;
      const result = symbol && isKnown(found) ? this.#calledType(found, symbol, depth + 1) : undefined;
      if (result) return result;
    }
    return undefined;
  }

  /** The result of calling an object of a type, if the type or one of its bases declares it. */
  #calledType(value: Value, { type, parent, endLine }: SymbolFact, depth: number): Value | undefined {
    if (!("symbol" in value) || this.#isDeep(depth)) return undefined;
    const where = { file: value.file, scope: parent, line: endLine };
    if (type !== "") return this.called({ kind: "written", type, where, trust: value.trust * TRUST.told }, depth + 1);
    const caller = this.#catalogue.familyOf(value.file)?.caller;
    if (caller !== undefined) return this.called(this.member(value, caller, depth + 1), depth + 1);
    for (const base of this.#catalogue.view(value.file).bases(value.symbol)) {
      const result = this.called({ kind: "written", type: base, where, trust: value.trust * TRUST.base }, depth + 1);
      if (isKnown(result)) return result;
    }
    return undefined;
  }

  /** Resolves a value further: the value of a variable, the type of a field. */
  settled(value: Value | undefined, depth = 0): Value | undefined {
    if (value?.kind !== "symbol") return value;
    if (this.#isDeep(depth)) return undefined;
    const symbol = this.#catalogue.symbolOf(value);
    if (!symbol || isType(symbol) || symbol.kind === "module") return value;
    const scope = isFunction(symbol) ? value.symbol : symbol.parent;
    return this.#trusted(value, this.#told(symbol.type, { file: value.file, scope, line: symbol.endLine }, depth + 1));
  }

  /** The type with that name at a place. */
  typeNamed(dotted: string, where: Where, depth = 0): Value | undefined {
    const family = this.#familyAt(where, depth);
    if (!family) return undefined;
    if (family.self.has(dotted) || family.ownType.has(dotted)) return this.#self(where, "symbol");
    const [head = "", ...rest] = dotted.split(/[.\\]/).filter((part) => part !== "");
    if (dotted.includes("\\") && rest.length > 0) return this.#byFullName(dotted, where, family, depth);
    const view = this.#catalogue.view(where.file);
    if (rest.length > 0 && view.dotted.some((alias) => dotted.startsWith(`${alias}.`)))
      return this.evaluate(dotted, where, depth + 1);
    let found: Value | undefined;
    for (let scope = where.scope; scope !== null && !found; scope = view.symbol(scope)?.parent ?? null) {
      found = this.#catalogue.best(
        where.file,
        view.inside(scope, head).filter((index) => isType(view.symbol(index))),
      );
    }
    found ??= this.#inFile(head, where, { family, view, depth, wantsType: true });
    for (const part of rest) found = this.member(found, part, depth + 1);
    if (!found && rest.length > 0 && family.modules === "namespace")
      return this.#byFullName(dotted, where, family, depth);
    return found;
  }

  /** A top-level symbol of a namespace, or a member of the type with that full name. */
  qualified(namespace: string, name: string, family: string, depth = 0): Value | undefined {
    if (this.#isDeep(depth)) return undefined;
    const found = this.#catalogue.topOf(namespace, name, family);
    if (found) return found;
    const at = Math.max(namespace.lastIndexOf("."), namespace.lastIndexOf("\\"));
    const last = namespace.slice(at + 1);
    if (!/^\p{Lu}/u.test(last)) return undefined;
    const around = at < 0 ? undefined : this.qualified(namespace.slice(0, at), last, family, depth + 1);
    return around?.kind === "symbol" ? this.member(around, name, depth + 1) : undefined;
  }

  /** What an import binds to a name of the file. */
  imported(file: number, alias: string, depth = 0): Value | undefined {
    const found = this.#catalogue.view(file).imported(alias);
    if (!found || this.#isDeep(depth)) return undefined;
    return this.#imports.get(file, alias, () => this.#importValue(file, found.source, found.name, depth + 1));
  }

  #importValue(file: number, source: string, name: string, depth: number): Value | undefined {
    const family = this.#catalogue.familyOf(file);
    if (!family) return undefined;
    if (source === "")
      return this.#inFile(name, { file, scope: null, line: 0 }, { family, view: this.#catalogue.view(file), depth });
    if (family.modules === "namespace" && !source.includes("/")) {
      if (name === "*") return { kind: "namespace", name: source, family: family.id, trust: 1 };
      return this.qualified(source, name, family.id, depth) ?? OUTSIDE;
    }
    if (family.modules === "rust") return this.#rustImport(file, source, name, depth);
    const files = this.#catalogue.modules.filesOf(file, source);
    if (name === "*") return files.length > 0 ? { kind: "module", files, trust: 1 } : OUTSIDE;
    const found = files.length > 0 ? this.#memberOfModule(files, name, depth) : undefined;
    if (found) return found;
    const inner =
      family.modules === "python"
        ? this.#catalogue.modules.filesOf(file, `${source}${source.endsWith(".") ? "" : "."}${name}`)
        : [];
    if (inner.length > 0) return { kind: "module", files: inner, trust: 1 };
    return OUTSIDE;
  }

  #rustImport(file: number, source: string, name: string, depth: number): Value | undefined {
    const parts = source.split("::").filter((part) => part !== "");
    const [head = "", ...rest] = parts.length > 0 ? parts : [name];
    const root = this.#rustHead(file, head, depth);
    let value: Value | undefined = root;
    for (const part of rest) value = this.member(value, part, depth + 1);
    if (parts.length === 0 || name === "self" || name === "*") return value ?? OUTSIDE;
    return this.member(value, name, depth + 1) ?? OUTSIDE;
  }

  #rustHead(file: number, head: string, depth: number): Value | undefined {
    const rust = this.#catalogue.modules.rust;
    const own =
      head === "crate" ? rust.rootOf(file) : head === "self" ? file : head === "super" ? rust.above(file) : undefined;
    const found = own ?? rust.inside(file, head) ?? rust.crate(head);
    if (found !== undefined) return { kind: "module", files: [found], trust: 1 };
    return (
      this.#catalogue.best(file, this.#catalogue.view(file).inside(null, head)) ?? this.imported(file, head, depth + 1)
    );
  }

  #follow(start: Value | undefined, rest: string, depth: number): Value | undefined {
    let value = start;
    for (const [step] of rest.matchAll(STEP)) {
      if (!isKnown(value)) return value;
      if (step === "()") value = this.called(value, depth + 1);
      else if (step === "[]") value = this.#element(value, depth + 1);
      else value = this.#step(value, step, depth + 1);
    }
    return value;
  }

  /** A member in the middle of a chain; some methods only return their receiver. */
  #step(value: Value, name: string, depth: number): Value | undefined {
    const found = this.member(value, name, depth);
    if (isKnown(found)) return found;
    const file = value.kind === "written" ? value.where.file : "file" in value ? value.file : undefined;
    const passes = file === undefined ? undefined : this.#catalogue.familyOf(file)?.passes;
    if (passes?.has(name)) return value.kind === "written" ? { ...value, type: `() => ${value.type}` } : value;
    return found;
  }

  #element(value: Value, depth: number): Value | undefined {
    const settled = this.settled(value, depth);
    if (settled?.kind !== "written") return isKnown(settled) ? undefined : settled;
    const type = elementOf(settled.type);
    return type === "" ? undefined : { ...settled, type };
  }

  /** The value described by a written type or a chain. */
  #told(type: string, where: Where, depth: number): Value | undefined {
    if (type === "") return undefined;
    if (!type.startsWith("=")) return { kind: "written", type, where, trust: TRUST.told };
    const value = this.evaluate(type.slice(1), where, depth + 1);
    if (!value) return undefined;
    const isMade = type.startsWith("=new ");
    const made = isMade && value.kind === "symbol" ? this.called(value, depth + 1) : value;
    return made && lessSure(made, isMade ? TRUST.told : TRUST.inferred);
  }

  #self({ file, scope }: Where, kind: "object" | "symbol" | "base"): Value | undefined {
    const view = this.#catalogue.view(file);
    const type = view.typeAround(scope);
    if (type !== null) return { kind, file, symbol: type, trust: 1 };
    for (let at = scope; at !== null; at = view.symbol(at)?.parent ?? null) {
      const symbol = view.symbol(at);
      if (symbol?.owner) {
        const found = this.typeNamed(simpleName(symbol.owner), { file, scope: null, line: 0 });
        return found?.kind === "symbol" ? { ...found, kind } : undefined;
      }
      // A function in an object is called on that object.
      if (symbol && isFunction(symbol) && symbol.parent !== null && symbol.kind === "method") {
        return { kind, file, symbol: symbol.parent, trust: 0.9 };
      }
    }
    return undefined;
  }

  #inScope(
    name: string,
    where: Where & { readonly scope: number },
    { family, view, depth, isOwn }: Search & { readonly isOwn: boolean },
  ): Value | undefined {
    const { file, scope, line } = where;
    const symbol = view.symbol(scope);
    if (isType(symbol)) {
      if (!family.bareMembers && !isOwn) return undefined;
      return this.#memberOfSymbol({ kind: "object", file, symbol: scope, trust: 1 }, name, depth + 1);
    }
    const variable = view.variable(scope, name, line);
    if (variable && variable.line <= line) {
      return this.#told(variable.type, beforeIt(variable, where), depth + 1) ?? UNKNOWN;
    }
    const own = this.#catalogue.best(file, this.#catalogue.plainly(view, view.inside(scope, name), family), line);
    if (own) return own;
    if (family.bareMembers && symbol?.owner && symbol.parent === null) {
      const type = this.typeNamed(simpleName(symbol.owner), { file, scope: null, line: 0 }, depth + 1);
      const found = type?.kind === "symbol" ? this.member(type, name, depth + 1) : undefined;
      if (isKnown(found)) return found;
    }
    return undefined;
  }

  #inFile(
    name: string,
    { file, line }: Where,
    { family, view, depth, wantsType }: Search & { readonly wantsType?: boolean },
  ): Value | undefined {
    const own = this.#catalogue.plainly(view, view.inside(null, name), family);
    const fitting = wantsType ? own.filter((index) => isType(view.symbol(index))) : own;
    const found = this.#catalogue.best(file, fitting.length > 0 ? fitting : own, line);
    const imported = this.imported(file, name, depth);
    // An import wins over a value with the same name, which only holds the import. A function wins over the import, and
    // any definition wins over an import that leads nowhere.
    if (imported && !(isFunction(this.#catalogue.symbolOf(found)) || (found && !isKnown(imported)))) return imported;
    if (found) return found;
    const variable = wantsType ? undefined : view.variable(null, name, line);
    if (variable && variable.line <= line) {
      return this.#told(variable.type, beforeIt(variable, { file, scope: null, line }), depth + 1) ?? UNKNOWN;
    }
    return this.#byStars(file, name, { family, view, depth }) ?? this.#around(file, name, family, depth);
  }

  #byStars(file: number, name: string, { family, view, depth }: Search): Value | undefined {
    if (family.modules === "include") return undefined;
    for (const source of view.stars) {
      const whole = this.#importValue(file, source, "*", depth + 1);
      const found = isKnown(whole) ? this.member(whole, name, depth + 1) : undefined;
      if (isKnown(found)) return lessSure(found, TRUST.star);
    }
    return undefined;
  }

  /** What is visible without an import. */
  #around(file: number, name: string, family: Family, depth: number): Value | undefined {
    const { namespace } = this.#catalogue.view(file).facts;
    switch (family.sees) {
      case "modules":
        return this.#rustHead(file, name, depth);
      case "folder":
        return this.#memberOfModule(this.#catalogue.modules.go.filesIn(this.#catalogue.folderOf(file)), name, depth, {
          only: true,
        });
      case "package":
        return this.qualified(namespace, name, family.id, depth + 1);
      case "packages":
        for (let at = namespace; ; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) {
          const found = this.qualified(at, name, family.id, depth + 1);
          if (found || at === "") return found;
        }
      case "everything":
        return this.#catalogue.everywhere(file, name, family);
      default:
        return undefined;
    }
  }

  #memberOfWritten(value: Value & { readonly kind: "written" }, name: string, depth: number): Value | undefined {
    const names = namesIn(value.type);
    let isOutside = false;
    for (const [at, one] of names.entries()) {
      const type = this.typeNamed(one, value.where, depth + 1);
      if (type?.kind !== "symbol") {
        isOutside = true;
        continue;
      }
      const found = this.member(type, name, depth + 1);
      if (isKnown(found)) return lessSure(found, value.trust * (at > 0 ? TRUST.either : 1));
    }
    // OUTSIDE if the type has no name or is not defined here; undefined if it is defined here without such a member.
    return isOutside || names.length === 0 ? OUTSIDE : undefined;
  }

  #memberOfModule(files: readonly number[], name: string, depth: number, { only = false } = {}): Value | undefined {
    for (const file of files) {
      const found = this.#exported(file, name, depth + 1, only);
      if (found) return found;
    }
    const [front] = files;
    if (only || front === undefined) return undefined;
    const inner = this.#catalogue.modules.inside(front, name);
    return inner === undefined ? undefined : { kind: "module", files: [inner], trust: 1 };
  }

  /** What other files get when they import a name. */
  #exported(file: number, name: string, depth: number, only: boolean): Value | undefined {
    if (this.#isDeep(depth)) return undefined;
    const view = this.#catalogue.view(file);
    const family = this.#catalogue.familyOf(file);
    const found = this.#catalogue.best(
      file,
      view
        .inside(null, name)
        .filter(
          (index) =>
            view.symbol(index)?.owner === "" || isType(view.symbol(index)) || view.symbol(index)?.parent !== null,
        ),
    );
    if (found || only || !family || family.modules === "go") return found;
    const imported = this.imported(file, name, depth);
    if (isKnown(imported)) return imported;
    if (name === "default") {
      const index = view.facts.symbols.findIndex(
        ({ parent, signature }) => parent === null && /^export default\b/.test(signature),
      );
      if (index >= 0) return { kind: "symbol", file, symbol: index, trust: 1 };
    }
    return this.#byStars(file, name, { family, view, depth });
  }

  #memberOfSymbol(value: SymbolValue, name: string, depth: number): Value | undefined {
    const of = (value.file * MAX_SYMBOLS + value.symbol) * 2 + (value.kind === "base" ? 1 : 0);
    return this.#members.get(of, name, () => this.#findMember(value, name, depth));
  }

  #findMember({ kind, file, symbol }: SymbolValue, name: string, depth: number): Value | undefined {
    const view = this.#catalogue.view(file);
    const fact = view.symbol(symbol);
    if (!fact || this.#isDeep(depth)) return undefined;
    const own = kind === "base" ? undefined : this.#catalogue.ownMember(file, symbol, fact, name);
    if (own) return own;
    const field = kind === "base" ? undefined : view.variable(symbol, name, Number.MAX_SAFE_INTEGER);
    if (field) return this.#told(field.type, { file, scope: symbol, line: Number.MAX_SAFE_INTEGER }, depth + 1);
    let isOutside = false;
    for (const base of view.bases(symbol)) {
      const type = this.typeNamed(
        base.replaceAll("::", "."),
        { file, scope: fact.parent, line: fact.startLine },
        depth + 1,
      );
      const found =
        type?.kind === "symbol" ? this.#memberOfSymbol({ ...type, kind: "object" }, name, depth + 1) : undefined;
      if (isKnown(found)) return lessSure(found, TRUST.base);
      isOutside ||= type?.kind !== "symbol" || found?.kind === "outside";
    }
    if (fact.type !== "" && (!isType(fact) || fact.kind === "type")) {
      const told = this.#told(
        fact.type,
        { file, scope: isFunction(fact) ? symbol : fact.parent, line: fact.endLine },
        depth + 1,
      );
      return this.member(told, name, depth + 1);
    }
    return isOutside ? OUTSIDE : undefined;
  }

  #byFullName(dotted: string, { file }: Where, family: Family, depth: number): Value | undefined {
    const parts = dotted.split(/[.\\]/).filter((part) => part !== "");
    const separator = dotted.includes("\\") ? "\\" : ".";
    const name = parts.pop() ?? "";
    const head = dotted.startsWith("\\") ? undefined : this.#catalogue.view(file).imported(parts[0] ?? "");
    if (head)
      parts.splice(
        0,
        1,
        ...(head.name === "*" ? [head.source] : [head.source, head.name]).filter((part) => part !== ""),
      );
    return this.qualified(parts.join(separator), name, family.id, depth + 1);
  }

  #trusted(of: Value, value: Value | undefined): Value | undefined {
    return value && isKnown(of) ? lessSure(value, of.trust) : value;
  }
}
