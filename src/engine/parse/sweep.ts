import { type CallKind, isFunctionKind, isTypeKind, type SymbolKind } from "./facts.ts";
import type { TypeSource } from "./type-source.ts";

/** Offsets in the text; an item that is a mere name ends where it starts. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** A tree node with a meaning for complexity, in terms of `Language`. */
interface Mark extends Span {
  readonly role: MarkRole;
  /** For an operator: its start including the brackets before it, and whether an operator directly precedes those. */
  readonly from?: number;
  readonly isOperand?: boolean;
}

/** How a mark affects the counts of the enclosing function. */
export type MarkRole =
  | "branch"
  | "elseif"
  | "chained"
  | "else"
  | "jump"
  | "case"
  | "switch"
  | "and"
  | "or"
  | "nest"
  | "scope";

/** A definition as the query found it. */
interface Definition extends Span {
  readonly role: "def";
  readonly kind: SymbolKind;
  readonly nameStart: number;
  readonly name: string;
  readonly owner: string;
  /** Where its body starts; the end of the definition if it has none. */
  readonly bodyStart: number;
  /** Whether it is a declaration without a body. */
  readonly isDeclaration: boolean;
}

/** A block of members for a type. */
interface TypeBlock extends Span {
  readonly role: "type";
  readonly owner: string;
}

/** A call, located at its name. */
export interface Reference extends Span {
  /** A mention is a call unless a local variable has that name. */
  readonly role: CallKind | "mention";
  readonly name: string;
  readonly receiver: string;
}

/** An item of which only the text counts. */
interface Word extends Span {
  readonly role: "base" | "access" | "local";
  readonly text: string;
}

/** A name whose type is given, or that shadows an outer name. */
interface Typed extends TypeSource, Span {
  readonly role: "typed" | "field";
  readonly name: string;
}

/** What a function without a written type returns, or the result of calling the enclosing type. */
interface Returned extends TypeSource, Span {
  readonly role: "returned" | "called";
}

/** Everything that the sweep processes, sorted by start. */
export type Item = Mark | Definition | TypeBlock | Reference | Word | Typed | Returned;

/** A symbol in the result of the sweep. */
export interface Swept {
  readonly definition: Definition;
  kind: SymbolKind;
  parent: number | null;
  owner: string;
  readonly section: string;
  cyclomatic: number;
  cognitive: number;
  isRecursive: boolean;
  /** Possible sources of its type; the first that gives one wins. */
  told: TypeSource[];
}

/** A variable in the result of the sweep. */
export interface SweptVariable {
  readonly typed: Typed;
  readonly scope: number | null;
  /** The symbol that contains it. */
  readonly from: number | null;
}

/** The result of the sweep. */
interface Sweep {
  readonly symbols: Swept[];
  readonly calls: { readonly reference: Reference; readonly from: number | null }[];
  readonly bases: { symbol: number | null; readonly owner: string; readonly name: string }[];
  readonly variables: SweptVariable[];
}

/** The context at one place of the text; nested frames start from a copy. */
interface Frame {
  readonly end: number;
  readonly symbol: number | null;
  /** The function to which cognitive complexity is added. */
  readonly weighed: number | null;
  /** The function to which cyclomatic complexity is added; null inside an anonymous function. */
  readonly counted: number | null;
  readonly depth: number;
  readonly owner: string;
  /** The enclosing operator, and where it starts. */
  readonly operator: "and" | "or" | null;
  readonly operatorStart: number;
  readonly local: boolean;
  readonly labels: { section: string };
  readonly locals: Set<string>;
}

const VALUES: ReadonlySet<SymbolKind> = new Set(["variable", "constant", "property"]);

/** Passes once through the items in source order and determines nesting, callers and complexity. */
export function sweep(items: readonly Item[]): Sweep {
  const found: Sweep = { symbols: [], calls: [], bases: [], variables: [] };
  const named = new Map<number, Swept>();
  const stack: Frame[] = [frameOf(Number.POSITIVE_INFINITY, null, null, false)];
  for (const item of items) {
    while (stack.length > 1 && isPast(stack.at(-1), item, found)) stack.pop();
    const top = stack.at(-1);
    if (!top) break;
    const inside = enter(item, top, found, named);
    if (inside) stack.push(inside);
  }
  adopt(found);
  return found;
}

