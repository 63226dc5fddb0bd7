import { join } from "node:path";
import { hashFeature, readModel } from "../../base/linear-model.ts";
import { once } from "../../base/once.ts";
import { PASSAGE_CHARS, visitFeatures } from "./features.ts";

const model = once(() => readModel(join(import.meta.dirname, "instruction.model")));
/**
 * Minimum log odds for a passage to count as an instruction: higher in Chinese, whose ordinary comments score closer to
 * it, and where only several lines together form one; lower where the text was disguised, which nobody does without
 * reason; much higher in a sentence about attacks.
 */
export const ENOUGH = {
  line: -0.5,
  hanLine: 0,
  part: 0.3,
  lines: 2.5,
  fewShort: 0.3,
  disguised: -1.5,
  encoded: -3,
  gain: 0.3,
  report: 3,
};
/** Lines that each score below this do not form an instruction together. */
export const HOPELESS = -1;
/** A line that scores below this has no instruction within it. */
export const HOPELESS_AROUND = -3.5;
/** Passages of a long text overlap, so that an instruction is complete in one of them. */
const STEP = PASSAGE_CHARS * 0.75;
/** Shorter texts have too few words to be scored. */
const SENTENCE = /(?:[a-z]{2,}[^a-z_]{1,4}){2}[a-z]{2}|[\u3400-\u9fff]{5}/;

/** Number of features in a sentence of about one line, the usual length of the training lines. */
const USUAL_FEATURES = 100;

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
  const isNew = toCounter();
  let sum = 0;
  let count = 0;
  visitFeatures(passage, (kind, first, second, third) => {
    const hash = hashFeature(kind, first, second, third);
    if (!isNew(hash)) return;
    count++;
    sum += weightAt(hash);
  });
  // The more words a passage has, the more of them add weight to either side by chance.
  return bias + sum * Math.min(1, USUAL_FEATURES / count);
}

/** Size of the hash table: more than twice the number of features that a passage can have. */
const PLACES = 8_192;
const hashes = new Int32Array(PLACES);
/** Number of the passage that last filled each slot, so that the table never has to be cleared. */
const filledIn = new Uint32Array(PLACES);
let passages = 0;

/**
 * Starts a new passage and returns a test for features that it has not had yet. Only one passage at a time is counted.
 */
function toCounter(): (hash: number) => boolean {
  passages++;
  return (hash) => {
    let at = (hash ^ (hash >>> 13)) & (PLACES - 1);
    for (; filledIn[at] === passages; at = (at + 1) & (PLACES - 1)) if (hashes[at] === hash) return false;
    filledIn[at] = passages;
    hashes[at] = hash;
    return true;
  };
}
