import { sliceWhole } from "../base/text.ts";
import type { Clues } from "../contract/tool.ts";
import { kindOf } from "../engine/search/query-kind.ts";

/** Most characters of a planned query. */
const MAX_CHARS = 8_000;

/**
 * What a prompt is searched for: its own text, what it means besides, and an error before all. All tools that search ask
 * the same, so that it is answered once.
 */
export function toPlannedQuery({ query, symbols, paths, error }: Clues): string {
  if (kindOf(query) === "issue") return sliceWhole(query, MAX_CHARS);
  if (error !== "") return sliceWhole(`${error} ${query}`, MAX_CHARS);
  // What a follow-up means by "it" comes from before; what the prompt says itself is not said twice.
  const meant = [...symbols, ...paths].filter((name) => !query.includes(name));
  return sliceWhole([...meant, query].join(" "), MAX_CHARS);
}
