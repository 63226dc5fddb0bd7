/** A word of the question and how much it says. */
export interface Term {
  /** Lower-case stem, matched as part of a word. */
  readonly stem: string;
  /** The word as asked, for reasons that people read. */
  readonly word: string;
  readonly weight: number;
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
/** Characters that tie a Chinese sentence together and name nothing. */
const PARTICLES = /[的了是在哪里吗呢么什怎为被把和与这那有个我你他们吧啊呀会要能请帮下给]|代码|代碼/;

/** Words that are written like names in code. */
const NAME =
  /(?<![\w$])(?:[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)+|[a-z_$][a-z0-9$]*[A-Z][\w$]*|[A-Z][a-z0-9]+[A-Z][\w$]*|[A-Za-z]\w*_\w+)/g;
/** A name says this many times more than a word. */
const NAME_WEIGHT = 3;
/** Two Chinese characters taken out of a sentence say less than a word. */
const PAIR_WEIGHT = 0.5;

/** How words are matched: `semantic` allows for plural and tense, `keyword` takes them as they are. */
export type TermMode = "semantic" | "keyword";

/** What a question asks for, names first. Contract: stable order, no doubles, at most 24. */
export function toTerms(query: string, mode: TermMode): Term[] {
  const terms = new Map<string, Term>();
  const add = (stem: string, word: string, weight: number) => {
    const known = terms.get(stem);
    if (stem.length >= 2 && weight > (known?.weight ?? 0)) terms.set(stem, { stem, word: known?.word ?? word, weight });
  };
  const addWord = (word: string) => {
    if (!STOP_WORDS.has(word)) add(mode === "semantic" ? stemOf(word) : word, word, 1);
  };
  const names = (query.match(NAME) ?? []).flatMap((name) => name.split(/\.|::|#|->/));
  for (const name of names) if (!STOP_WORDS.has(name.toLowerCase())) add(name.toLowerCase(), name, NAME_WEIGHT);
  for (const word of query.match(/[A-Za-z_$][\w$]{1,80}|\p{Script=Han}{2,20}/gu) ?? []) {
    if (/\p{Script=Han}/u.test(word)) for (const pair of pairsOf(word)) add(pair, pair, PAIR_WEIGHT);
    else for (const part of splitIdentifier(word)) addWord(part);
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

/** A light stem: enough for plural and tense, never shorter than four letters. */
function stemOf(word: string): string {
  if (word.length <= 4) return word;
  return word.replace(/(?:ations?|ings?|ers?|ies|ied|es|ed|s|ly)$/, (ending) =>
    word.length - ending.length >= 4 ? "" : ending,
  );
}

function pairsOf(word: string): string[] {
  const letters = [...word];
  return letters
    .slice(1)
    .flatMap((letter, at) => (PARTICLES.test(`${letters[at]}${letter}`) ? [] : [`${letters[at]}${letter}`]));
}
