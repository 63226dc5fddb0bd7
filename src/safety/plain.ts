import { once } from "../base/once.ts";

/** Anything except printable ASCII, tab and newline. */
const WIDE = /[^\t\n -~]/;

/** ASCII members of each class of Unicode characters, in the notation of a character class. */
const MEMBERS: Readonly<Record<string, string>> = { L: "A-Za-z", N: "0-9", M: "" };

/** True for a text with a character other than printable ASCII, tab and newline. */
export function isWideText(text: string): boolean {
  return WIDE.test(text);
}

/**
 * Returns a function that selects between `pattern` and an equivalent for texts without letters, digits and marks
 * beyond ASCII: most texts have none, and compiling `\p{L}` costs several times as much as everything around it.
 * Contract: for patterns whose only classes are `\p{L}`, `\p{N}` and `\p{M}`.
 */
export function withPlain(pattern: RegExp): (isWide: boolean) => RegExp {
  const plain = once(() => toPlain(pattern));
  return (isWide) => (isWide ? pattern : plain());
}

function toPlain({ source, flags }: RegExp): RegExp {
  let isInside = false;
  const written = source.replace(/\\p\{(\w+)\}|\\.|[[\]]/g, (sign, name: string | undefined) => {
    if (sign === "[" || sign === "]") isInside = sign === "[";
    if (name === undefined) return sign;
    const members = MEMBERS[name] ?? sign;
    return isInside ? members : `[${members}]`;
  });
  return new RegExp(written, flags.replace("u", ""));
}
