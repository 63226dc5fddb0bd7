import { StringDecoder } from "node:string_decoder";

/** Parser state: inside plain text, an escape, a control sequence, or a string for the terminal. */
type Place = "text" | "escape" | "sequence" | "string";

/**
 * Creates a filter for unchecked text that is written to a terminal: removes sequences that set titles, fill the
 * clipboard or move the cursor, and all other control characters except tab and newline. Contract: accepts a stream in
 * chunks of any size; text is unchanged; an unterminated sequence swallows the rest of its line and no more.
 */
export function makeTerminalFilter(): (piece: string | Buffer) => string {
  const decoder = new StringDecoder("utf8");
  let place: Place = "text";
  return (piece) => {
    let shown = "";
    for (const char of typeof piece === "string" ? piece : decoder.write(piece)) {
      if (char === "\n") {
        place = "text";
        shown += char;
      } else if (place === "text") {
        place = OPENERS.get(char) ?? "text";
        if (place === "text" && !UNSEEN.test(char)) shown += char;
      } else place = goOn(place, char);
    }
    return shown;
  };
}

/** The escape character, and the single characters (C1) that stand for an escape and its next character. */
const OPENERS: ReadonlyMap<string, Place> = new Map([
  ["\u001b", "escape"],
  ["\u009b", "sequence"],
  ...["\u0090", "\u0098", "\u009d", "\u009e", "\u009f"].map((char) => [char, "string"] as const),
]);
/** Control characters except tab, and marks that change the direction of text. */
const UNSEEN = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

function goOn(place: Exclude<Place, "text">, char: string): Place {
  if (char === "\u001b") return "escape";
  if (place === "escape") {
    if (char === "[") return "sequence";
    if (/[\]PX^_]/.test(char)) return "string";
    // Some escapes have intermediate characters.
    return /[ -/]/.test(char) ? "escape" : "text";
  }
  if (place === "sequence") return /[@-~]/.test(char) ? "text" : "sequence";
  return char === "\u0007" || char === "\u009c" ? "text" : "string";
}