/**
 * Whether an item is outside the open frame. Values that are declared together have the same position, but are not
 * nested.
 */
function isPast(top: Frame | undefined, item: Item, { symbols }: Sweep): boolean {
  if (!top || top.end <= item.start) return true;
  if (item.role !== "def" || !VALUES.has(item.kind) || top.symbol === null) return false;
  const open = symbols[top.symbol]?.definition;
  return open?.start === item.start && open.end === item.end && VALUES.has(open.kind);
}

function enter(item: Item, top: Frame, found: Sweep, named: Map<number, Swept>): Frame | null {
  switch (item.role) {
    case "def":
      return define(item, top, found, named);
    case "typed": {
      const symbol = named.get(item.start);
      if (symbol) symbol.told = [item];
      else found.variables.push({ typed: item, scope: top.symbol, from: top.symbol });
      return null;
    }
    case "field":
      found.variables.push({ typed: item, scope: typeAround(top.symbol, found), from: top.symbol });
      return null;
    case "called":
    case "returned": {
      // What an anonymous function returns belongs to that function only.
      const at = item.role === "called" ? top.symbol : top.counted;
      const symbol = at === null ? undefined : found.symbols[at];
      symbol?.told.push(item);
      return null;
    }
    case "type":
      return { ...top, end: item.end, owner: item.owner, labels: { section: "" } };
    case "base":
      found.bases.push({ symbol: top.owner ? null : top.symbol, owner: top.owner, name: item.text });
      return null;
    case "access":
      top.labels.section = item.text;
      return null;
    case "local":
      top.locals.add(item.text);
      return null;
    case "mention":
      if (!top.locals.has(item.name)) found.calls.push({ reference: item, from: top.symbol });
      return null;
    case "call":
      countRecursion(item, top, found);
      found.calls.push({ reference: item, from: top.symbol });
      return null;
    case "new":
    case "macro":
    case "decorator":
      found.calls.push({ reference: item, from: top.symbol });
      return null;
    default:
      return weigh(item, top, found);
  }
}

/** The type that encloses a symbol. */
function typeAround(from: number | null, { symbols }: Sweep): number | null {
  for (let at = from; at !== null; at = symbols[at]?.parent ?? null)
    if (isTypeKind(symbols[at]?.kind ?? "module")) return at;
  return null;
}

const SELF: ReadonlySet<string> = new Set(["", "this", "self", "$this", "cls", "static", "Self"]);

/** Recursion makes a function harder to follow; it is counted once. */
function countRecursion({ name, receiver }: Reference, { weighed }: Frame, { symbols }: Sweep): void {
  const around = weighed === null ? undefined : symbols[weighed];
  if (!around || around.isRecursive || around.definition.name !== name || !SELF.has(receiver)) return;
  // Without a receiver, a method's name refers to something else in most languages.
  if (receiver === "" && around.kind === "method") return;
  around.isRecursive = true;
  around.cognitive++;
}

function define(item: Definition, top: Frame, found: Sweep, named: Map<number, Swept>): Frame | null {
  const around = top.symbol === null ? undefined : found.symbols[top.symbol];
  // A property declared among a constructor's parameters belongs to the type.
  const isInHead = item.kind === "property" && around !== undefined && item.start < around.definition.bodyStart;
  // Local values of a function are not symbols.
  if (top.local && VALUES.has(item.kind) && !isInHead) return null;
  const above = top.local && isInHead ? around.parent : top.symbol;
  const parent = above === null ? undefined : found.symbols[above];
  const owner = item.owner || top.owner || (parent && isTypeKind(parent.kind) ? parent.definition.name : "");
  const kind = kindInside(item, owner);
  const symbol = found.symbols.length;
  const swept: Swept = {
    definition: item,
    kind,
    parent: above,
    owner,
    section: top.labels.section,
    cyclomatic: isFunctionKind(kind) && !item.isDeclaration ? 1 : 0,
    cognitive: 0,
    isRecursive: false,
    told: [],
  };
  found.symbols.push(swept);
  named.set(item.nameStart, swept);
  return frameOf(item.end, symbol, isFunctionKind(kind) ? symbol : null, !isTypeKind(kind) && kind !== "module");
}

