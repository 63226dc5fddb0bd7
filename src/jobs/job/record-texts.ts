import { cutText, toOneLine } from "../../base/text.ts";
import { defang } from "../../safety/defang/defang.ts";
import { filterInstructions } from "../../safety/instructions/filter.ts";
import { redact } from "../../safety/redact/redact.ts";
import { toTag } from "../run/session-paths.ts";
import { CLASSIFICATIONS, type Classification } from "../run/texts.ts";

/**
 * Records lie in the repository, so that anybody may have written them: nothing that one says reaches a client before it was
 * looked at here. What can be told from a list or a pattern is, and everything else is one short line without secrets,
 * frames and marks.
 */

/** How a record says that a run ended; what nobody knows is told by the exit code. */
export function toClassification(text: string, exitCode: number): Classification {
  return CLASSIFICATIONS.find((known) => known === text) ?? (exitCode === 0 ? "normal" : "error");
}

/** A number of tokens, in digits; empty where a record says anything else. */
export function toTokens(text: string): string {
  return /^\d{1,15}$/.test(text) ? text : "";
}

/** Free text of a record, as one line that may be shown. Contract: applying it twice changes nothing. */
export function toCleanLine(text: string, maxChars: number): string {
  return cutText(toOneLine(redact(defang(text.slice(0, 4 * maxChars))).text), maxChars).text;
}

/** The tag of a record; empty where it reads like an order. */
export function toCleanTag(text: string): string {
  const tag = toTag(text);
  return readsLikeOrder(tag) ? "" : tag;
}

/** True for a name that says something to a model: names are passed on as they are, because they are used again. */
export function readsLikeOrder(name: string): boolean {
  try {
    return filterInstructions(name.replace(/[-_.:]+/g, " ")).count > 0;
  } catch {
    // Without what it is judged by nobody can tell.
    return true;
  }
}
