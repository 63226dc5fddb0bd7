import type { SearchIndex } from "../search/source.ts";
import { termsOfWord } from "../search/words.ts";

/** Files that have a name anywhere in their text, ascending: whoever defines or uses it is among them. */
export function filesNaming(index: SearchIndex, name: string): number[] {
  // The first term of a name is the whole of it.
  const { files, counts } = index.postings(termsOfWord(name)[0] ?? "");
  return Array.from(files).filter((_, at) => (counts.body[at] ?? 0) > 0);
}
