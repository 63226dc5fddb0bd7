import { yieldToEvents } from "../base/timers.ts";
import { readSource } from "./build/read-source.ts";
import { toQueryTerms } from "./search/query.ts";
import type { Spread } from "./search/source.ts";
import { readTraits, TRAIT } from "./search/traits.ts";
import { isWhole } from "./search/words.ts";

/** The files worth reading for a question. */
export interface FirstLook {
  /** Most promising first. */
  readonly paths: readonly string[];
  /** How common each term of the question is among all files that were scanned. */
  readonly spreads: ReadonlyMap<string, Spread>;
  readonly seen: number;
}

/** Time limits of a first look. */
interface LookBudget {
  readonly hasTime: () => boolean;
  readonly nowMs: () => number;
}

/** Maximum number of terms. Each costs a pass over all texts, and the first ones matter most. */
const MOST_TERMS = 24;
/** Minimum length of a searched string; shorter ones occur in every text. */
const SHORTEST = 3;
const PATH_GAIN = 2;
const ASIDE = 0.4;
const BATCH = 64;

/**
 * Selects, without an index, the files that a question may be about: those that contain any of its words. Tokenising
 * everything would take several times as long. Contract: depends only on the files and the question; stops with partial
 * results when time runs out.
 */
export async function lookFirst(
  root: string,
  paths: readonly string[],
  query: string,
  { hasTime, nowMs }: LookBudget,
): Promise<FirstLook> {
  const terms = toQueryTerms(query, { hasSynonyms: false }).slice(0, MOST_TERMS);
  const pieces = terms.map(({ key, said, spellings }) => ({
    key,
    // A whole-identifier term consists of the stems of its parts, which is not how the identifier is written.
    texts: (isWhole(key) ? [said.toLowerCase()] : spellings.map(({ term }) => term))
      .map(toPiece)
      .filter((piece) => piece.length >= SHORTEST),
  }));
  const having = new Map<string, number>();
  const found: { readonly path: string; readonly inText: number; readonly inPath: number }[] = [];
  let seen = 0;
  for (const path of paths) {
    if (seen % BATCH === 0) {
      await yieldToEvents();
      if (!hasTime()) break;
    }
    seen++;
    const content = readSource(root, path, nowMs())?.content ?? null;
    // Decode bytes as Latin-1: names are ASCII, and Chinese is matched by its UTF-8 bytes.
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

/**
 * The prefix shared by all words of a term, as Latin-1 bytes: `retri` becomes `retr`, which matches retry and retries.
 */
function toPiece(term: string): string {
  const word = isWhole(term) ? term.slice(1) : term;
  return Buffer.from(word.replace(/i$/, ""), "utf8").toString("latin1");
}
