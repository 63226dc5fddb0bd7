import { cutToWidth, displayWidth } from "../../base/display-width.ts";
import { sayAgo, toLocalTime } from "../../base/moment.ts";
import { countOf } from "../../contract/count-of.ts";
import type { RunRow } from "../../contract/run-history.ts";
import { type Cell, type Column, paintLines, type Screen, table, wrap } from "./layout.ts";
import { askedBy, nameRepos, OUTCOME_COLOURS, sayQuestion, shortId, toFigure } from "./run-words.ts";
import { printSafeJson } from "./safe-text.ts";

/** A column of the list. */
interface ListColumn extends Column {
  readonly head: string;
  /** Width in a list that grows. */
  readonly steady: number;
  readonly cell: (row: RunRow) => Cell;
}

/** Maximum width of a repository's name. */
const REPO_COLUMNS = 16;
const QUESTION_COLUMNS = 24;

/** Content of the list. */
interface ListedRuns {
  readonly rows: readonly RunRow[];
  readonly nowMs: number;
  /** True if all runs are of one repository, which is then not shown. */
  readonly isOneRepo: boolean;
  /** Number of matching runs that are not in the list. */
  readonly more: number;
  /** Number of silent runs that the list leaves out. */
  readonly silent: number;
}

/** A run as output by `runs --json` and `--jsonl`. */
function toListed(row: RunRow) {
  const { run_id, created_at, repo, door, client, intent, injected_chars, duration_ms, tools, limits } = row;
  const { outcome, key, verdict, prompt } = row;
  const told = { run_id, created_at, repo, door, client, intent, injected_chars, duration_ms, tools, limits };
  return { ...told, outcome, key, verdict, prompt };
}

/** Formats runs as one JSON array. */
export function printRunsJson(rows: readonly RunRow[]): string {
  return printSafeJson(rows.map(toListed));
}

/** Formats runs as one JSON object per line. */
export function printRunsJsonl(rows: readonly RunRow[]): string {
  return rows.map((row) => printSafeJson(toListed(row))).join("");
}

/** Formats runs for people: one line each, then what the list leaves out. */
export function printRuns({ rows, nowMs, isOneRepo, more, silent }: ListedRuns, screen: Screen): string {
  const when = ({ created_at }: RunRow) => sayAgo(nowMs - Date.parse(created_at));
  const columns = columnsFor(screen, { when, isOneRepo, repos: rows.map(({ repo }) => repo) });
  const shown = columns.filter(({ head, cell }) => head !== "verdict" || rows.some((row) => cell(row) !== ""));
  const lines = [
    shown.map(({ head }) => ({ text: head, paint: screen.paint.faint })),
    ...rows.map((row) => shown.map(({ cell }) => cell(row))),
  ];
  const told = [
    more === 0 ? "" : `${countOf(more, "more run")}; all of them: --limit ${rows.length + more}`,
    silent === 0 ? "" : `${countOf(silent, "silent run")} left out; with them: --silent`,
  ].filter(Boolean);
  const below = told
    .map((line) => `${paintLines(wrap(line, { width: screen.columns }), screen.paint.faint)}\n`)
    .join("");
  return `${table(lines, { width: screen.columns, columns: shown })}\n${below === "" ? "" : `\n${below}`}`;
}

/** Formats runs for a growing list, with or without heads. Contract: columns keep their positions between calls. */
export function printFollowed(
  rows: readonly RunRow[],
  { isOneRepo, hasHead }: { readonly isOneRepo: boolean; readonly hasHead: boolean },
  screen: Screen,
): string {
  const when = ({ created_at }: RunRow) => toLocalTime(Date.parse(created_at)).slice(-8);
  const columns = columnsFor(screen, { when, isOneRepo, repos: [] }).filter(({ head }) => head !== "verdict");
  const pad = (cell: Cell, { steady, align }: ListColumn): Cell => {
    const { text, paint } = typeof cell === "string" ? { text: cell, paint: (own: string) => own } : cell;
    const space = " ".repeat(Math.max(0, steady - displayWidth(text)));
    return { text: align === "right" ? `${space}${text}` : `${text}${space}`, paint };
  };
  const heads = columns.map((column) => pad({ text: column.head, paint: screen.paint.faint }, column));
  const lines = rows.map((row) => columns.map((column) => pad(column.cell(row), column)));
  const all = hasHead ? [heads, ...lines] : lines;
  return all.map((line) => `${table([line], { width: screen.columns, columns })}\n`).join("");
}

function columnsFor(
  { paint }: Screen,
  {
    when,
    isOneRepo,
    repos,
  }: { readonly when: (row: RunRow) => string; readonly isOneRepo: boolean; readonly repos: readonly string[] },
): ListColumn[] {
  const nameOf = nameRepos(repos);
  const repository: ListColumn = {
    head: "repository",
    steady: REPO_COLUMNS,
    drop: 3,
    cell: ({ repo }) => cutToWidth(nameOf(repo), REPO_COLUMNS),
  };
  return [
    { head: "when", steady: 8, cell: when },
    {
      head: "outcome",
      steady: 8,
      cell: ({ outcome }) => ({ text: outcome, paint: paint[OUTCOME_COLOURS[outcome] ?? "bold"] }),
    },
    { head: "verdict", steady: 0, drop: 4, cell: ({ verdict }) => verdict ?? "" },
    ...(isOneRepo ? [] : [repository]),
    { head: "by", steady: 11, drop: 6, cell: (row) => cutToWidth(askedBy(row), REPO_COLUMNS) },
    {
      head: "chars",
      steady: 6,
      align: "right",
      drop: 5,
      cell: ({ injected_chars }) => (injected_chars === 0 ? "-" : toFigure(injected_chars)),
    },
    { head: "ms", steady: 6, align: "right", drop: 7, cell: ({ duration_ms }) => toFigure(duration_ms) },
    { head: "id", steady: 6, cell: (row) => ({ text: shortId(row), paint: paint.accent }) },
    {
      head: "question",
      steady: QUESTION_COLUMNS,
      tooWide: "cut",
      least: QUESTION_COLUMNS,
      cell: (row) => {
        const { text, isText } = sayQuestion(row);
        return isText ? text : { text, paint: paint.faint };
      },
    },
  ];
}
