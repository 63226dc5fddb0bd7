import { readSource } from "./build/read-source.ts";
import { toQueryTerms } from "./search/query.ts";
import { readTraits, TRAIT } from "./search/traits.ts";
import { isWhole } from "./search/words.ts";

/** How many files have a term, of how many. */
interface Spread {
  readonly having: number;
  readonly of: number;
}

/** The files that are worth reading for a question. */
export interface FirstLook {
  /** The most promising first. */
  readonly paths: readonly string[];
  /** How common each term of the question is among all files that were looked at. */
  readonly spreads: ReadonlyMap<string, Spread>;
  readonly seen: number;
}

/** What a first look may take. */
interface LookBudget {
  readonly hasTime: () => boolean;
  readonly pause: () => Promise<void>;
  readonly nowMs: () => number;
}

/** Terms beyond this cost a pass over all texts each, and the first ones say most. */
const MOST_TERMS = 24;
/** Shorter pieces are in every text. */
const SHORTEST = 3;
const PATH_GAIN = 2;
const ASIDE = 0.4;
const BATCH = 64;

/**
 * Chooses, without an index, the files that a question may be about: those that have its words at all. Reading everything
 * word by word would take several times as long. Contract: a function of files and question; ends in time with what
 * it has seen.
 */
export async function lookFirst(
  root: string,
  paths: readonly string[],
  query: string,
  { hasTime, pause, nowMs }: LookBudget,
): Promise<FirstLook> {
  const terms = toQueryTerms(query, { hasSynonyms: false }).slice(0, MOST_TERMS);
  const pieces = terms.map(({ key, said, spellings }) => ({
    key,
    // A whole identifier is kept as the stems of its parts, which is not how it stands in a text.
    texts: (isWhole(key) ? [said.toLowerCase()] : spellings.map(({ term }) => term))
      .map(toPiece)
      .filter((piece) => piece.length >= SHORTEST),
  }));
  const having = new Map<string, number>();
  const found: { readonly path: string; readonly inText: number; readonly inPath: number }[] = [];
  let seen = 0;
  for (const path of paths) {
    if (seen % BATCH === 0) {
      await pause();
      if (!hasTime()) break;
    }
    seen++;
    const content = readSource(root, path, nowMs())?.content ?? null;
    // Bytes as characters: names are ASCII, and Chinese is looked for as the bytes that it is written with.
    const text = content?.toString("latin1").toLowerCase() ?? "";
    const lower = Buffer.from(path.toLowerCase(), "utf8").toString("latin1");
    let inText = 0;
    let inPath = 0;
    pieces.forEach(({ key, texts }, at) => {
      if (texts.some((piece) => text.includes(piece))) {
        inText |= 1 << at;
        having.set(key, (having.get(key) ?? 0) + 1);
      }
      if (texts.some((piece) => lower.includes(piece))) inPath |= 1 << at;
    });
    if ((inText | inPath) !== 0) found.push({ path, inText, inPath });
  }
  const rarities = pieces.map(({ key }) => Math.log(1 + seen / (1 + (having.get(key) ?? 0))));
  const worthOf = (bits: number) =>
    rarities.reduce((sum, rarity, at) => sum + ((bits & (1 << at)) === 0 ? 0 : rarity), 0);
  const scored = found.map(({ path, inText, inPath }) => {
    const isAside = (readTraits(path, "") & (TRAIT.test | TRAIT.aside | TRAIT.prose)) !== 0;
    return { path, score: (worthOf(inText) + PATH_GAIN * worthOf(inPath)) * (isAside ? ASIDE : 1) };
  });
  return {
    paths: scored
      .sort((one, other) => other.score - one.score || (one.path < other.path ? -1 : 1))
      .map(({ path }) => path),
    spreads: new Map(pieces.map(({ key }) => [key, { having: having.get(key) ?? 0, of: seen }])),
    seen,
  };
}

/** What all words of a term begin with, as bytes: `retri` stands for retry and retries. */
function toPiece(term: string): string {
  const word = isWhole(term) ? term.slice(1) : term;
  return Buffer.from(word.replace(/i$/, ""), "utf8").toString("latin1");
}
