import type { Redaction } from "../contract/run-document.ts";
import { hideColumns } from "./redact-columns.ts";
import { hideOutsideFrames } from "./redact-frames.ts";
import { hideNamed } from "./redact-named.ts";
import { hidePrivateKeys } from "./redact-pem.ts";
import { PLACES } from "./redact-places.ts";
import { hideRandom } from "./redact-random.ts";
import { MARK, PREFIXED, type RedactionRule, STRUCTURES } from "./redact-rules.ts";

/** A pass can uncover what the next one sees; two are usual, more only happen on hostile text. */
const MAX_PASSES = 4;

const RULES: readonly RedactionRule[] = [...STRUCTURES, ...PREFIXED, ...PLACES];

/** Text with its secrets hidden, and how many of each kind there were. */
export interface RedactedText {
  readonly text: string;
  readonly redactions: readonly Redaction[];
}

/** Hides secrets. Contract: linear in the text; the number of lines stays the same; applying it twice changes nothing. */
export function redact(text: string): RedactedText {
  const counts = new Map<string, number>();
  const hit = (kind: string) => void counts.set(kind, (counts.get(kind) ?? 0) + 1);
  let out = text;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = out;
    out = runPass(out, hit);
    if (out === before) break;
  }
  return { text: out, redactions: [...counts].map(([kind, count]) => ({ kind, count })) };
}

/** Private keys first, since they are framed; then everything outside the frames of what is public. */
function runPass(text: string, hit: (kind: string) => void): string {
  if (text.length < 6) return text;
  return hideOutsideFrames(hidePrivateKeys(text, hit), (part) => hidePart(part, hit));
}

/** Structures first, so that parts of them are not taken for something else; names next; what only looks random last. */
function hidePart(text: string, hit: (kind: string) => void): string {
  let out = text;
  for (const rule of RULES) out = applyRule(out, rule, hit);
  return hideRandom(hideNamed(hideColumns(out, hit), hit), hit);
}

function applyRule(text: string, rule: RedactionRule, hit: (kind: string) => void): string {
  if (rule.hints.length > 0 && !rule.hints.some((hint) => text.includes(hint))) return text;
  return text.replace(rule.pattern(), (whole: string, kept: string) => {
    if (rule.accepts !== undefined && !rule.accepts(whole.slice(kept.length))) return whole;
    hit(rule.kind);
    return `${rule.shown?.(kept) ?? kept}${MARK}`;
  });
}

/** Adds redaction counts of several texts, sorted by kind. */
export function sumRedactions(lists: readonly (readonly Redaction[])[]): Redaction[] {
  const counts = new Map<string, number>();
  for (const { kind, count } of lists.flat()) counts.set(kind, (counts.get(kind) ?? 0) + count);
  return [...counts].map(([kind, count]) => ({ kind, count })).sort((a, b) => (a.kind < b.kind ? -1 : 1));
}
