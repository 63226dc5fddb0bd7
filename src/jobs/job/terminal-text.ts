import { StringDecoder } from "node:string_decoder";

/** What the reading of a stream is in the middle of: text, an escape, a control sequence, a string for the terminal. */
type Place = "text" | "escape" | "sequence" | "string";

/**
 * Makes a filter for text that a terminal shows and nobody has looked at: sequences that set titles, fill the clipboard or move
 * the cursor go, and so do all other control characters but tab and line's end. Contract: takes a stream in pieces, however
 * they are cut; text stays as it is; a sequence that never ends takes its line with it and no more.
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

/** The escape character, and the single characters that stand for it and the next. */
const OPENERS: ReadonlyMap<string, Place> = new Map([
  ["\u001b", "escape"],
  ["\u009b", "sequence"],
  ...["\u0090", "\u0098", "\u009d", "\u009e", "\u009f"].map((char) => [char, "string"] as const),
]);
/** Control characters but the tab, and marks that turn the direction of a line. */
const UNSEEN = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

function goOn(place: Exclude<Place, "text">, char: string): Place {
  if (char === "\u001b") return "escape";
  if (place === "escape") {
    if (char === "[") return "sequence";
    if (/[\]PX^_]/.test(char)) return "string";
    // Some escapes have a character between.
    return /[ -/]/.test(char) ? "escape" : "text";
  }
  if (place === "sequence") return /[@-~]/.test(char) ? "text" : "sequence";
  return char === "\u0007" || char === "\u009c" ? "text" : "string";
}
