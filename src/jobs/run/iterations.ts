import type { Pattern } from "./patterns.ts";
import { CARRIED } from "./texts.ts";

/** What decides whether Codex is called once more. */
interface IterationFacts {
  /** Calls so far that were no tries after an overflow. */
  readonly runs: number;
  readonly maxRuns: number;
  /** True where the run is over whatever was asked: cancelled, out of time, no codex. */
  readonly isOver: boolean;
  /** True where what ends the iterations was met, requirements included. */
  readonly isDone: boolean;
  readonly hasOverflow: boolean;
  readonly retriesLeft: number;
}

/** Tells what follows a call. Contract: pure; `retry` comes on top of the runs that were asked for. */
export function whatNext(facts: IterationFacts): "end" | "again" | "retry" {
  if (facts.isOver || facts.isDone) return "end";
  if (facts.hasOverflow && facts.retriesLeft > 0) return "retry";
  return facts.runs < facts.maxRuns ? "again" : "end";
}

const MAX_KEY_LINES = 200;

/**
 * What the next call is told of the one before: its last message, or the head of it and the lines that the patterns find.
 * Contract: pure.
 */
export function carryOver(
  lastMessage: string,
  how: { readonly compresses: boolean; readonly head: number; readonly grep: readonly Pattern[] },
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
