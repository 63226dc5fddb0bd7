import { readInside, resolveInside } from "../base/jail.ts";
import { isNameOfSecret } from "../base/sensitive-ids.ts";
import { sliceWhole } from "../base/text.ts";
import { LIMITS, type Limit } from "../contract/limits.ts";
import type { Redaction } from "../contract/run-document.ts";
import { type GuardPolicy, guardLines } from "../lifecycle/guard.ts";
import type { FusedFinding } from "./fuse.ts";

/** A quoted range of lines of a file. */
export interface Snippet {
  readonly path: string;
  readonly tool: string;
  readonly startLine: number;
  readonly lines: readonly string[];
}

/** Snippets, and what was redacted or left out. */
export interface Snippets {
  readonly items: readonly Snippet[];
  readonly redactions: readonly Redaction[];
  readonly limits: readonly Limit[];
}

const MAX_SNIPPETS = 3;
const MAX_LINES = 20;
const MAX_FILE_BYTES = 500_000;
const MAX_TOTAL_CHARS = 6_000;
const MAX_LINE_CHARS = 240;
/**
 * Number of characters of a line that are cleaned: those that are shown, and enough context to recognise a secret that
 * starts in them.
 */
const MAX_CLEANED_CHARS = 4_000;
/** Context that is cleaned on either side of a quotation: a private key or a sentence may start before the cut. */
const MARGIN = { lines: 120, chars: 20_000 };
/** Findings below this share of the best confidence are named, not quoted. */
const QUOTED_SHARE = 0.6;

/**
 * Reads the lines of the best findings. Contract: applies jail and guard like all other reads; lines are cleaned
 * together with their context, so that a secret is found even if the cut hides its start.
 */
export function readSnippets(findings: readonly FusedFinding[], policy: GuardPolicy): Snippets {
  const items: Snippet[] = [];
  const redactions: Redaction[] = [];
  const limits: Limit[] = [];
  const best = findings[0]?.confidence ?? 0;
  let chars = 0;
  let cut = false;
  for (const finding of findings) {
    if (items.length >= MAX_SNIPPETS || chars >= MAX_TOTAL_CHARS) break;
    if (finding.line === null || finding.confidence < best * QUOTED_SHARE || isQuoted(items, finding)) continue;
    const place = resolveInside(policy.root, finding.path);
    if (!place.ok) continue;
    const file = readInside(policy.root, place.value.real, MAX_FILE_BYTES);
    if (!file.ok || file.value.text === null || file.value.cut) continue;
    if (file.value.sharedId !== null && isNameOfSecret(policy.root, file.value.sharedId)) continue;
    const span = finding.span ?? { start: finding.line, end: finding.line + 4 };
    const original = file.value.text.split("\n");
    const from = span.start - 1;
    const to = Math.min(span.end, from + MAX_LINES);
    const above = fitMargin(original.slice(Math.max(0, from - MARGIN.lines), from).reverse()).reverse();
    const below = fitMargin(original.slice(to, to + MARGIN.lines));
    const around = [...above, ...original.slice(from, to).map(toCleaned), ...below].join("\n");
    const clean = guardLines(around, { from: above.length, to: above.length + to - from });
    const lines = clean.value.map((line) => sliceWhole(line, MAX_LINE_CHARS));
    if (lines.length === 0) continue;
    const shown = lines.join("\n");
    if (shown !== original.slice(from, from + lines.length).join("\n")) {
      redactions.push(...clean.redactions);
      limits.push(...clean.limits);
    }
    cut ||= Math.min(span.end, original.length) > to;
    chars += shown.length;
    items.push({ path: finding.path, tool: finding.tool, startLine: span.start, lines });
  }
  return { items, redactions, limits: cut ? [...limits, LIMITS.snippetsCut()] : limits };
}

function toCleaned(line: string): string {
  return sliceWhole(line, MAX_CLEANED_CHARS);
}

/** Returns as many lines as fit, starting at the nearest. */
function fitMargin(lines: readonly string[]): string[] {
  let chars = 0;
  const cut = lines.map(toCleaned);
  const end = cut.findIndex((line) => {
    chars += line.length;
    return chars > MARGIN.chars;
  });
  return end < 0 ? cut : cut.slice(0, end);
}

function isQuoted(items: readonly Snippet[], { path, line }: FusedFinding): boolean {
  return items.some(
    (item) =>
      item.path === path && line !== null && line >= item.startLine && line < item.startLine + item.lines.length,
  );
}