/** The context inside a symbol; `runs` is the symbol if it is a function. */
function frameOf(end: number, symbol: number | null, runs: number | null, local: boolean): Frame {
  return {
    end,
    symbol,
    weighed: runs,
    counted: runs,
    depth: 0,
    owner: "",
    operator: null,
    operatorStart: 0,
    local,
    labels: { section: "" },
    locals: new Set(),
  };
}

function kindInside({ kind, name }: Definition, owner: string): SymbolKind {
  if (kind === "function" && owner) return "method";
  if (kind === "variable" && /^_*[A-Z][A-Z0-9_]+$/.test(name)) return "constant";
  if (kind === "variable" && owner) return "property";
  return kind;
}

/** Assigns members that are defined apart from their type to it, if it is in the same file. */
function adopt(found: Sweep): void {
  const types = new Map<string, number>();
  for (const [index, { kind, definition }] of found.symbols.entries()) {
    if (isTypeKind(kind) && !types.has(definition.name)) types.set(definition.name, index);
  }
  const typeOf = (owner: string) => types.get(owner.replace(/<.*$/s, "").split(/::|\./).at(-1)?.trim() ?? "") ?? null;
  for (const symbol of found.symbols) {
    const parent = symbol.parent === null ? undefined : found.symbols[symbol.parent];
    if (!symbol.owner || symbol.kind === "module" || (parent && isTypeKind(parent.kind))) continue;
    const type = typeOf(symbol.owner);
    // A type nested in a member is not the owner of that member, even if it has the owner's name.
    if (type !== null && !isInside(type, symbol, found)) symbol.parent = type;
  }
  for (const base of found.bases) base.symbol ??= typeOf(base.owner);
}

function isInside(index: number, symbol: Swept, { symbols }: Sweep): boolean {
  for (let at: number | null = index; at !== null; at = symbols[at]?.parent ?? null)
    if (symbols[at] === symbol) return true;
  return false;
}

/** Counts a mark for the enclosing function, and opens a frame if it increases the depth. */
function weigh(mark: Mark, top: Frame, found: Sweep): Frame | null {
  const counted = top.counted === null ? undefined : found.symbols[top.counted];
  const weighed = top.weighed === null ? undefined : found.symbols[top.weighed];
  const { end } = mark;
  switch (mark.role) {
    case "branch":
      if (counted) counted.cyclomatic++;
      if (weighed) weighed.cognitive += 1 + top.depth;
      return { ...top, end, depth: top.depth + 1, operator: null };
    case "switch":
      if (weighed) weighed.cognitive += 1 + top.depth;
      return { ...top, end, depth: top.depth + 1, operator: null };
    case "elseif":
      if (counted) counted.cyclomatic++;
      if (weighed) weighed.cognitive++;
      return null;
    case "chained":
    case "case":
      if (counted) counted.cyclomatic++;
      return null;
    case "else":
    case "jump":
      if (weighed) weighed.cognitive++;
      return null;
    case "and":
    case "or":
      if (counted) counted.cyclomatic++;
      if (weighed && !goesOn(mark, top)) weighed.cognitive++;
      return { ...top, end, operator: mark.role, operatorStart: mark.from ?? mark.start };
    case "nest":
      return { ...top, end, depth: top.depth + 1, operator: null, local: true };
    case "scope":
      return { ...top, end, depth: top.depth + 1, operator: null, local: true, counted: null };
  }
}

/**
 * Whether an operator only continues a sequence of the same operator: it is an operand of the sequence, not nested
 * inside one.
 */
function goesOn({ role, start, from = start, isOperand }: Mark, { operator, operatorStart }: Frame): boolean {
  return operator === role && (isOperand === true || from <= operatorStart);
}
