import { once } from "../base/once.ts";

/** Anything except printable ASCII, tab and newline. */
const WIDE = /[^\t\n -~]/;

/** What is in a class of Unicode characters, as far as it is ASCII. */
const MEMBERS: Readonly<Record<string, string>> = { L: "A-Za-z", N: "0-9", M: "" };

/** True for a text with other characters than printable ASCII, tab and newline. */
export function isWideText(text: string): boolean {
  return WIDE.test(text);
}

/**
 * A pattern with classes of Unicode characters, and one that finds the same in a text without letters, digits and marks
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
