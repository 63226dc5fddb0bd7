/** A piece of a text: plain text, an invisible character, or a mark in place of removed text. */
export interface Piece {
  readonly kind: "text" | "control" | "mark";
  readonly text: string;
  /** Name shown in place of an invisible character. */
  readonly name?: string;
}

/**
 * Marks of removed text, and invisible characters that affect the display: control characters except tab and line feed,
 * direction changes, zero-width characters and tags.
 */
const SPECIAL =
  /(<redacted(?: private key)?>|\[filtered: [^\]\n]{1,60}\])|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

const NAMES: Readonly<Record<number, string>> = {
  0: "NUL",
  7: "BEL",
  8: "BS",
  13: "CR",
  27: "ESC",
  127: "DEL",
  155: "CSI",
  173: "SHY",
  1564: "ALM",
  8203: "ZWSP",
  8204: "ZWNJ",
  8205: "ZWJ",
  8206: "LRM",
  8207: "RLM",
  8232: "LS",
  8233: "PS",
  8234: "LRE",
  8235: "RLE",
  8236: "PDF",
  8237: "LRO",
  8238: "RLO",
  8294: "LRI",
  8295: "RLI",
  8296: "FSI",
  8297: "PDI",
  65279: "BOM",
};

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return NAMES[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Splits a text so that every character can be shown. Contract: the concatenated pieces equal the text. */
export function splitVisible(text: string): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  for (const match of text.matchAll(SPECIAL)) {
    const [found, mark] = match;
    if (match.index > done) pieces.push({ kind: "text", text: text.slice(done, match.index) });
    pieces.push(
      mark === undefined ? { kind: "control", text: found, name: nameOf(found) } : { kind: "mark", text: found },
    );
    done = match.index + found.length;
  }
  if (done < text.length || pieces.length === 0) pieces.push({ kind: "text", text: text.slice(done) });
  return pieces;
}
