import { join } from "node:path";
import { hashFeature, readModel } from "../../base/linear-model.ts";
import { once } from "../../base/once.ts";
import { PASSAGE_CHARS, visitFeatures } from "./features.ts";

const model = once(() => readModel(join(import.meta.dirname, "instruction.model")));
/**
 * Log odds from which a passage counts as an instruction: more in Chinese, whose ordinary comments come closer to it, and
 * where only lines taken together say it; less where the text was hidden from the eye, which nobody does for nothing.
 */
export const ENOUGH = { line: 0.3, hanLine: 0.8, lines: 2.5, shortLines: 1.5, disguised: -1.5, encoded: -3 };
/** Lines that taken alone are further from it than this do not make one together. */
export const HOPELESS = -1;
/** Passages of a long text overlap, so that an instruction is whole in one of them. */
const STEP = PASSAGE_CHARS * 0.75;
/** Shorter texts say too little to be judged by their words. */
const SENTENCE = /(?:[a-z]{2,}[^a-z]{1,4}){2}[a-z]{2}|[\u3400-\u9fff]{5}/;

/** Features of a sentence of a line or so, which most lines are that the model was learned from. */
const USUAL_FEATURES = 80;

/** Texts with no sentence in them have these odds: none. */
const NO_SENTENCE = -20;

/** The highest log odds that a passage of a text is an instruction. Contract: works on shadows; linear. */
export function scoreText(shadow: string): number {
  let best = NO_SENTENCE;
  for (let from = 0; from === 0 || from + STEP / 2 < shadow.length; from += STEP) {
    const passage = shadow.slice(from, from + PASSAGE_CHARS);
    if (SENTENCE.test(passage)) best = Math.max(best, scorePassage(passage));
  }
  return best;
}

function scorePassage(passage: string): number {
  const { bias, weightAt } = model();
  const counted = new Set<number>();
  let sum = 0;
  visitFeatures(passage, (kind, first, second, third) => {
    const hash = hashFeature(kind, first, second, third);
    if (counted.has(hash)) return;
    counted.add(hash);
    sum += weightAt(hash);
  });
  // The more words, the more of them speak for either side by chance.
  return bias + sum * Math.min(1, USUAL_FEATURES / counted.size);
}
