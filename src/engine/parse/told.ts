import { headOf, toChain } from "./chain.ts";
import type { CallFact, SymbolFact, VariableFact } from "./facts.ts";
import type { Lines } from "./lines.ts";
import type { SweptVariable } from "./sweep.ts";
import { onOneLine } from "./texts.ts";

const TYPE_CHARS = 120;
const RECEIVER_CHARS = 80;
/** Longer values are calls with long arguments, or data; either way they are not read further. */
const VALUE_CHARS = 4_000;

/**
 * Where the code tells a type: the node of the type as it is written or of a value, -1 for none, and the part of it that
 * is meant. Read when it is asked for: most of it never is.
 */
export interface Told {
  readonly written: number;
  readonly value: number;
  /** `.name` for a part of that name, `[]` for an element, `()` for the type of a function that gives it. */
  readonly part: string;
}

/** The text of a node. */
export type TextOf = (node: number) => string;

/** The type that is told, in the words of `SymbolFact.type`. */
function readType({ written, value, part }: Told, textOf: TextOf): string {
  if (written < 0) return value < 0 ? "" : partOf(valueType(textOf(value)), part);
  const type = writtenType(textOf(written));
  return part === "()" ? `() => ${type}` : partOf(type, part);
}

/** The type that is told first. */
export function firstTold(all: readonly Told[], textOf: TextOf): string {
  for (const told of all) {
    const type = readType(told, textOf);
    if (type !== "") return type;
  }
  return "";
}

/** A type as it is written, on one line. */
const writtenType = (text: string): string => onOneLine(text.replace(/^\s*:\s*/, ""), TYPE_CHARS);

/** What a value says about its type. */
function valueType(text: string): string {
  const chain = toChain(text.slice(0, VALUE_CHARS));
  return chain === "" ? "" : `=${chain}`;
}

/** What a part of something is, where it is told what that is. */
function partOf(whole: string, part: string): string {
  if (part === "" || whole === "") return whole;
  if (whole.startsWith("=")) return whole + part;
  const name = /^[\w$]+/.exec(whole)?.[0];
  return name === undefined ? "" : `=:${name}${part}`;
}

/** A receiver without its arguments; the last of a long chain says what it is. */
export function toReceiver(written: string): string {
  const chain = /^[\w$.]+$/.test(written) ? written : toChain(written.slice(0, VALUE_CHARS));
  return chain !== "" && chain.length <= RECEIVER_CHARS ? chain : onOneLine(written, RECEIVER_CHARS);
}

/** The variables that say something about calls: most do not, and would only take room. */
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
  const types = new Map<Told, string>();
  const typeOf = (told: Told) => {
    const known = types.get(told) ?? readType(told, textOf);
    types.set(told, known);
    return known;
  };
  // Names are kept without the sign that PHP writes before them.
  const use = (chain: string) => used.add(headOf(chain).replace(/^\$/, ""));
  for (const { callee, receiver } of calls) use(receiver === "" ? callee : receiver);
  for (const { type } of symbols) if (type.startsWith("=")) use(type.slice(1));
  // What tells the type of a variable that counts stands before it.
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

/** The type of a field in words that are known outside of the function that sets it. */
function outsideOf(
  { typed, from }: SweptVariable,
  locals: ReadonlyMap<string, SweptVariable>,
  typeOf: (told: Told) => string,
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
