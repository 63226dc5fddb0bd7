/** Maximum length of a chain; longer ones cannot be followed usefully. */
const CHAIN_CHARS = 80;

const WORD = /[\p{L}\p{N}_$#@\\]/u;
const LEADING = /^(?:\(\s*)?(?:await|yield|try|try!|try\?|move|mut)\s+|^[&*]+(?:mut\s+)?/;

/**
 * An expression as a chain of names, without arguments: `a.b(x, y)[0]?.c` → `a.b()[].c`, `new Foo(x)` → `new Foo()`,
 * `a::b(x)` → `a.b()`, `Foo { x: 1 }` → `new Foo()`.
 *
 * Contract: empty for anything else (operators, literals, anonymous functions) and for chains that are too long; never
 * throws; linear in the length of the text.
 */
export function toChain(text: string): string {
  let rest = text.trim();
  for (let before = ""; before !== rest; ) {
    before = rest;
    rest = rest.replace(LEADING, "");
  }
  // An opening parenthesis before `await` was removed with it, so remove the closing one as well.
  if (/^\((?:await|yield)\s/.test(text.trim())) rest = rest.replace(")", "");
  const isNew = /^new\s+/.test(rest);
  if (isNew) rest = rest.replace(/^new\s+/, "");
  const chain = readChain(rest);
  if (chain === "" || chain.length > CHAIN_CHARS) return "";
  return isNew && !chain.includes("()") ? `new ${chain}()` : isNew ? `new ${chain}` : chain;
}

/** The name that a chain begins with. */
export function headOf(chain: string): string {
  return /^(?:new |:)?([^.()[\]]*)/.exec(chain)?.[1] ?? "";
}

function readChain(text: string): string {
  let chain = "";
  let at = 0;
  let wantsName = true;
  while (at < text.length) {
    const sign = text.charAt(at);
    if (wantsName) {
      const end = endOfWord(text, at);
      if (end === at || (chain === "" && /[0-9]/.test(sign))) return "";
      chain += text.slice(at, end);
      at = end;
      wantsName = false;
      continue;
    }
    const separator = /^(?:\s*(?:\?\.|!\.|!!\.|\.|::|->))\s*/.exec(text.slice(at, at + 40))?.[0];
    if (separator !== undefined) {
      at += separator.length;
      // `a?.[0]`, `a::<T>()`, `a.*`
      if (/[[(<]/.test(text.charAt(at))) continue;
      chain += ".";
      wantsName = true;
    } else if (sign === "!" || sign === "?") {
      at++;
    } else if (sign === "(" || sign === "[") {
      at = endOfBracket(text, at);
      if (at < 0) return "";
      chain += sign === "(" ? "()" : "[]";
    } else if (sign === "<") {
      at = endOfTypes(text, at);
      if (at < 0) return "";
    } else if (/^\s*\{/.test(text.slice(at, at + 3)) && /^[\w.$]+$/.test(chain)) {
      // A literal of a named type, or a call with a block.
      const from = text.indexOf("{", at);
      at = endOfBracket(text, from);
      if (at < 0 || text.slice(at).trim() !== "") return "";
      return `new ${chain}()`;
    } else return text.slice(at).trim() === "" ? chain : "";
  }
  return wantsName ? "" : chain;
}

function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && WORD.test(text.charAt(at))) at++;
  return at;
}

/** The offset after the bracket that closes the one at `from`, skipping quoted text; -1 if there is none. */
function endOfBracket(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === "(" || sign === "[" || sign === "{") depth++;
    else if (sign === ")" || sign === "]" || sign === "}") {
      depth--;
      if (depth === 0) return at + 1;
    } else if (sign === '"' || sign === "`" || (sign === "'" && !WORD.test(text.charAt(at - 1)))) {
      at = endOfQuote(text, at);
      if (at < 0) return -1;
    }
  }
  return -1;
}

/** The end of the quoted text that begins at `from`; a single quote may begin something else (a lifetime). */
function endOfQuote(text: string, from: number): number {
  const quote = text.charAt(from);
  for (let at = from + 1; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === "\\") at++;
    else if (sign === quote) return at;
    else if (sign === "\n" && quote === "'") return from;
  }
  return quote === "'" ? from : -1;
}

/** The offset after the type arguments that begin at `from`; -1 if it is a comparison. */
function endOfTypes(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < Math.min(text.length, from + 400); at++) {
    const sign = text.charAt(at);
    if (sign === "<") depth++;
    else if (sign === ">" && text.charAt(at - 1) !== "=" && text.charAt(at - 1) !== "-") {
      depth--;
      if (depth === 0) return at + 1;
    } else if (!/[\w\s,.:&|'"[\](){}?=>$*-]/.test(sign)) return -1;
  }
  return -1;
}
