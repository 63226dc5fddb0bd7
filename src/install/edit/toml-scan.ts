interface TomlPair {
  /** The parsed key; the parts of a dotted key are joined by dots. */
  readonly name: string;
  readonly valueStart: number;
  /** End of the value, before any comment. */
  readonly valueEnd: number;
}

/** A table with its header. The lines before the first header form a table with an empty path. */
export interface TomlTable {
  readonly path: readonly string[];
  /** True for `[[…]]`. */
  readonly isArray: boolean;
  /** Start of the header's line. */
  readonly start: number;
  /** End of the last line that belongs to it: comments after that belong to the next table. */
  readonly end: number;
  readonly pairs: readonly TomlPair[];
}

const KEY_PART = /"(?:\\.|[^"\\\n])*"|'[^'\n]*'|[^\s.=[\]#"']+/y;

/** Finds the tables in a text that is valid TOML. Contract: throws on syntax that it does not understand. */
export function scanToml(text: string): TomlTable[] {
  const tables: { path: string[]; isArray: boolean; start: number; end: number; pairs: TomlPair[] }[] = [
    { path: [], isArray: false, start: 0, end: 0, pairs: [] },
  ];
  for (let at = 0; at < text.length; ) {
    const lineStart = at;
    at = skipBlanks(text, at);
    const sign = text[at];
    if (sign === undefined || sign === "\n" || sign === "\r" || sign === "#") {
      at = lineEnd(text, at);
      continue;
    }
    if (sign === "[") {
      const isArray = text[at + 1] === "[";
      const { path, end } = readKey(text, at + (isArray ? 2 : 1));
      at = lineEnd(text, end);
      tables.push({ path, isArray, start: lineStart, end: at, pairs: [] });
      continue;
    }
    const key = readKey(text, at);
    const equals = skipBlanks(text, key.end);
    if (text[equals] !== "=") throw new Error(`no value at offset ${at}`);
    const valueStart = skipBlanks(text, equals + 1);
    const valueEnd = findValueEnd(text, valueStart);
    at = lineEnd(text, valueEnd);
    const table = tables.at(-1);
    table?.pairs.push({ name: key.path.join("."), valueStart, valueEnd });
    if (table !== undefined) table.end = at;
  }
  return tables;
}

function readKey(text: string, from: number): { readonly path: string[]; readonly end: number } {
  const path: string[] = [];
  for (let at = skipBlanks(text, from); ; at = skipBlanks(text, at + 1)) {
    KEY_PART.lastIndex = at;
    const part = KEY_PART.exec(text)?.[0];
    if (part === undefined) throw new Error(`no key at offset ${at}`);
    path.push(part.startsWith('"') ? String(JSON.parse(part)) : part.startsWith("'") ? part.slice(1, -1) : part);
    at = skipBlanks(text, at + part.length);
    if (text[at] !== ".") return { path, end: at };
  }
}

/** Returns the end of a value, which may span lines: before a trailing comment or whitespace. */
function findValueEnd(text: string, from: number): number {
  let depth = 0;
  let end = from;
  for (let at = from; at < text.length; ) {
    const sign = text[at] ?? "";
    if (sign === '"' || sign === "'") at = end = skipString(text, at, sign);
    else if (sign === "#") at = lineEnd(text, at) - (depth === 0 ? lineEnd(text, at) - at : 0);
    else {
      if (sign === "[" || sign === "{") depth++;
      if (sign === "]" || sign === "}") depth--;
      at++;
      if (!/\s/.test(sign)) end = at;
    }
    if (depth === 0 && (text[at] === "\n" || text[at] === "#" || text.startsWith("\r\n", at))) break;
  }
  return end;
}

function skipString(text: string, from: number, quote: string): number {
  const triple = quote.repeat(3);
  const isLong = text.startsWith(triple, from);
  const mark = isLong ? triple : quote;
  for (let at = from + mark.length; at < text.length; at++) {
    if (quote === '"' && text[at] === "\\") at++;
    else if (text.startsWith(mark, at)) {
      at += mark.length;
      // A multi-line string may end with up to two quotes of its own.
      while (isLong && text[at] === quote) at++;
      return at;
    }
  }
  throw new Error(`a string without end at offset ${from}`);
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\t") at++;
  return at;
}

function lineEnd(text: string, from: number): number {
  const newline = text.indexOf("\n", from);
  return newline === -1 ? text.length : newline + 1;
}
