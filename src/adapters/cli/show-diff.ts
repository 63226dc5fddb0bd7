import { cutToWidth } from "../../base/display-width.ts";
import { sayAgo, toLocalTime } from "../../base/moment.ts";
import { cutText } from "../../base/text.ts";
import type { RunComparison } from "./compare-runs.ts";
import { type Cell, NAME_AND_TEXT, type Screen, shortenPath, table } from "./layout.ts";
import { sayPlace } from "./run-parts.ts";
import { shortId, toFigure } from "./run-words.ts";
import { safeLine, safeText } from "./safe-text.ts";

const INDENT = 2;
const MAX_QUESTION_CHARS = 300;

/** Formats a comparison for people. Contract: cannot control the terminal. */
export function printComparison(comparison: RunComparison, nowMs: number, screen: Screen): string {
  const { paint } = screen;
  const { tools, findings, limits, injected } = comparison;
  const changes = (
    title: string,
    { came, went, moved = [] }: { came: readonly string[]; went: readonly string[]; moved?: readonly string[] },
  ) => {
    const rows = [
      ...went.map((text): Cell[] => [{ text: "-", paint: paint.bad }, text]),
      ...came.map((text): Cell[] => [{ text: "+", paint: paint.good }, text]),
      ...moved.map((text): Cell[] => [{ text: "~", paint: paint.warning }, text]),
    ];
    return section(title, rows.length === 0 ? [[{ text: "the same", paint: paint.faint }]] : rows, screen);
  };
  const say = (own: Pick<RunComparison["findings"]["came"][number], "path" | "line" | "symbol">) =>
    [sayPlace(own), safeLine(own.symbol)].filter(Boolean).join("  ");
  const parts = [
    table(sides(comparison, nowMs, screen), {
      width: screen.columns,
      columns: [{}, { tooWide: "wrap", least: 12 }, { tooWide: "wrap", least: 12 }],
    }),
    changes("Tools", { came: tools.came.map(safeLine), went: tools.went.map(safeLine) }),
    changes("Findings", {
      came: findings.came.map((own) => `${say(own)} (now ${own.rank}.)`),
      went: findings.went.map((own) => `${say(own)} (was ${own.rank}.)`),
      moved: findings.moved.map((own) => `${say(own)} (was ${own.from}., now ${own.to}.)`),
    }),
    changes("Limits", { came: limits.came.map(safeLine), went: limits.went.map(safeLine) }),
    section("Injected text", [[{ text: sayInjected(injected), paint: paint.faint }]], screen, injected ?? []),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Facts about both runs side by side; differences are highlighted. */
function sides(comparison: RunComparison, nowMs: number, screen: Screen): Cell[][] {
  const { paint } = screen;
  const { key, run_id, created_at, repo, question, intent, outcome, duration_ms, tool_ms, injected_chars } = comparison;
  const row = <T>(name: string, { a, b }: { a: T; b: T }, toText: (value: T) => string): Cell[] => {
    const [first, second] = [toText(a), toText(b)];
    return [
      { text: name, paint: paint.faint },
      first,
      first === second ? { text: second, paint: paint.faint } : { text: second, paint: paint.warning },
    ];
  };
  const when = (iso: string) => `${toLocalTime(Date.parse(iso))} (${sayAgo(nowMs - Date.parse(iso))})`;
  const cut = (text: string) => cutText(safeLine(text), MAX_QUESTION_CHARS).text || "(not kept)";
  const toMs = (ms: number | null) => (ms === null ? "-" : `${toFigure(ms)} ms`);
  return [
    [
      { text: "", paint: paint.faint },
      ...[key.a, key.b].map((own) => ({ text: shortId({ key: own }), paint: paint.bold })),
    ],
    row("run", run_id, safeLine),
    row("when", created_at, when),
    row("repository", repo, (path) => safeLine(shortenPath(path, screen)) || "none"),
    row("question", question, cut),
    row("intent", intent, safeLine),
    row("outcome", outcome, safeLine),
    row("injected", injected_chars, (count) => `${toFigure(count)} characters`),
    row("time", duration_ms, toMs),
    ...Object.entries(tool_ms).map(([tool, times]) => row(safeLine(tool), times, toMs)),
  ];
}

function sayInjected(injected: readonly string[] | null): string {
  if (injected === null) return "not kept of both";
  return injected.length === 0 ? "the same" : "";
}

function section(
  title: string,
  rows: readonly (readonly Cell[])[],
  screen: Screen,
  diff: readonly string[] = [],
): string {
  const { paint, columns } = screen;
  const margin = " ".repeat(INDENT);
  const paints: Readonly<Record<string, (text: string) => string>> = {
    "+": paint.good,
    "-": paint.bad,
    "@": paint.accent,
  };
  const lines = diff.map((line) => {
    const text = safeText(line).replaceAll("\n", " ");
    return `${margin}${(paints[line.slice(0, 1)] ?? ((own) => own))(columns === null ? text : cutToWidth(text, columns - INDENT))}`;
  });
  const body = table(rows, { width: columns, indent: INDENT, columns: NAME_AND_TEXT });
  return [paint.bold(title), body, ...lines].filter(Boolean).join("\n");
}
