import { startsRemote } from "./address.ts";

/** What of an address has to be read to know where it leads. */
const ADDRESS_CHARS = 200;
const DEFINITION = /^[ \t>*+-]{0,12}\[([^[\]\n]{1,200})\]:[ \t]{0,40}\n?[ \t]{0,40}(\S{1,200})/gm;

/** A bracket that waits for its end; `image` is where its `!` stands, or -1. */
interface Bracket {
  readonly from: number;
  readonly image: number;
}

/**
 * Finds the Markdown images that whoever shows a text would fetch from another host: with the address behind them, in
 * any way of writing it, or with a reference, unless the text itself says that it leads to a file. Contract: linear;
 * returns where their `!` stand.
 */
export function findRemoteImages(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  if (!text.includes("![")) return found;
  const isRemoteLabel = readDefinitions(text);
  const open: Bracket[] = [];
  // An image whose words have a bracket too many, as careless renderers take it.
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

/** Whether a label leads to another host; undefined for one that the text does not define. */
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
