import { type IndexedDefinition, innermost, type SearchIndex } from "./search/source.ts";
import { TRAIT } from "./search/traits.ts";
import { termsOfWord } from "./search/words.ts";

/** A place that mentions a name defined elsewhere. */
export interface Use {
  readonly file: number;
  readonly line: number;
  /** The definition that contains the line; null if there is none. */
  readonly inside: IndexedDefinition | null;
  readonly kind: "test" | "use" | "mention";
}

/** A name in more files than this is too common to be informative. */
const COMMON = 60;

/**
 * Finds uses of a name by words alone, for files whose calls are not known. Contract: one place per file, ordered use,
 * test, mention in prose; empty for a name that occurs in many files.
 */
export function findUses(index: SearchIndex, name: string, definedIn: number): Use[] {
  const { files, counts, linesAt } = index.postings(termsOfWord(name)[0] ?? "");
  if (files.length > COMMON) return [];
  const uses: Use[] = [];
  for (let at = 0; at < files.length; at++) {
    const file = files[at] ?? 0;
    if ((counts.body[at] ?? 0) === 0) continue;
    const traits = index.traits[file] ?? 0;
    const definitions = index.definitionsIn(file);
    // The first lines of a file tend to be imports; actual uses come later.
    const places = Array.from(linesAt(at), (line) => ({ line, inside: innermost(definitions, line) }));
    const isHere = file === definedIn;
    const place =
      places.find(({ inside }) => inside !== null && !(isHere && inside.name === name)) ??
      (isHere ? undefined : places.at(-1));
    if (place === undefined) continue;
    const kind = (traits & TRAIT.test) !== 0 ? "test" : (traits & TRAIT.prose) !== 0 ? "mention" : "use";
    uses.push({ file, ...place, kind });
  }
  const order = ["use", "test", "mention"];
  return uses.sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
}
