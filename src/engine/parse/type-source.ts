import { getOrMake } from "../../base/maps.ts";
import { headOf, toChain } from "./chain.ts";
import type { CallFact, SymbolFact, VariableFact } from "./facts.ts";
import type { Lines } from "./lines.ts";
import type { SweptVariable } from "./sweep.ts";
import { onOneLine } from "./texts.ts";

const TYPE_CHARS = 120;
const RECEIVER_CHARS = 80;
/** Longer values are calls with long arguments, or data; only this much of them is read. */
const VALUE_CHARS = 4_000;

/**
 * A source of type information in the code: the node of the written type or of a value, -1 for none, and the part of it
 * that is meant. Evaluated lazily, because most of them are never needed.
 */
export interface TypeSource {
  readonly written: number;
  readonly value: number;
  /** `.name` for the part with that name, `[]` for an element, `()` for the type of a function that returns it. */
  readonly part: string;
}

/** The text of a node. */
export type TextOf = (node: number) => string;

/** The type given by a source, in the form of `SymbolFact.type`. */
function readType({ written, value, part }: TypeSource, textOf: TextOf): string {
  if (written < 0) return value < 0 ? "" : partOf(valueType(textOf(value)), part);
  const type = writtenType(textOf(written));
  return part === "()" ? `() => ${type}` : partOf(type, part);
}

/** The type given by the first source that has one. */
export function firstType(all: readonly TypeSource[], textOf: TextOf): string {
  for (const told of all) {
    const type = readType(told, textOf);
    if (type !== "") return type;
  }
  return "";
}

/** A type as written, on one line. */
const writtenType = (text: string): string => onOneLine(text.replace(/^\s*:\s*/, ""), TYPE_CHARS);

/** The type information in a value. */
function valueType(text: string): string {
  const chain = toChain(text.slice(0, VALUE_CHARS));
  return chain === "" ? "" : `=${chain}`;
}

/** The type of a part of something, if the type of the whole is known. */
function partOf(whole: string, part: string): string {
  if (part === "" || whole === "") return whole;
  if (whole.startsWith("=")) return whole + part;
  const name = /^[\w$]+/.exec(whole)?.[0];
  return name === undefined ? "" : `=:${name}${part}`;
}

/** A receiver as a chain without arguments; otherwise, or if that is too long, the beginning of its text. */
export function toReceiver(written: string): string {
  const chain = /^[\w$.]+$/.test(written) ? written : toChain(written.slice(0, VALUE_CHARS));
  return chain !== "" && chain.length <= RECEIVER_CHARS ? chain : onOneLine(written, RECEIVER_CHARS);
}

/** The variables that are relevant for calls: most are not, and would only take space. */
export function toVariables(
  found: readonly SweptVariable[],
  {
    calls,
    symbols,
    lines,
    textOf,
  }: { calls: readonly CallFact[]; symbols: readonly SymbolFact[]; lines: Lines; textOf: TextOf },
): VariableFact[] {
  const used = new Set<string>();
  const types = new Map<TypeSource, string>();
  const typeOf = (told: TypeSource) => getOrMake(types, told, () => readType(told, textOf));
  // Names are kept without PHP's leading `$`.
  const use = (chain: string) => used.add(headOf(chain).replace(/^\$/, ""));
  for (const { callee, receiver } of calls) use(receiver === "" ? callee : receiver);
  for (const { type } of symbols) if (type.startsWith("=")) use(type.slice(1));
  // The variables that determine another variable's type precede it, so go backwards.
  for (const { typed } of found.toReversed()) {
    if (typed.role !== "field" && !used.has(typed.name)) continue;
    const type = typeOf(typed);
    if (type.startsWith("=")) use(type.slice(1));
  }
  const locals = new Map<string, SweptVariable>();
  for (const variable of found) {
    const key = `${variable.from} ${variable.typed.name}`;
    if (variable.typed.role === "typed" && !locals.has(key)) locals.set(key, variable);
  }
  return found
    .filter(({ typed, scope }) =>
      typed.role === "field" ? scope !== null && typeOf(typed) !== "" : used.has(typed.name),
    )
    .map((variable) => ({
      name: variable.typed.name,
      type: variable.typed.role === "field" ? outsideOf(variable, locals, typeOf) : typeOf(variable.typed),
      scope: variable.scope,
      line: lines.lineOf(variable.typed.start),
    }));
}

/** The type of a field, expressed in names that are known outside the function that sets it. */
function outsideOf(
  { typed, from }: SweptVariable,
  locals: ReadonlyMap<string, SweptVariable>,
  typeOf: (told: TypeSource) => string,
): string {
  const type = typeOf(typed);
  if (!type.startsWith("=")) return type;
  const head = headOf(type.slice(1));
  const variable = locals.get(`${from} ${head}`);
  if (!variable) return type;
  const local = typeOf(variable.typed);
  if (type === `=${head}`) return local;
  return local.startsWith("=") ? local + type.slice(1 + head.length) : "";
}
