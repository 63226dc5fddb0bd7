import { toStem } from "../../base/stem.ts";
import { type Spelling, toEnglish, translationsOf } from "../translate.ts";

/** A word of the question and how much it says. */
export interface Term {
  /** Lower-case stem, matched as part of a word. */
  readonly stem: string;
  /** The word as asked, for reasons that people read. */
  readonly word: string;
  readonly weight: number;
  /** The same in the other language, worth a share of the weight. */
  readonly others: readonly Spelling[];
}

const STOP_WORDS = new Set(
  (
    "a an and are as at be but by can could do does did for from had has have how i if in into is it its just me my no not now of on or our " +
    "please should so some such than that the their them then there these they this to up us was we were what when where which who why will " +
    "with would you your about after all also any because been before being between both during each few get gets got here let make makes " +
    "more most need needs only other over same since still take too under until very want while yet happens happen fix bug error issue " +
    "problem code file files function functions class method add use used using work works explain show tell find look change cannot " +
    "read reading property properties undefined null typeerror exception fails failed return returns ts js tsx jsx py src lib index"
  ).split(" "),
);

const MAX_TERMS = 24;
const SHORTEST_STEM = 4;
/** Words that are written like names in code. */
const NAME =
  /(?<![\w$])(?:[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)+|[a-z_$][a-z0-9$]*[A-Z][\w$]*|[A-Z][a-z0-9]+[A-Z][\w$]*|[A-Za-z]\w*_\w+)/g;
/** A name says this many times more than a word. */
const NAME_WEIGHT = 3;
/** Two Chinese characters taken out of a sentence say less than a word. */
const PAIR_WEIGHT = 0.5;

/** How words are matched: `semantic` allows for plural and tense, `keyword` takes them as they are. */
export type TermMode = "semantic" | "keyword";

/**
 * What a question asks for, names first, with translations as second spellings. Contract: stable order, no doubles, at
 * most 24.
 */
export function toTerms(query: string, mode: TermMode): Term[] {
  const terms = new Map<string, Term>();
  const add = (stem: string, word: string, weight: number, others: readonly Spelling[] = []) => {
    const known = terms.get(stem);
    if (stem.length >= 2 && weight > (known?.weight ?? 0)) {
      terms.set(stem, { stem, word: known?.word ?? word, weight, others });
    }
  };
  const addWord = (word: string) => {
    if (!STOP_WORDS.has(word)) {
      add(mode === "semantic" ? toStem(word, SHORTEST_STEM) : word, word, 1, translationsOf(word));
    }
  };
  const names = (query.match(NAME) ?? []).flatMap((name) => name.split(/\.|::|#|->/));
  for (const name of names) if (!STOP_WORDS.has(name.toLowerCase())) add(name.toLowerCase(), name, NAME_WEIGHT);
  for (const word of query.match(/[A-Za-z_$][\w$]{1,80}|\p{Script=Han}{2,60}/gu) ?? []) {
    if (!/\p{Script=Han}/u.test(word)) for (const part of splitIdentifier(word)) addWord(part);
    else
      for (const { text, english } of toEnglish(word, (part) => STOP_WORDS.has(part))) {
        add(text, text, english.length > 0 ? 1 : PAIR_WEIGHT, english);
      }
  }
  return [...terms.values()].slice(0, MAX_TERMS);
}

/** `parseHTTPHeader_v2` → parse, http, header, v2. */
export function splitIdentifier(word: string): string[] {
  return word
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part.length > 1)
    .map((part) => part.toLowerCase());
}

/** Most mentions that are counted: more say nothing new. */
const MOST_MENTIONS = 30;

/** How often a term stands in a lower-case text, whichever its spelling; a translation counts by its share. */
export function countTerm(term: Term, lower: string): number {
  let best = countWithin(lower, term.stem, false);
  for (const { text, share, isShort } of term.others) best = Math.max(best, share * countWithin(lower, text, isShort));
  return best;
}

/** 1 where a lower-case text has the term, the share of a translation where only that stands there, else 0. */
export function standsIn(term: Term, lower: string): number {
  if (lower.includes(term.stem)) return 1;
  return best(term.others, ({ text, isShort }) => countWithin(lower, text, isShort) > 0);
}

/** The same for the parts of a name: each may begin with the term. */
export function isNamed(term: Term, parts: readonly string[]): number {
  const joined = parts.join("");
  if (joined === term.stem || parts.some((part) => part.startsWith(term.stem))) return 1;
  return best(term.others, ({ text, isShort }) =>
    parts.some((part) =>
      isShort ? part === text : part.startsWith(text) || (text.length > 5 && joined.includes(text)),
    ),
  );
}

function best(spellings: readonly Spelling[], fits: (spelling: Spelling) => boolean): number {
  let share = 0;
  for (const spelling of spellings) if (spelling.share > share && fits(spelling)) share = spelling.share;
  return share;
}

/** How often a text stands in another, as a whole word where it is short. */
function countWithin(lower: string, text: string, isWhole: boolean): number {
  let count = 0;
  for (let at = lower.indexOf(text); at >= 0 && count < MOST_MENTIONS; at = lower.indexOf(text, at + text.length)) {
    if (!isWhole || !(isLetter(lower.charCodeAt(at - 1)) || isLetter(lower.charCodeAt(at + text.length)))) count++;
  }
  return count;
}

function isLetter(unit: number): boolean {
  return unit >= 97 && unit <= 122;
}
