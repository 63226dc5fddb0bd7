import { diffLines } from "../../base/line-diff.ts";
import type { StructuredFinding } from "../../contract/run-document.ts";
import type { RunDetail } from "../../contract/run-history.ts";
import { readDocument } from "./kept-document.ts";

/** A finding and its rank in a run, starting at 1. */
interface Ranked {
  readonly path: string;
  readonly line: number | null;
  readonly symbol: string;
  readonly rank: number;
}

/** Items that only the second list has, and items that only the first has. */
interface Change<T> {
  readonly came: readonly T[];
  readonly went: readonly T[];
}

interface Pair<T> {
  readonly a: T;
  readonly b: T;
}

/** Differences between two runs. */
export type RunComparison = Readonly<ReturnType<typeof compareRuns>>;

/** Compares two runs. Contract: pure; findings with the same path and name are the same, even if their lines differ. */
export function compareRuns(first: RunDetail, second: RunDetail) {
  const pair = <T>(read: (detail: RunDetail) => T): Pair<T> => ({ a: read(first), b: read(second) });
  const findings = pair(rankFindings);
  const [old, now] = [byName(findings.a), byName(findings.b)];
  const moved = findings.b.flatMap((own) => {
    const { rank: to, ...found } = own;
    const from = old.get(nameOf(own))?.rank ?? to;
    return from === to ? [] : [{ ...found, from, to }];
  });
  return {
    run_id: pair(({ row }) => row.run_id),
    key: pair(({ row }) => row.key),
    created_at: pair(({ row }) => row.created_at),
    repo: pair(({ row }) => row.repo),
    question: pair((detail) => readDocument(detail)?.inputs.prompt ?? detail.row.prompt),
    intent: pair(({ row }) => row.intent),
    outcome: pair(({ row }) => row.outcome),
    duration_ms: pair(({ row }) => row.duration_ms),
    /** Milliseconds of each tool that ran in either run; null if it did not run. */
    tool_ms: compareTimes(first, second),
    tools: changeOf(pair(({ row }) => row.tools)),
    findings: {
      came: findings.b.filter((own) => !old.has(nameOf(own))),
      went: findings.a.filter((own) => !now.has(nameOf(own))),
      moved,
    },
    limits: changeOf(pair(({ row }) => row.limits)),
    injected_chars: pair(({ row }) => row.injected_chars),
    /** Line diff of the injected texts; null if one of them is not stored. */
    injected: isKept(first) && isKept(second) ? diffLines(toLines(first.injected), toLines(second.injected)) : null,
  };
}

function rankFindings(detail: RunDetail): Ranked[] {
  const found: readonly StructuredFinding[] = readDocument(detail)?.fused_context.for_model.structured.findings ?? [];
  const ranked = found.map(({ path, line, symbol }, at) => ({ path, line, symbol, rank: at + 1 }));
  // Of duplicates, the best rank counts.
  return [...byName(ranked.toReversed()).values()].sort((one, other) => one.rank - other.rank);
}

const nameOf = ({ path, line, symbol }: Omit<Ranked, "rank">) =>
  JSON.stringify(symbol === "" ? [path, line] : [path, symbol]);

function byName(findings: readonly Ranked[]): Map<string, Ranked> {
  return new Map(findings.map((own) => [nameOf(own), own]));
}

function changeOf({ a, b }: Pair<readonly string[]>): Change<string> {
  return { came: b.filter((own) => !a.includes(own)), went: a.filter((own) => !b.includes(own)) };
}

function compareTimes(first: RunDetail, second: RunDetail): Record<string, Pair<number | null>> {
  const timesOf = ({ timeline }: RunDetail) => {
    const times = new Map<string, number>();
    for (const { tool, duration_ms } of timeline)
      if (tool !== undefined) times.set(tool, Math.round(((times.get(tool) ?? 0) + duration_ms) * 10) / 10);
    return times;
  };
  const [a, b] = [timesOf(first), timesOf(second)];
  const names = [...new Set([...a.keys(), ...b.keys()])].sort();
  return Object.fromEntries(names.map((tool) => [tool, { a: a.get(tool) ?? null, b: b.get(tool) ?? null }]));
}

/** A run that injected nothing has no text to store, so the text counts as stored. */
function isKept({ row, document }: RunDetail): boolean {
  return document !== null || row.injected_chars === 0;
}

function toLines(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
