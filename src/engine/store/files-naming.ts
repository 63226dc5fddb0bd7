import type { SearchIndex } from "../search/source.ts";
import { termsOfWord } from "../search/words.ts";

/** Files that contain a name anywhere in their text, ascending; all files that define or use it are among them. */
export function filesNaming(index: SearchIndex, name: string): number[] {
  // The first term of a name is the whole identifier.
  const { files, counts } = index.postings(termsOfWord(name)[0] ?? "");
  return Array.from(files).filter((_, at) => (counts.body[at] ?? 0) > 0);
}
