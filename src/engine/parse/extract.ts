import { commentsOf, entryOfLanguage } from "../languages.ts";
import type { CallFact, FileFacts, ImportFact, SymbolFact, SymbolKind } from "./facts.ts";
import type { FlatTree } from "./flat-tree.ts";
import type { Language } from "./language.ts";
import { Lines } from "./lines.ts";
import type { Capture, Matcher } from "./matcher.ts";
import { type Item, type MarkRole, type Reference, type Swept, sweep } from "./sweep.ts";
import { docAbove, docInside, onOneLine, toHead, toSignature } from "./texts.ts";
import { firstType, type TextOf, toReceiver, toVariables } from "./type-source.ts";

const NAME_CHARS = 120;
const IMPORT_CHARS = 20_000;
const TYPED: ReadonlySet<string> = new Set(["typed", "field", "part", "each"]);
/** How far to look back for brackets, line breaks and an operator before an operand. */
const BEFORE_CHARS = 100;

/** A text and its tree. */
export interface Code {
  readonly text: string;
  readonly tree: FlatTree;
  readonly language: Language;
  /** Id of the `body` field; 0 if the grammar has none. */
  readonly bodyField: number;
  /** Type ids of the language's `bodies`. */
  readonly bodyTypes: ReadonlySet<number>;
}

/** Extracts the facts from a tree. */
export function extractFacts(code: Code, matcher: Matcher): FileFacts {
  const { language, text } = code;
  const lines = new Lines(text);
  const comment = commentsOf(entryOfLanguage(language.id)).above;
  const textOf = (node: number) => text.slice(code.tree.start[node], code.tree.end[node]);
  const collector = new Collector(code, lines);
  matcher.search(code.tree, text, (rule, captures) => collector.add(rule, captures));
  const { items, imports, exported, namespace } = collector.collected();
  items.sort((one, other) => one.start - other.start || other.end - one.end || rank(one) - rank(other));
  const swept = sweep(items);
  const symbols: SymbolFact[] = [];
  const around = { language, comment, text, lines, exported, symbols, swept: swept.symbols, textOf };
  for (const symbol of swept.symbols) symbols.push(toSymbol(symbol, around));
  const calls = swept.calls.map(
    ({ reference, from }): CallFact => ({
      callee: reference.name,
      receiver: reference.receiver,
      from,
      line: lines.lineOf(reference.start),
      kind: reference.role === "mention" ? "call" : reference.role,
    }),
  );
  return {
    symbols,
    calls,
    imports,
    variables: toVariables(swept.variables, { calls, symbols, lines, textOf }),
    namespace,
    bases: swept.bases.flatMap(({ symbol, name }) => (symbol === null ? [] : [{ symbol, name }])),
    complete: true,
  };
}

/** A definition sorts before items that start at the same place inside it. */
const rank = (item: Item) => (item.role === "def" || item.role === "type" ? 0 : 1);

/** Keeps one value per key: the one of the earliest pattern in the query. */
class First<T> {
  readonly #kept = new Map<number, { readonly pattern: number; readonly value: T }>();

  keep(key: number, pattern: number, value: T): void {
    const old = this.#kept.get(key);
    if (!old || pattern < old.pattern) this.#kept.set(key, { pattern, value });
  }

  has(key: number, pattern: number): boolean {
    const old = this.#kept.get(key);
    return old !== undefined && old.pattern <= pattern;
  }

  *values(): Iterable<T> {
    for (const { value } of this.#kept.values()) yield value;
  }
}

/** Collects what the rules find; if several find the same, the first wins. */
class Collector {
  readonly #code: Code;
  readonly #lines: Lines;
  readonly #definitions = new First<Item | null>();
  readonly #references = new First<Item | null>();
  readonly #marks = new First<Item | null>();
  readonly #others: Item[] = [];
  readonly #imports: ImportFact[] = [];
  readonly #exported = new Set<string>();
  readonly #typed = new First<Item>();
  #namespace = "";

  constructor(code: Code, lines: Lines) {
    this.#code = code;
    this.#lines = lines;
  }

  /** Adds one match. */
  add(rule: number, captures: readonly Capture[]): void {
    const parts = readCaptures(captures);
    const { main, name, owner, own, receiver } = parts;
    if (!main) return;
    if (TYPED.has(main.name)) this.#addTyped(rule, main, parts);
    else if (main.name === "returned" || main.name === "called") this.#addResult(main.name, main.node, parts.written);
    else if (main.name.startsWith("def.")) this.#addDefinition(rule, main, { name, owner, own });
    else this.#addOther(rule, main, { name, owner, receiver });
  }

