import { startsRemote } from "./address.ts";

/** Length of the part of an address that shows where it leads. */
const ADDRESS_CHARS = 200;
const DEFINITION = /^[ \t>*+-]{0,12}\[([^[\]\n]{1,200})\]:[ \t]{0,40}\n?[ \t]{0,40}(\S{1,200})/gm;

/** An open bracket; `image` is the position of its `!`, or -1. */
interface Bracket {
  readonly from: number;
  readonly image: number;
}

/**
 * Finds the Markdown images that a renderer would fetch from another host: with an inline address in any notation, or
 * with a reference, unless the text itself defines the reference as a local file. Contract: linear; returns the
 * positions of their `!`.
 */
export function findRemoteImages(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  if (!text.includes("![")) return found;
  const isRemoteLabel = readDefinitions(text);
  const open: Bracket[] = [];
  // An image whose alt text has an unbalanced bracket, which lenient renderers still accept.
  let loose = -1;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === "\n") loose = -1;
    else if (sign === "[") open.push({ from: at + 1, image: text.charAt(at - 1) === "!" ? at - 1 : -1 });
    else if (sign === "]") {
      const { from, image } = open.pop() ?? { from: 0, image: -1 };
      const next = text.charAt(at + 1);
      if (next === "(") {
        const isRemote = startsRemote(text.slice(at + 2, at + 2 + ADDRESS_CHARS).trimStart());
        if (isRemote && image >= 0) found.add(image);
        else if (isRemote && loose >= from) found.add(loose);
        if (isRemote || image >= 0) loose = -1;
      } else if (image >= 0) {
        const label = next === "[" ? /^[^\]]{0,200}/.exec(text.slice(at + 2, at + 202))?.[0] : undefined;
        const known = isRemoteLabel(label || text.slice(from, at));
        if (known ?? next === "[") found.add(image);
        loose = image;
      }
    }
  }
  return found;
}

/** Returns a lookup of whether a label leads to another host; undefined for a label that the text does not define. */
function readDefinitions(text: string): (label: string) => boolean | undefined {
  if (!text.includes("]:")) return () => undefined;
  const known = new Map<string, boolean>();
  for (const [, label = "", address = ""] of text.matchAll(DEFINITION)) {
    const name = toLabel(label);
    known.set(name, known.get(name) === true || startsRemote(address));
  }
  return (label) => known.get(toLabel(label));
}

function toLabel(text: string): string {
  return text.replace(/\s+/g, " ").trim().toLowerCase();
}
