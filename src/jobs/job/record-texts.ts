import { cutText, toOneLine } from "../../base/text.ts";
import { defang } from "../../safety/defang/defang.ts";
import { filterInstructions } from "../../safety/instructions/filter.ts";
import { redact } from "../../safety/redact/redact.ts";
import { toTag } from "../run/session-paths.ts";
import { type Classification, REASONS } from "../run/texts.ts";

/**
 * Records are stored in the repository, where anyone may have written them: nothing from a record reaches a client
 * before it has been checked here. Values that fit a list or a pattern pass; all other text becomes one short line
 * without secrets, frames and marks.
 */

/** Classification of a run according to a record; an unknown one is derived from the exit code. */
export function toClassification(text: string, exitCode: number): Classification {
  if (text === "error" || Object.hasOwn(REASONS, text)) return text as Classification;
  return exitCode === 0 ? "normal" : "error";
}

/** Token count in digits; empty if the record contains anything else. */
export function toTokens(text: string): string {
  return /^\d{1,15}$/.test(text) ? text : "";
}

/** Free text of a record as a single line that may be shown. Contract: idempotent. */
export function toCleanLine(text: string, maxChars: number): string {
  return cutText(toOneLine(redact(defang(text.slice(0, 4 * maxChars))).text), maxChars).text;
}

/** The tag of a record; empty if it reads like an instruction. */
export function toCleanTag(text: string): string {
  const tag = toTag(text);
  return readsLikeOrder(tag) ? "" : tag;
}

/**
 * True for a name that reads like an instruction to a model: names are passed on unchanged, because callers reuse them.
 */
export function readsLikeOrder(name: string): boolean {
  try {
    return filterInstructions(name.replace(/[-_.:]+/g, " ")).count > 0;
  } catch {
    // Without the rules nothing can be judged: assume the worst.
    return true;
  }
}
