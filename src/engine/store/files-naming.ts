import { getOrMake } from "../../base/maps.ts";
import type { SearchIndex } from "../search/source.ts";
import { hasTrait, TRAIT } from "../search/traits.ts";
import { termsOfWord, wordsOf } from "../search/words.ts";

/** Files that contain a name anywhere in their text, ascending; all files that define or use it are among them. */
export function filesNaming(index: SearchIndex, name: string): number[] {
  // The first term of a name is the whole identifier.
  return filesWith(index, termsOfWord(name)[0] ?? "");
}

/**
 * Files that may define a symbol with this name, ascending: those that contain its first word, and those with lines too
 * long to be indexed. Null if the name has no word.
 */
export function filesDefining(index: SearchIndex, name: string): number[] | null {
  const word = wordsOf(name).find((own) => /^[A-Za-z_$]/.test(own));
  const term = word === undefined ? undefined : termsOfWord(word)[0];
  if (term === undefined) return null;
  const cut = filesCut(index);
  const found = filesWith(index, term);
  return cut.length === 0 ? found : [...new Set([...found, ...cut])].sort((one, other) => one - other);
}

function filesWith(index: SearchIndex, term: string): number[] {
  const { files, counts } = index.postings(term);
  return Array.from(files).filter((_, at) => (counts.body[at] ?? 0) > 0);
}

const known = new WeakMap<SearchIndex, readonly number[]>();

function filesCut(index: SearchIndex): readonly number[] {
  return getOrMake(known, index, () =>
    Array.from({ length: index.fileCount }, (_, file) => file).filter((file) => hasTrait(index, file, TRAIT.cut)),
  );
}
