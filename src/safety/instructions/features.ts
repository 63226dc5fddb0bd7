import { toStem } from "../../base/text.ts";
import { visitKinds } from "./kinds.ts";

/** Maximum length of a passage; a longer text is scored in parts. */
export const PASSAGE_CHARS = 400;
const LENGTHS = [2, 4, 7, 12, 20, 40];
const SHORTEST_STEM = 3;
const CHARACTERS_A_WORD = 1.7;
const DOT = 46;
const WIDE = 0x80;
const TOKEN = /[a-z][a-z0-9_]*(?:'[a-z]+)?|[\u3400-\u9fff]+|[.:!?()={};'，。：；！？、]|\d+/g;
/** A web address: its presence counts, not the words in its path. */
const ADDRESS = /\b(?:https?|wss?|ftp|git|ssh|gs|s3):\\?\/\\?\/[^\s'()<>\]]{1,400}/g;
/** The leading folders of a long path; the file and its own folder still count. */
const FOLDERS = /(?<![\w/])[~·]{0,2}(?:\/[\w·@+-]{1,60}){1,12}(?=\/[\w·@+-]{1,60}\/[\w·@+-]{1,60})/g;
/** Characters after which a sentence or a quotation starts. */
const OPENS = ".:!?('，。：；！？";

/**
 * Receives a feature: its kind and words. The feature's name is the kind followed by the words, with spaces between.
 */
type TakeFeature = (kind: string, first: string, second?: string, third?: string) => void;

/**
 * Features of a passage for the model of planted instructions: words, stems, sequences of two and three words, Chinese
 * characters in sequences of up to three, punctuation, and kinds of words. Contract: works on shadows (lower case,
 * simplified); pure, linear; may report the same feature more than once. The trainer uses the same function: a change
 * here requires `npm run train`.
 */
export function visitFeatures(shadow: string, take: TakeFeature): void {
  const passage = shadow.replace(ADDRESS, " webaddress ").replace(FOLDERS, " filepath ").slice(0, PASSAGE_CHARS);
  visitKinds(passage, take);
  let before = "";
  let previous = "^";
  let words = 0;
  for (const token of passage.match(TOKEN) ?? []) {
    const code = token.charCodeAt(0);
    if (code >= 0x3400) {
      words += token.length / CHARACTERS_A_WORD;
      if (previous === "^") take("^", token.slice(0, 2));
      if (previous === "^" && token.length > 2) take("^", token.slice(0, 3));
      take("$", token.slice(-2));
      for (let at = 0; at < token.length; at++) {
        for (let length = 1; length <= 3 && at + length <= token.length; length++) {
          take("c", token.slice(at, at + length));
        }
      }
      before = "";
      previous = "";
    } else if (code >= 97 && code <= 122) {
      words++;
      const stem = toStem(token, SHORTEST_STEM);
      take("s", stem);
      if (stem !== token) take("w", token);
      if (previous !== "") take("b", previous, token);
      if (previous !== "" && before !== "") take("t", before, previous, token);
      before = previous;
      previous = token;
    } else {
      const isNumber = code >= 48 && code <= 57;
      if (!isNumber && code !== DOT && code < WIDE) take(".", token);
      // A number that identifies something is a word like any other; its value carries no meaning.
      if (isNumber && token.length > 2 && previous !== "") take("b", previous, "#");
      before = "";
      previous = isNumber ? "#" : OPENS.includes(token) ? "^" : "";
    }
  }
  take("n", String(LENGTHS.find((length) => words <= length) ?? "more"));
}
