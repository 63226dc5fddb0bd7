import { cutText, toOneLine } from "../base/text.ts";
import { LIMITS, type Limit } from "../contract/limits.ts";
import type { StructuredFinding } from "../contract/run-document.ts";
import type { Finding } from "../contract/tool.ts";

const MAX_ITEMS = 12;
const MAX_SUMMARY_CHARS = 240;

/** A finding with its source and the facts determined by fusion. */
export interface FusedFinding extends Finding {
  readonly truncated: boolean;
  readonly conflict: boolean;
  readonly at: string;
  readonly version: string;
}

/** The findings that are kept, in the two orders in which they are shown. */
export interface Fused {
  /** Ordered by tool, path, symbol, confidence and summary: for people and for `structured`. */
  readonly byKey: readonly FusedFinding[];
  /** The same findings ordered by relevance: for the model. */
  readonly byRelevance: readonly FusedFinding[];
  readonly total: number;
  readonly limits: readonly Limit[];
}

/** Returns when a tool answered, and its version. */
type SourceOf = (tool: string) => { readonly at: string; readonly version: string };

/**
 * Merges the findings of all tools. Contract: depends on the findings only; of duplicates by tool, path, symbol and
 * title, the one with the highest confidence is kept; contradicting claims are both kept and marked; at most 12
 * findings remain.
 */
export function fuse(findings: readonly Finding[], sourceOf: SourceOf): Fused {
  const unique = new Map<string, Finding>();
  for (const finding of findings.toSorted(compareByKey)) {
    const key = keyOf(finding);
    const known = unique.get(key);
    if (known === undefined || finding.confidence > known.confidence) unique.set(key, finding);
  }
  const all = [...unique.values()];
  const disputed = findDisputed(all);
  const byRelevance = chooseBest(all)
    .sort((a, b) => b.confidence - a.confidence || compareByKey(a, b))
    .map((finding) => toFused(finding, disputed, sourceOf(finding.tool)));
  return {
    byRelevance,
    byKey: byRelevance.toSorted(compareByKey),
    total: all.length,
    limits: all.length > MAX_ITEMS ? [LIMITS.itemsCut(MAX_ITEMS, all.length)] : [],
  };
}

/**
 * Returns the 12 most relevant findings. Relevance is relative to the tool's best finding, so that tools with low
 * scores are represented too.
 */
function chooseBest(findings: readonly Finding[]): Finding[] {
  const best = new Map<string, number>();
  for (const { tool, confidence } of findings) best.set(tool, Math.max(best.get(tool) ?? 0, confidence));
  const relevance = ({ tool, confidence }: Finding) => confidence / (best.get(tool) || 1);
  return findings.toSorted((a, b) => relevance(b) - relevance(a) || compareByKey(a, b)).slice(0, MAX_ITEMS);
}

function toFused(finding: Finding, disputed: ReadonlySet<string>, source: ReturnType<SourceOf>): FusedFinding {
  const { text, truncated } = cutText(toOneLine(finding.summary), MAX_SUMMARY_CHARS);
  const conflict = finding.claim !== undefined && disputed.has(finding.claim.key);
  return { ...finding, summary: text, truncated, conflict, at: source.at, version: source.version };
}

/** Keys of claims that one finding supports and another opposes. */
function findDisputed(findings: readonly Finding[]): Set<string> {
  const sides = new Map<string, Set<string>>();
  for (const { claim } of findings) {
    if (claim === undefined || claim.key === "") continue;
    sides.set(claim.key, (sides.get(claim.key) ?? new Set()).add(claim.polarity));
  }
  return new Set([...sides].filter(([, seen]) => seen.has("support") && seen.has("oppose")).map(([key]) => key));
}

function keyOf({ tool, path, symbol, title }: Finding): string {
  return [tool, path, symbol, title].map((part) => toOneLine(part) || "-").join("\u0000");
}

function compareByKey(a: Finding, b: Finding): number {
  return (
    compare(a.tool, b.tool) ||
    compare(a.path, b.path) ||
    compare(a.symbol, b.symbol) ||
    b.confidence - a.confidence ||
    compare(a.summary, b.summary) ||
    compare(a.title, b.title)
  );
}

// Not localeCompare: the order must not depend on the user's locale.
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Converts a finding to its form in the document. */
export function toStructured(finding: FusedFinding): StructuredFinding {
  const { tool, path, line, symbol, title, summary, confidence, truncated, conflict, at, version } = finding;
  return {
    tool,
    path,
    line,
    symbol,
    title,
    summary,
    confidence,
    truncated,
    conflict,
    provenance: { tool, at, version },
  };
}
