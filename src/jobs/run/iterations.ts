import type { UserPattern } from "./patterns.ts";
import { CARRIED } from "./texts.ts";

interface IterationFacts {
  /** Number of calls so far, without retries after an overflow. */
  readonly runs: number;
  readonly maxRuns: number;
  /** True if the run must end regardless of the options: cancelled, timed out, no codex. */
  readonly isOver: boolean;
  /** True if the condition that ends the iterations is met, requirements included. */
  readonly isDone: boolean;
  readonly hasOverflow: boolean;
  readonly retriesLeft: number;
}

/** Decides what follows a call. Contract: pure; a `retry` is in addition to the requested runs. */
export function whatNext(facts: IterationFacts): "end" | "again" | "retry" {
  if (facts.isOver || facts.isDone) return "end";
  if (facts.hasOverflow && facts.retriesLeft > 0) return "retry";
  return facts.runs < facts.maxRuns ? "again" : "end";
}

const MAX_KEY_LINES = 200;

/**
 * Returns what the next call learns of the previous one: its last message, or the first lines of it and those that
 * match the patterns. Contract: pure.
 */
export function carryOver(
  lastMessage: string,
  how: { readonly compresses: boolean; readonly head: number; readonly grep: readonly UserPattern[] },
): string {
  const text = lastMessage.trimEnd();
  if (text === "") return CARRIED.none;
  if (!how.compresses) return text;
  const lines = text.split("\n");
  const found = new Set(lines.filter((line) => how.grep.some((pattern) => pattern.matches(line))));
  const keyLines = [...found].slice(0, MAX_KEY_LINES);
  return [
    CARRIED.head(how.head),
    ...lines.slice(0, how.head),
    ...(keyLines.length === 0 ? [] : ["", CARRIED.keyLines, ...keyLines]),
  ].join("\n");
}