  /** Everything, unordered. */
  collected() {
    const items = [...this.#others];
    for (const found of [this.#definitions, this.#references, this.#marks, this.#typed]) {
      for (const item of found.values()) if (item) items.push(item);
    }
    return { items, imports: this.#imports, exported: this.#exported, namespace: this.#namespace };
  }

  #addDefinition(
    rule: number,
    { name: role, node }: Capture,
    { name, owner, own }: Pick<Parts, "name" | "owner" | "own">,
  ): void {
    const { tree } = this.#code;
    const nameStart = tree.start[name] ?? 0;
    if (name < 0 || this.#definitions.has(nameStart, rule)) return;
    // The anonymous function is the definition itself, not one inside it.
    if (own >= 0) this.#marks.keep(own, -1, null);
    const named = splitName(this.#text(name));
    const body = bodyOf(own >= 0 ? own : node, this.#code);
    const end = tree.end[node] ?? 0;
    this.#definitions.keep(nameStart, rule, {
      role: "def",
      start: tree.start[node] ?? 0,
      end,
      kind: role.slice(4) as SymbolKind,
      nameStart,
      name: named.name,
      owner: [owner >= 0 ? onOneLine(this.#text(owner), NAME_CHARS) : "", named.owner]
        .filter((part) => part !== "")
        .join("::"),
      bodyStart: body < 0 ? end : (tree.start[body] ?? end),
      isDeclaration: body < 0 && !this.#code.language.emptyBodies,
    });
  }

  #addTyped(rule: number, { name: role, node }: Capture, { written, value }: Pick<Parts, "written" | "value">): void {
    const start = this.#code.tree.start[node] ?? 0;
    const isField = role === "field";
    // A parameter can be a field as well, so fields have separate keys.
    const key = isField ? -1 - start : start;
    if (this.#typed.has(key, rule)) return;
    const { name } = splitName(this.#text(node));
    const part = role === "part" ? `.${name}` : role === "each" ? "[]" : "";
    this.#typed.keep(key, rule, { role: isField ? "field" : "typed", start, end: start, name, written, value, part });
  }

  #addResult(role: "returned" | "called", node: number, written: number): void {
    const start = this.#code.tree.start[node] ?? 0;
    if (role === "called") this.#others.push({ role, start, end: start, written, value: -1, part: "()" });
    else this.#others.push({ role, start, end: start, written: -1, value: node, part: "" });
  }

  #addOther(
    rule: number,
    { name: role, node }: Capture,
    { name, owner, receiver }: Pick<Parts, "name" | "owner" | "receiver">,
  ): void {
    const { tree, language } = this.#code;
    const start = tree.start[node] ?? 0;
    const end = tree.end[node] ?? 0;
    switch (role) {
      case "call":
      case "new":
      case "macro":
      case "decorator":
      case "mention": {
        if (this.#references.has(start, rule)) return;
        const reference = this.#toReference(role, node, receiver);
        this.#references.keep(start, rule, isOwn(reference, language) ? null : reference);
        return;
      }
      case "skip":
        this.#references.keep(start, rule, null);
        return;
      case "local":
        this.#references.keep(start, rule, { role, start, end: start, text: this.#text(node) });
        return;
      case "import":
        if (name >= 0) this.#definitions.keep(tree.start[name] ?? 0, rule, null);
        for (const found of language.readImport(this.#text(node).slice(0, IMPORT_CHARS))) {
          this.#imports.push({ ...found, line: this.#lines.lineOf(start) });
        }
        return;
      case "export":
        this.#exported.add(this.#text(node));
        return;
      case "default":
        this.#addOwnExport(this.#text(node), "default", start);
        return;
      case "renamed":
        this.#addOwnExport(this.#text(name), this.#text(node), start);
        return;
      case "package":
        this.#namespace ||= onOneLine(this.#text(node), NAME_CHARS);
        return;
      case "type":
        this.#others.push({ role, start, end, owner: onOneLine(this.#text(owner), NAME_CHARS) });
        return;
      case "base":
      case "access":
        this.#others.push({ role, start, end: start, text: onOneLine(this.#text(node), NAME_CHARS) });
        return;
      default:
        if (!this.#marks.has(node, rule)) this.#marks.keep(node, rule, this.#toMark(role as MarkRole, start, end));
    }
  }

  /** Records that the file exports one of its own names under another one. */
  #addOwnExport(name: string, alias: string, start: number): void {
    this.#imports.push({ source: "", names: [{ name, alias }], line: this.#lines.lineOf(start) });
  }

  #toMark(role: MarkRole, start: number, end: number): Item {
    if (role !== "and" && role !== "or") return { role, start, end };
    const before = this.#code.text.slice(Math.max(0, start - BEFORE_CHARS), start);
    const outside = before.replace(/[\s(]+$/, "");
    const from = start - before.length + outside.length;
    return { role, start, end, from, isOperand: /(?:&&|\|\||\?\?|\?:|\band|\bor)$/.test(outside) };
  }

  #toReference(role: Reference["role"], node: number, receiver: number): Reference {
    const { name, owner } = splitName(this.#text(node));
    const start = this.#code.tree.start[node] ?? 0;
    return { role, start, end: start, name, receiver: receiver < 0 ? owner : toReceiver(this.#text(receiver)) };
  }

  #text(node: number): string {
    const { text, tree } = this.#code;
    return node < 0 ? "" : text.slice(tree.start[node], tree.end[node]);
  }
}

/** Nodes that complete a match; -1 for none. */
const NO_PARTS = { name: -1, owner: -1, own: -1, receiver: -1, written: -1, value: -1 };
type Parts = typeof NO_PARTS;

/** Splits captures into the main one, which says what the match is, and those that complete it. */
function readCaptures(captures: readonly Capture[]) {
  const parts = { main: undefined as Capture | undefined, ...NO_PARTS };
  for (const capture of captures) {
    const { name, node } = capture;
    if (isPart(name)) parts[name] = node;
    else if (!name.startsWith("_")) parts.main = capture;
  }
  return parts;
}

const PARTS: ReadonlySet<string> = new Set(Object.keys(NO_PARTS));
const isPart = (name: string): name is keyof Parts => PARTS.has(name);

/** The body of a definition; -1 if it has none. */
function bodyOf(node: number, { tree, bodyField, bodyTypes }: Code): number {
  const end = tree.next[node] ?? 0;
  for (let child = node + 1; child < end; child = tree.next[child] ?? end) {
    if ((bodyField !== 0 && tree.field[child] === bodyField) || bodyTypes.has(tree.type[child] ?? 0)) return child;
  }
  return -1;
}

/** Whether a plain name is built into the language. */
const isOwn = ({ name, receiver }: Reference, { ignoredCalls }: Language) =>
  receiver === "" && ignoredCalls?.has(name) === true;

/** Splits a name that may be qualified by its owner. */
function splitName(written: string): { readonly name: string; readonly owner: string } {
  if (/^\w+$/.test(written) && written.length <= NAME_CHARS) return { name: written, owner: "" };
  const plain = onOneLine(withoutTypeArguments(written.replace(/^[$&:]/, "")), NAME_CHARS);
  const quoted = /^(["'`])(.*)\1$/s.exec(plain)?.[2];
  if (quoted !== undefined || plain.startsWith("[")) return { name: quoted ?? plain, owner: "" };
  const parts = /^(.*?)(?:::|\.|\\)(~?[^:.\\]+)$/s.exec(plain);
  return parts ? { name: parts[2] ?? "", owner: parts[1] ?? "" } : { name: plain, owner: "" };
}

/** `make<Pair<A>>` → `make`. */
function withoutTypeArguments(name: string): string {
  if (!name.endsWith(">") || !/^[\w:]+</.test(name) || name.startsWith("operator")) return name;
  let depth = 0;
  for (let at = name.length - 1; at > 0; at--) {
    if (name[at] === ">") depth++;
    else if (name[at] === "<" && --depth === 0) return name.slice(0, at);
  }
  return name;
}

interface Around {
  readonly language: Language;
  /** A line that belongs to a comment. */
  readonly comment: RegExp;
  readonly text: string;
  readonly lines: Lines;
  readonly exported: ReadonlySet<string>;
  readonly symbols: readonly SymbolFact[];
  readonly swept: readonly Swept[];
  readonly textOf: TextOf;
}

function toSymbol(
  symbol: Swept,
  { language, comment, text, lines, exported, symbols, swept, textOf }: Around,
): SymbolFact {
  const { definition, kind, parent } = symbol;
  const line = lines.lineOf(definition.start);
  const start = declarationStart(text, lines.startOf(line), definition.start);
  const above = parent === null ? undefined : swept[parent];
  const access = language.access({
    name: definition.name,
    kind,
    parentKind: above?.kind ?? null,
    owner: symbol.owner,
    head: toHead(text.slice(start, definition.nameStart)),
    section: symbol.section,
  });
  const isOut = access.exported || (parent === null && exported.has(definition.name));
  return {
    name: definition.name,
    kind,
    parent,
    owner: symbol.owner,
    signature: toSignature(text.slice(start, definition.bodyStart), comment),
    startLine: line,
    endLine: lines.lineOf(lastCharacter(text, definition.start, definition.end)),
    nameLine: lines.lineOf(definition.nameStart),
    doc:
      (language.docInBody && docInside(text.slice(definition.bodyStart, definition.end))) ||
      docAbove(lines, line, comment),
    visibility: access.visibility,
    // A parent that comes later in the file is not yet known here; types normally precede their members.
    exported: isOut && (parent === null || symbols[parent]?.exported !== false),
    cyclomatic: symbol.cyclomatic,
    cognitive: symbol.cognitive,
    type: firstType(symbol.told, textOf),
  };
}

/** Includes the words before a definition on its line (`export`, `const`, `pub`). */
function declarationStart(text: string, lineStart: number, start: number): number {
  const before = text.slice(lineStart, start);
  return before.length < 80 && /^[\w\s]*$/.test(before)
    ? lineStart + (before.length - before.trimStart().length)
    : start;
}

function lastCharacter(text: string, start: number, end: number): number {
  let at = end - 1;
  while (at > start && /\s/.test(text.charAt(at))) at--;
  return Math.max(at, start);
}
