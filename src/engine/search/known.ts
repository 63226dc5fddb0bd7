import type { ExactPlaces } from "./exact.ts";
import type { FoundTerm } from "./postings.ts";
import { definitionsOf } from "./question.ts";
import type { Said } from "./said.ts";
import type { SearchIndex } from "./source.ts";
import { splitPath, TRAIT } from "./traits.ts";
import { FEW_FILES, KNOWN, LEADS } from "./weights.ts";
import { termsOfWord, wordsOf } from "./words.ts";

/** What an index knows of a piece of a query. */
export interface Verdict {
  readonly said: Said;
  /** Definitions of that name, and where the likeliest stands: `path:line`; empty where there is none. */
  readonly definitions: number;
  readonly definedAt: string;
  /** Files that have it, of how many. */
  readonly files: number;
  readonly of: number;
  /** How sure the piece makes of an answer being here, and how sure one can be at the most. */
  readonly least: number;
  readonly most: number;
}

const FILE_NAME = /[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,9}$/;
/** `refundFee`, `refund_fee`: nobody writes so but in code, while `GitHub` is a name like others. */
const CODE_NAME = /^[a-z][a-z0-9]*(?:[A-Z]|_[a-z0-9])|\w_\w|\d/;
/** What a frame asks about, or a quotation, is a name however it is written. */
const isMeant = ({ how }: Said) => how === "asked" || how === "quoted" || how === "whole";

/** Letters that a plain word must have, and the share of all files that may have it, to be a name without being asked about. */
const PLAIN = /^[A-Za-z]?[a-z]{4,40}$/;
const RARE_SHARE = 0.005;

/** Words of a query that only look like others and are names here: hardly any file has them, and one defines them. */
export function findRareNames(index: SearchIndex, terms: readonly FoundTerm[], said: readonly Said[]): Said[] {
  const most = Math.max(FEW_FILES, RARE_SHARE * index.fileCount);
  const isSaid = (word: string) => said.some(({ text }) => text.includes(word));
  return terms.flatMap(({ said: word, places }) => {
    if (!PLAIN.test(word) || isSaid(word) || places.files.length === 0 || places.files.length > most) return [];
    const isDefined = index.definitionsNamed(word).some(({ definition }) => definition.name === word);
    return isDefined ? [{ text: word, name: word, owner: null, how: "plain" as const }] : [];
  });
}

/** Tells of each piece of a query whether it is of this repository. Contract: in the order of the pieces. */
export function knownOf(index: SearchIndex, exact: readonly ExactPlaces[]): Verdict[] {
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

/** What is asked about and stands nowhere is not here; what only looks like it may still be what is meant. */
function mostOf(index: SearchIndex, { said, places }: ExactPlaces, definitions: number, files: number): number {
  if (!isMeant(said) || definitions > 0 || places.length > 0) return 1;
  if (files > 0) return 1;
  return isPlain(said) && said.how !== "quoted" && hasWord(index, said.text) ? KNOWN.similar : 0;
}

/** A word that anybody may write in a sentence. */
function isPlain({ text }: Said): boolean {
  return /^[A-Za-z]?[a-z]+$/.test(text) || /\s/.test(text);
}

/** Files that have a piece word for word, as far as they were looked at, of how many. */
function countFiles(
  index: SearchIndex,
  { said, having }: ExactPlaces,
): { readonly files: number; readonly of: number } {
  const [word = "", ...others] = wordsOf(said.text);
  const spread = index.spreadOf(termsOfWord(word)[0] ?? "");
  // Where the index holds only some of the files, it has counted them all.
  const files = spread !== null && others.length === 0 && having > 0 ? Math.max(having, spread.having) : having;
  return { files, of: spread?.of ?? index.fileCount };
}

function hasWord(index: SearchIndex, text: string): boolean {
  return wordsOf(text).some((word) => index.postings(termsOfWord(word)[0] ?? "").files.length > 0);
}

function filesCalled(index: SearchIndex, name: string): number {
  return index.filesNamed(splitPath(name).stem).filter((file) => index.pathOf(file).endsWith(name)).length;
}

/** By how much one of so many counts less. */
function amongMany(count: number): number {
  return Math.max(1, Math.log2(count) / 2);
}

function isAside(index: SearchIndex, file: number): boolean {
  return ((index.traits[file] ?? 0) & (TRAIT.test | TRAIT.aside | TRAIT.prose)) !== 0;
}

/**
 * What files gain in rank for defining what a query asks about, or for having it word for word. Contract: a text that is
 * defined somewhere leads to its definitions alone; the fewer files have a text, the more it leads to them; `share` is what
 * all of it counts.
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
    // A name of a product is written like code as well, and stands in a few files of its own repository.
    if (definitions.length > 0 || said.how === "code") continue;
    // What is given its value somewhere is defined there, whatever language has no word for it.
    const set = isMeant(said) && CODE_NAME.test(said.text) ? places.filter(({ isSet }) => isSet) : [];
    for (const { file } of set) raise(file, LEADS.defined / amongMany(set.length), LEADS.asideExact);
    if (set.length > 0) continue;
    const gain = LEADS.exact / Math.max(1, Math.log2(places.length));
    for (const { file } of places) raise(file, gain, LEADS.asideExact);
  }
  return leads;
}
