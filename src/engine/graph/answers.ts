import { getOrMake, pushTo } from "../../base/maps.ts";
import { type FileFacts, NO_FACTS, type SymbolFact } from "../parse/facts.ts";
import { familyOf } from "./families.ts";
import { baseOf, folderOf } from "./folders.ts";
import { question, unitKey, WHOLE } from "./questions.ts";

/** Files that represent their folder as a module. */
const FRONT = /^(?:index\.|__init__\.|mod\.rs$)/;

/** Questions whose answer may change when a file is added or removed. */
export function questionsOfPath(path: string): number[] {
  const base = baseOf(path);
  const folder = folderOf(path);
  const keys = [question.at(path), question.fileNamed(base), question.folder(folder)];
  for (let dot = path.lastIndexOf("."); dot > path.length - base.length; dot = path.lastIndexOf(".", dot - 1))
    keys.push(question.at(path.slice(0, dot)));
  if (FRONT.test(base)) keys.push(question.at(folder));
  return keys;
}

/**
 * The unit in which the names of a file are looked up: the file, or its folder if the language sees all files of a
 * folder at once.
 */
export function unitOf(path: string, language: string): number {
  return unitKey(familyOf(language)?.sees === "folder" ? `${folderOf(path)}/` : path);
}

/** Two states of a file's facts; null for a state in which the file was not parsed. */
interface FactsChange {
  /** Id of the language; null if it depends on the text and may therefore differ between the two states. */
  readonly language: string | null;
  readonly before: FileFacts | null;
  readonly after: FileFacts | null;
}

/** Questions whose answer may differ between two states of the facts of a file. */
export function questionsOfFacts(path: string, { language, before, after }: FactsChange): number[] {
  const keys: number[] = [];
  const [old, fresh] = [describe(before), describe(after)];
  const unit = unitOf(path, language ?? "");
  for (const name of new Set([...old.keys(), ...fresh.keys()])) {
    const [one, other] = [old.get(name), fresh.get(name)];
    const isOther = one?.symbols !== other?.symbols || language === null;
    if (isOther) keys.push(question.named(name));
    if (isOther || one?.rest !== other?.rest) keys.push(question.inside(unit, name));
  }
  return keys;
}

/** Everything that other files can learn about a name in a file: its symbols, and whatever else has that name. */
interface Meaning {
  symbols: string;
  rest: string;
}

function describe(facts: FileFacts | null): Map<string, Meaning> {
  return new Description(facts ?? NO_FACTS).meanings;
}

const WORD = /[\p{L}\p{N}_$@?!]+/gu;

/**
 * Describes as text what each name of a file means, so that two states can be compared. Contract: contains everything
 * that resolution derives from lines and symbol numbers, but not the numbers themselves, which change with every edit
 * above.
 */
class Description {
  readonly meanings = new Map<string, Meaning>();
  readonly #facts: FileFacts;
  /** Path of each symbol from the top of the file, itself included. */
  readonly #chains: string[] = [];
  /** Lines of all symbols and variables, by name. */
  readonly #lines = new Map<string, number[]>();

  constructor(facts: FileFacts) {
    this.#facts = facts;
    this.#chainSymbols();
    for (const { name, line } of facts.variables) pushTo(this.#lines, name, line);
    const bases = new Map<number, string>();
    for (const { symbol, name } of facts.bases) bases.set(symbol, `${bases.get(symbol) ?? ""} ${name}`);
    for (const [index, symbol] of facts.symbols.entries()) this.#addSymbol(index, symbol, bases.get(index) ?? "");
    for (const { name, type, scope, line } of facts.variables)
      this.#add(name, "rest", [
        "=",
        scope === null ? "" : this.#chains[scope],
        type,
        this.#order(type, line, line - 1),
      ]);
    for (const { source, names } of facts.imports) {
      this.#add(WHOLE.sources, "rest", [source]);
      for (const { name, alias } of names) this.#addImport(source, name, alias);
    }
  }

  #chainSymbols(): void {
    const counts = new Map<string, number>();
    for (const [index, { name, kind, parent, owner, nameLine }] of this.#facts.symbols.entries()) {
      const nth = counts.get(name) ?? 0;
      counts.set(name, nth + 1);
      const around = parent === null ? "" : (this.#chains[parent] ?? "");
      this.#chains[index] = `${around}/${name}#${nth} ${kind} ${owner}`;
      pushTo(this.#lines, name, nameLine);
    }
  }

  #addSymbol(index: number, symbol: SymbolFact, bases: string): void {
    const { name, type, parent, visibility, cyclomatic, startLine, endLine, signature } = symbol;
    const order = this.#order(type + bases, startLine, endLine);
    const flags = `${visibility === "private"} ${cyclomatic > 0}`;
    const parts = [this.#chains[index], type, bases, flags, order];
    this.#add(name, "symbols", parts);
    if (parent === null && /^export default\b/.test(signature)) this.#add("default", "rest", parts);
  }

  #addImport(source: string, name: string, alias: string): void {
    if (alias === "") this.#add(WHOLE.stars, "rest", [source]);
    else this.#add(alias, "rest", ["<", source, name]);
    if (alias.includes(".")) this.#add(WHOLE.dotted, "rest", [alias]);
  }

  #add(name: string, where: keyof Meaning, parts: readonly (string | undefined)[]): void {
    const meaning = getOrMake(this.meanings, name, () => ({ symbols: "", rest: "" }));
    meaning[where] += `${this.#facts.namespace}\0${parts.join("\0")}\n`;
  }

  /**
   * Tells for each name in a type which of its declarations precede each of `lines`: the last one before a line
   * applies.
   */
  #order(type: string, ...lines: readonly number[]): string {
    let order = "";
    for (const [word] of type.matchAll(WORD)) {
      const known = this.#lines.get(word) ?? this.#lines.get(word.replace(/^[$@]+/, "")) ?? [];
      for (const own of known) for (const line of lines) order += own <= line ? "<" : ">";
    }
    return order;
  }
}
