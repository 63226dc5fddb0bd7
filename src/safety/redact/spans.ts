import { MARK } from "./rules.ts";

/** A value, and where it starts in its text. */
export interface Span {
  readonly at: number;
  readonly value: string;
}

/** Hides the values at these positions. Contract: `spans` are in order; one that overlaps the one before is left out. */
export function hideSpans(text: string, spans: readonly Span[], hit: () => void): string {
  let out = "";
  let copied = 0;
  for (const { at, value } of spans) {
    if (at < copied) continue;
    out += text.slice(copied, at) + MARK;
    copied = at + value.length;
    hit();
  }
  return out + text.slice(copied);
}
