import { sliceWhole } from "../base/text.ts";
import type { Clues } from "../contract/tool.ts";
import { kindOf } from "../engine/search/query-kind.ts";

/** Maximum length of a planned query. */
const MAX_CHARS = 8_000;

/**
 * The query for a prompt: the text of an issue alone; otherwise an error and the prompt's text; otherwise the names
 * that it refers to and its text. All tools that search use the same query, so that it is answered only once.
 */
export function toPlannedQuery({ query, symbols, paths, error }: Clues): string {
  if (kindOf(query) === "issue") return sliceWhole(query, MAX_CHARS);
  if (error !== "") return sliceWhole(`${error} ${query}`, MAX_CHARS);
  // The referents of a follow-up ("it") come from earlier prompts; names that the prompt contains are not repeated.
  const meant = [...symbols, ...paths].filter((name) => !query.includes(name));
  return sliceWhole([...meant, query].join(" "), MAX_CHARS);
}
