import { once } from "../../base/once.ts";
import type { InstructionRule } from "./rule.ts";

/** Number of letters of a word that are compared, five bits each. */
const LETTERS = 6;
/** Maximum number of word groups in a rule. */
const GROUPS = 3;

/**
 * Builds a prefilter for the rules that a text can match at all, because compiling their patterns costs many times as
 * much as looking at every word once. Contract: a rule is skipped only if its words do not occur in the text in order
 * and close together, or if the text does not match `needs`; works on shadows; linear.
 */
export function makeDueTest(rules: readonly InstructionRule[]): (text: string) => readonly InstructionRule[] {
  const steps = once(() => toSteps(rules));
  return (text) => {
    const due = findDue(text, rules, steps());
    return rules.filter(({ words, needs }, at) => (words.length === 0 || due[at] === 1) && needs?.test(text) !== false);
  };
}

/** By word: the groups that contain it, each encoded as a number of rule and group, the last group of a rule first. */
type Steps = ReadonlyMap<number, readonly number[]>;

function toSteps(rules: readonly InstructionRule[]): Steps {
  const steps = new Map<number, number[]>();
  rules.forEach(({ words }, rule) => {
    for (let group = words.length - 1; group >= 0; group--) {
      for (const word of (words[group] ?? "").split(" ")) {
        const key = toKey(word, 0);
        const step = rule * GROUPS + group;
        const known = steps.get(key);
        if (known === undefined) steps.set(key, [step]);
        else if (known.at(-1) !== step) known.push(step);
      }
    }
  });
  return steps;
}

function findDue(text: string, rules: readonly InstructionRule[], steps: Steps): Uint8Array {
  const due = new Uint8Array(rules.length);
  // For each group, the position of the first word of the sequence that leads up to it.
  const starts = new Int32Array(rules.length * GROUPS).fill(-1);
  let isInside = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isLetter = code >= 97 && code <= 122;
    if (isLetter && !isInside) {
      const found = steps.get(toKey(text, at));
      if (found !== undefined) for (const step of found) take(step, at, rules, starts, due);
    }
    isInside = isLetter;
  }
  return due;
}

function take(step: number, at: number, rules: readonly InstructionRule[], starts: Int32Array, due: Uint8Array): void {
  const group = step % GROUPS;
  const rule = (step - group) / GROUPS;
  const { words, within } = rules[rule] ?? { words: [], within: 0 };
  const start = group === 0 ? at : (starts[step - 1] ?? -1);
  if (start < 0 || at - start > within) return;
  starts[step] = start;
  if (group === words.length - 1) due[rule] = 1;
}

/** The first letters of a word as a number. */
function toKey(text: string, from: number): number {
  let key = 0;
  for (let at = from; at < from + LETTERS; at++) {
    const code = text.charCodeAt(at);
    if (!(code >= 97 && code <= 122)) break;
    key = key * 32 + (code & 31);
  }
  return key;
}
