import { toKindFeatures } from "./instruction-kinds.ts";
import { toStem } from "./stem.ts";

/** Characters of a passage that are read; a longer one is judged in parts. */
export const PASSAGE_CHARS = 400;
const LENGTHS = [2, 4, 7, 12, 20, 40];
const SHORTEST_STEM = 3;
const CHARACTERS_A_WORD = 1.7;
const TOKEN = /[a-z][a-z0-9]*(?:'[a-z]+)?|[\u3400-\u9fff]+|[:!?()={};']|\d+/g;

/**
 * What the model of planted instructions sees of a passage: words, stems, two and three in a row, Chinese characters up
 * to three in a row, signs, and kinds of words. Contract: works on shadows (lower case, simplified); pure, linear, no doubles. The trainer
 * uses this very function: a change here needs `npm run train`.
 */
export function toPassageFeatures(shadow: string): Set<string> {
  const passage = shadow.slice(0, PASSAGE_CHARS);
  const found = new Set<string>(toKindFeatures(passage));
  let before = "";
  let previous = "^";
  let words = 0;
  for (const [token] of passage.matchAll(TOKEN)) {
    if (token >= "\u3400") {
      words += token.length / CHARACTERS_A_WORD;
      if (previous === "^") found.add(`^${token.slice(0, 2)}`);
      for (let at = 0; at < token.length; at++) {
        for (let length = 1; length <= 3 && at + length <= token.length; length++) {
          found.add(`c${token.slice(at, at + length)}`);
        }
      }
      [before, previous] = ["", ""];
    } else if (/^[a-z]/.test(token)) {
      words++;
      const stem = toStem(token, SHORTEST_STEM);
      found.add(`s${stem}`);
      if (stem !== token) found.add(`w${token}`);
      if (previous !== "") found.add(`b${previous} ${token}`);
      if (previous !== "" && before !== "") found.add(`t${before} ${previous} ${token}`);
      [before, previous] = [previous, token];
    } else {
      if (!/^\d/.test(token)) found.add(`.${token}`);
      [before, previous] = ["", ""];
    }
  }
  found.add(`n${LENGTHS.find((length) => words <= length) ?? "more"}`);
  return found;
}
