import { toSimplified } from "../../base/chinese.ts";
import { synonymsOf, toEnglish, translationsOf } from "../translate.ts";
import { toWordSet } from "../word-set.ts";
import { partsOf, termsOfWord, wholeTerm, wordsOf } from "./words.ts";

/** A spelling of a term in the index, and its share of the term's weight. */
interface TermSpelling {
  readonly term: string;
  readonly share: number;
}

/** A term of a query. */
export interface QueryTerm {
  /** Its first spelling; unique within a query. */
  readonly key: string;
  readonly spellings: readonly TermSpelling[];
  /** The word as first written. */
  readonly said: string;
  /** Number of mentions, used as the weight. */
  readonly weight: number;
}

const STOP = toWordSet(
  "a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my not of on or our " +
    "please should so than that the their them then there these they this to us use used uses using via was we were what when where " +
    "which while who why will with within without would you your",
);
/** Question words, which must not be used as translations. */
const isGrammar = (word: string) => STOP.has(word);
const MAX_WORDS = 4_000;
/** Weight of a glossary synonym relative to the word itself. */
const SYNONYM_SHARE = 0.5;
/** Weight factor of a single word of a multi-word translation. */
const PART_SHARE = 0.5;

/** Options of `toQueryTerms`. */
interface TermOptions {
  /** Words that carry no information in texts of this kind. */
  readonly isIdle?: (word: string) => boolean;
  /** Whether synonyms and translations count too: they help with a short question, not with a report. */
  readonly hasSynonyms: boolean;
}

/**
 * Extracts the terms of a text: whole identifiers and their parts, stemmed words, and Chinese via the glossary.
 * Contract: no duplicates, in order of first mention; stop words are left out unless there are no other words.
 */
export function toQueryTerms(text: string, { isIdle = () => false, hasSynonyms }: TermOptions): QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  const add: AddTerm = (key, said, spellings) => {
    const known = terms.get(key) ?? { key, said, spellings, weight: 0 };
    terms.set(key, { ...known, weight: known.weight + 1 });
  };
  const words = wordsOf(text).slice(0, MAX_WORDS);
  const addAll = (isLeftOut: (word: string) => boolean) => {
    for (const word of words) {
      if (isHanWord(word)) addChinese(word, add);
      else if (!isLeftOut(word.toLowerCase()))
        for (const term of termsOfWord(word)) add(term, word, spellWord(term, word, hasSynonyms));
    }
  };
  addAll((word) => STOP.has(word) || isIdle(word));
  if (terms.size === 0) addAll(() => false);
  return withinBudget([...terms.values()]);
}

/** Each spelling costs a posting list. Maximum number of spellings per term, and of additional spellings per query. */
const MOST_SPELLINGS = 4;
const MOST_OTHERS = 20;

/** Limits the spellings per term so that all terms fit into the budget; a translated word keeps its translation. */
function withinBudget(terms: readonly QueryTerm[]): QueryTerm[] {
  let most = MOST_SPELLINGS;
  const others = () => terms.reduce((sum, { spellings }) => sum + Math.min(most, spellings.length) - 1, 0);
  while (most > 2 && others() > MOST_OTHERS) most--;
  return terms.map((term) => ({ ...term, spellings: term.spellings.slice(0, most) }));
}

function isHanWord(word: string): boolean {
  return word.charCodeAt(0) >= 0x2e80;
}

/** Spellings of a word: the word itself, its synonyms, and its Chinese translations. */
function spellWord(term: string, word: string, hasSynonyms: boolean): TermSpelling[] {
  const spellings = [{ term, share: 1 }];
  if (!hasSynonyms) return spellings;
  for (const other of synonymsOf(word.toLowerCase())) {
    for (const part of partsOf(other)) if (part !== term) spellings.push({ term: part, share: SYNONYM_SHARE });
  }
  for (const { text, share } of translationsOf(word.toLowerCase())) {
    const pair = termsOfWord(text)[0];
    if (pair !== undefined) spellings.push({ term: pair, share });
  }
  return spellings;
}

type AddTerm = (key: string, said: string, spellings: readonly TermSpelling[]) => void;

function addChinese(run: string, add: AddTerm): void {
  for (const { text, english } of toEnglish(toSimplified(run), isGrammar)) {
    const spellings = new Map<string, number>(
      termsOfWord(text)
        .slice(0, 1)
        .map((pair) => [pair, 1]),
    );
    const put = (term: string, share: number) => spellings.set(term, Math.max(share, spellings.get(term) ?? 0));
    for (const { text: word, share } of english) {
      const parts = partsOf(word.replaceAll(" ", "_"));
      if (parts.length === 1) put(parts[0] ?? "", share);
      else {
        put(wholeTerm(parts.join("")), share);
        for (const part of parts) put(part, share * PART_SHARE);
      }
    }
    add(
      text,
      text,
      [...spellings].map(([term, share]) => ({ term, share })),
    );
  }
}
