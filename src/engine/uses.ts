import { innermost } from "./innermost.ts";
import type { IndexedDefinition, SearchIndex } from "./search/source.ts";
import { TRAIT } from "./search/traits.ts";
import { termsOfWord } from "./search/words.ts";

/** A place whose text names something that is defined elsewhere. */
export interface Use {
  readonly file: number;
  readonly line: number;
  /** The definition that the line stands in; null where it stands in none. */
  readonly inside: IndexedDefinition | null;
  readonly kind: "test" | "use" | "mention";
}

/** A name that more files have is everybody's, and says nothing. */
const COMMON = 60;

/**
 * Where a name is used, as far as words alone tell: for files whose calls are not known. Contract: one place a file, in
 * the order use, test, mention in prose; nothing for a name that many files have.
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
    // The first lines of a file bring names in; where they are used comes later.
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
