import { once } from "../base/once.ts";
import { entriesWith, glossary } from "./glossary.ts";

/** Another way to write a term. */
interface Spelling {
  readonly text: string;
  /** Share of the term's weight; less than 1 because a translation is a guess. */
  readonly share: number;
}

/** A piece of a Chinese sentence: a glossary term with its English spellings, or two characters without any. */
interface ChinesePiece {
  readonly text: string;
  readonly english: readonly Spelling[];
}

/** Shares of the first, second and later translations of a term. */
const SHARES = [0.8, 0.6, 0.5];
const CHINESE_SHARE = 0.5;
/** Each spelling costs an additional search. */
const MAX_SPELLINGS = 5;
const MAX_SYNONYMS = 4;
const LONGEST_TERM = 8;
/** Function words, which name nothing. */
const PARTICLES =
  /[的了是在哪里裡吗嗎呢么麼什怎为為被把和与與这這那有个個我你他们們吧啊呀会會要能请請帮幫下给給]|代码|代碼/;

const english = once(() => new Map(glossary().flatMap(({ zh, en }) => zh.map((term) => [term, en] as const))));
const chinese = once(() => {
  const map = new Map<string, readonly string[]>();
  // Only the first word is typical; the others are too loose as translations.
  for (const { zh, en } of glossary()) if (en[0] !== undefined && !map.has(en[0])) map.set(en[0], zh);
  return map;
});

/**
 * Splits a run of Chinese characters into glossary terms, longest first, and character pairs between them. Contract:
 * terms whose English words are all `isIdle` are skipped, like particles; no piece is longer than the run.
 */
export function toEnglish(run: string, isIdle: (word: string) => boolean): ChinesePiece[] {
  const pieces: ChinesePiece[] = [];
  let rest = "";
  const flush = () => {
    pieces.push(...toPairs(rest));
    rest = "";
  };
  for (let at = 0; at < run.length; ) {
    const term = findTerm(run, at);
    if (term === null) {
      rest += run.charAt(at++);
      continue;
    }
    flush();
    const words = (english().get(term) ?? []).filter((word) => !isIdle(word));
    if (words.length > 0) pieces.push({ text: term, english: words.flatMap(toSpellings).slice(0, MAX_SPELLINGS) });
    at += term.length;
  }
  flush();
  return pieces;
}

/** Chinese spellings of an English word, as used in comments. */
export function translationsOf(word: string): Spelling[] {
  return (chinese().get(word) ?? []).map((text) => ({ text, share: CHINESE_SHARE }));
}

/** Single-word English synonyms of a word, from the glossary. */
export function synonymsOf(word: string): readonly string[] {
  const found: string[] = [];
  for (const { en } of entriesWith(word)) {
    const words = en.filter((own) => !own.includes("_"));
    // The other words of an entry are synonyms of its first word, not of each other.
    const others = words[0] === word ? words.slice(1) : words.includes(word) ? words.slice(0, 1) : [];
    for (const other of others) if (other !== word && !found.includes(other)) found.push(other);
  }
  return found.slice(0, MAX_SYNONYMS);
}

function findTerm(run: string, at: number): string | null {
  for (let length = Math.min(LONGEST_TERM, run.length - at); length > 0; length--) {
    const term = run.slice(at, at + length);
    if (english().has(term)) return term;
  }
  return null;
}

/** `thread_pool` stands for every way to join the two words in code and prose. */
function toSpellings(word: string, at: number): Spelling[] {
  const share = SHARES[Math.min(at, SHARES.length - 1)] ?? 0;
  const texts = word.includes("_") ? ["_", "", " "].map((glue) => word.replaceAll("_", glue)) : [word];
  return texts.map((text) => ({ text, share }));
}

function toPairs(run: string): ChinesePiece[] {
  const pieces: ChinesePiece[] = [];
  for (let at = 0; at + 1 < run.length; at++) {
    const text = run.slice(at, at + 2);
    if (!PARTICLES.test(text)) pieces.push({ text, english: [] });
  }
  return pieces;
}
