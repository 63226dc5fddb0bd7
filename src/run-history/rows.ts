import { cutText } from "../base/text.ts";
import type { RunRow } from "../contract/run-history.ts";

/** A row of the store. */
export interface KeptRow extends Omit<RunRow, "created_at" | "tools" | "limits"> {
  readonly at: number;
  readonly hash: string;
  /** JSON. */
  readonly tools: string;
  /** JSON. */
  readonly limits: string;
  /** Codes of its limits, as JSON. */
  readonly codes: string;
  /** Tools that failed, as JSON. */
  readonly failed: string;
  /** How much of it has been counted for a team. */
  readonly shared: number;
}

/** Maximum number of characters of a prompt in lists. */
const MAX_SHOWN_CHARS = 200;

/** Converts a row to the form shown in lists. */
export function toRow({ at, hash, tools, limits, prompt, codes, failed, shared, ...row }: KeptRow): RunRow {
  return {
    ...row,
    created_at: new Date(at).toISOString(),
    tools: toTexts(tools),
    limits: toTexts(limits),
    prompt: cutText(prompt, MAX_SHOWN_CHARS).text,
  };
}

/** Parses a JSON list and returns its strings. */
export function toTexts(json: string): string[] {
  const value: unknown = JSON.parse(json);
  return Array.isArray(value) ? value.filter((own) => typeof own === "string") : [];
}
