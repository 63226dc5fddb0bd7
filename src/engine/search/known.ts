import type { ExactPlaces } from "./exact.ts";
import type { FoundTerm } from "./postings.ts";
import { definitionsOf } from "./question.ts";
import type { Said } from "./said.ts";
import type { SearchIndex } from "./source.ts";
import { hasTrait, splitPath, TRAIT } from "./traits.ts";
import { FEW_FILES, KNOWN, LEADS } from "./weights.ts";
import { termsOfWord, wordsOf } from "./words.ts";

/** What the index knows about a piece of a query. */
export interface PieceVerdict {
  readonly said: Said;
  /**
   * Number of definitions with that name, and the place of the most likely one as `path:line`; empty if there is none.
   */
  readonly definitions: number;
  readonly definedAt: string;
  /** Number of files that contain it, out of `of`. */
  readonly files: number;
  readonly of: number;
  /** Lower and upper bound that the piece sets for the confidence of the answer. */
  readonly least: number;
  readonly most: number;
}

const FILE_NAME = /[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,9}$/;
/** `refundFee`, `refund_fee`: only code is written like this, whereas `GitHub` is an ordinary name. */
const CODE_NAME = /^[a-z][a-z0-9]*(?:[A-Z]|_[a-z0-9])|\w_\w|\d/;
/** What a question template ("where is X defined?") asks about, or a quotation, counts as a name in any spelling. */
const isMeant = ({ how }: Said) => how === "asked" || how === "quoted" || how === "whole";

/**
 * Pattern of a plain word, and maximum share of all files that may contain it, for it to count as a name without being
 * asked about explicitly.
 */
const PLAIN = /^[A-Za-z]?[a-z]{4,40}$/;
const RARE_SHARE = 0.005;

/** Plain words of a query that are names in this repository: defined there, and contained in hardly any file. */
export function findRareNames(index: SearchIndex, terms: readonly FoundTerm[], said: readonly Said[]): Said[] {
  const most = Math.max(FEW_FILES, RARE_SHARE * index.fileCount);
  const isSaid = (word: string) => said.some(({ text }) => text.includes(word));
  return terms.flatMap(({ said: word, places }) => {
    if (!PLAIN.test(word) || isSaid(word) || places.files.length === 0 || places.files.length > most) return [];
    const isDefined = index.definitionsNamed(word).some(({ definition }) => definition.name === word);
    return isDefined ? [{ text: word, name: word, owner: null, how: "plain" as const }] : [];
  });
}

/** Checks for each piece of a query whether the repository contains it. Contract: in the order of the pieces. */
export function knownOf(index: SearchIndex, exact: readonly ExactPlaces[]): PieceVerdict[] {
  return exact.map((own) => {
    const { said } = own;
    const definitions = definitionsOf(index, said);
    const [first] = [...definitions].sort(
      (one, other) => Number(isAside(index, one.file)) - Number(isAside(index, other.file)),
    );
    const counts = countFiles(index, own);
    const isFile = FILE_NAME.test(said.text) && filesCalled(index, said.text) > 0;
    return {
      said,
      definitions: definitions.length,
      definedAt: first === undefined ? "" : `${index.pathOf(first.file)}:${first.definition.line}`,
      ...counts,
      least: isFile ? KNOWN.file : leastOf(index, own, definitions.length, counts.files),
      most: isFile ? 1 : mostOf(index, own, definitions.length, counts.files),
    };
  });
}

function leastOf(index: SearchIndex, { said, places }: ExactPlaces, definitions: number, files: number): number {
  if (said.owner !== null && said.name !== null && !hasWord(index, said.owner)) return 0;
  if (said.how === "whole" && definitions + files > 0) return 1;
  if (definitions > 0) return said.how === "plain" ? KNOWN.stands : said.how === "token" ? 0 : KNOWN.defined;
  const isStem = isMeant(said) && said.name !== null && index.filesNamed(said.name).length > 0;
  if (isStem) return KNOWN.file;
  if (places.length > 0 && places.length <= FEW_FILES) return KNOWN.exact;
  if (said.how !== "token" && said.name !== null && CODE_NAME.test(said.name) && files > 0) return KNOWN.used;
  return isMeant(said) && files > 0 ? KNOWN.stands : 0;
}

/**
 * Upper bound of the confidence: something that is asked about but occurs nowhere is not in the repository; something
 * similar may still be what is meant.
 */
function mostOf(index: SearchIndex, { said, places }: ExactPlaces, definitions: number, files: number): number {
  if (!isMeant(said) || definitions + places.length + files > 0) return 1;
  return isPlain(said) && said.how !== "quoted" && hasWord(index, said.text) ? KNOWN.similar : 0;
}

/** Whether a piece is written like ordinary prose. */
function isPlain({ text }: Said): boolean {
  return /^[A-Za-z]?[a-z]+$/.test(text) || /\s/.test(text);
}

/** Number of files known to contain a piece literally, and the total number of files. */
function countFiles(
  index: SearchIndex,
  { said, having }: ExactPlaces,
): { readonly files: number; readonly of: number } {
  const [word = "", ...others] = wordsOf(said.text);
  const spread = index.spreadOf(termsOfWord(word)[0] ?? "");
  // If the index contains only some of the files, use the counts over all files.
  const files = spread !== null && others.length === 0 && having > 0 ? Math.max(having, spread.having) : having;
  return { files, of: spread?.of ?? index.fileCount };
}

function hasWord(index: SearchIndex, text: string): boolean {
  return wordsOf(text).some((word) => index.postings(termsOfWord(word)[0] ?? "").files.length > 0);
}

function filesCalled(index: SearchIndex, name: string): number {
  return index.filesNamed(splitPath(name).stem).filter((file) => index.pathOf(file).endsWith(name)).length;
}

/** Divisor that reduces the bonus of each item as the number of items grows. */
function amongMany(count: number): number {
  return Math.max(1, Math.log2(count) / 2);
}

function isAside(index: SearchIndex, file: number): boolean {
  return hasTrait(index, file, TRAIT.test | TRAIT.aside | TRAIT.prose);
}

/**
 * Score bonuses of files that define what a query asks about or contain it literally. Contract: a text that is defined
 * somewhere leads only to its definitions; the fewer files contain a text, the larger the bonus; `share` scales all
 * bonuses.
 */
export function leadsOf(index: SearchIndex, exact: readonly ExactPlaces[], share: number): ReadonlyMap<number, number> {
  const leads = new Map<number, number>();
  const raise = (file: number, gain: number, aside: number) => {
    const own = share * gain * (isAside(index, file) ? aside : 1);
    leads.set(file, Math.max(leads.get(file) ?? 0, own));
  };
  for (const { said, places } of exact) {
    const definitions = definitionsOf(index, said);
    if (isMeant(said) && said.how !== "whole") {
      const among = amongMany(definitions.length);
      for (const { file, definition } of definitions)
        raise(file, (definition.name === said.name ? LEADS.defined : LEADS.otherCase) / among, LEADS.aside);
    }
    // Product names look like code as well, and occur in a few files of their own repository.
    if (definitions.length > 0 || said.how === "code") continue;
    // A place that assigns a value counts as a definition, even in languages without a declaration keyword.
    const set = isMeant(said) && CODE_NAME.test(said.text) ? places.filter(({ isSet }) => isSet) : [];
    for (const { file } of set) raise(file, LEADS.defined / amongMany(set.length), LEADS.asideExact);
    if (set.length > 0) continue;
    const gain = LEADS.exact / Math.max(1, Math.log2(places.length));
    for (const { file } of places) raise(file, gain, LEADS.asideExact);
  }
  return leads;
}
