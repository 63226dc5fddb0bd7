import { join } from "node:path";
import { hashFeature, readModel } from "../../base/linear-model.ts";
import { once } from "../../base/once.ts";
import { PASSAGE_CHARS, visitFeatures } from "./features.ts";

const model = once(() => readModel(join(import.meta.dirname, "instruction.model")));
/**
 * Log odds from which a passage counts as an instruction: higher in Chinese, whose ordinary comments score closer to
 * it, and where only several lines together form one; lower where the text was disguised, which nobody does without
 * reason.
 */
export const ENOUGH = { line: 0.3, hanLine: 0.6, lines: 2.5, disguised: -1.5, encoded: -3 };
/** Lines that each score below this do not form an instruction together. */
export const HOPELESS = -1;
/** Passages of a long text overlap, so that an instruction is complete in one of them. */
const STEP = PASSAGE_CHARS * 0.75;
/** Shorter texts have too few words to be scored. */
const SENTENCE = /(?:[a-z]{2,}[^a-z_]{1,4}){2}[a-z]{2}|[\u3400-\u9fff]{5}/;

/** Number of features in a sentence of about one line, the usual length of the training lines. */
const USUAL_FEATURES = 80;

/** Log odds of a text without a sentence: practically impossible. */
const NO_SENTENCE = -20;

/** The highest log odds of any passage of a text being an instruction. Contract: works on shadows; linear. */
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
  // The more words, the more of them weigh in for either side by chance.
  return bias + sum * Math.min(1, USUAL_FEATURES / counted.size);
}
