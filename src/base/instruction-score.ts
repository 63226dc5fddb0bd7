import { join } from "node:path";
import { PASSAGE_CHARS, toPassageFeatures } from "./instruction-features.ts";
import { readModel } from "./linear-model.ts";
import { once } from "./once.ts";

const model = once(() => readModel(join(import.meta.dirname, "instruction.model")));
/** Log odds from which a passage counts as an instruction to a model. */
const ENOUGH = 1;
/** Shorter texts say too little to be judged by their words. */
const SENTENCE = /(?:[a-z]{2,}[^a-z]{1,4}){2}[a-z]{2}|[\u3400-\u9fff]{5}/;

/** True where a passage reads like an instruction to a model, whatever its words. Contract: works on shadows; linear. */
export function isSuspicious(shadow: string): boolean {
  for (let from = 0; from === 0 || from + PASSAGE_CHARS / 2 < shadow.length; from += PASSAGE_CHARS / 2) {
    const passage = shadow.slice(from, from + PASSAGE_CHARS);
    if (SENTENCE.test(passage) && scorePassage(passage) >= ENOUGH) return true;
  }
  return false;
}

function scorePassage(passage: string): number {
  const { bias, weightOf } = model();
  let score = bias;
  for (const feature of toPassageFeatures(passage)) score += weightOf(feature);
  return score;
}
