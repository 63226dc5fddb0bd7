import { cutToWidth, displayWidth, wrapToWidth } from "../../base/display-width.ts";
import { countOf, toOneLine } from "../../base/text.ts";
import { findClient } from "../../contract/clients.ts";
import type { Check, CheckStatus, DoctorReport } from "../../contract/doctor.ts";
import { guardOwn } from "../../lifecycle/guard.ts";

/** How a screen is to be written. */
export interface Screen {
  /** Columns of the terminal; null where lines may be as long as they are. */
  readonly columns: number | null;
  readonly hasColours: boolean;
  /** Shown as `~`. */
  readonly home: string | null;
}

const COLOURS = { ok: 32, warn: 33, fail: 31 } as const;
const BOLD = 1;
const ERASE = "\r\u001b[2K";
/** Narrower than this, nothing can be read anyway. */
const LEAST_COLUMNS = 40;
/** Columns in front of a check's name: the mark and its margins. */
const MARK_COLUMNS = 8;
const LABEL_COLUMNS = 10;

/** What `doctor --json` prints. Contract: text of files and programs is made harmless, secrets are hidden. */
export function printDoctorJson({ ok, checks }: DoctorReport): string {
  const clean = checks.map(({ group, name, status, measured, expected, remedy }) => ({
    group,
    name,
    status,
    measured: toOneLine(guardOwn(measured)),
    expected: toOneLine(guardOwn(expected)),
    remedy: toOneLine(guardOwn(remedy)),
  }));
  return `${JSON.stringify({ ok, checks: clean })}\n`;
}

/** The same for people: a line for each check, more where something is not as it should be, a summary at the end. */
export function printDoctor({ checks }: DoctorReport, screen: Screen): string {
  const shown = gatherAbsent(checks);
  const nameColumns = Math.max(...shown.map(({ name }) => displayWidth(name))) + 2;
  const parts = [...new Set(shown.map(({ group }) => group))].map((group) => {
    const own = shown.filter((check) => check.group === group);
    return [paint(group, BOLD, screen), ...own.flatMap((check) => toLines(check, nameColumns, screen))].join("\n");
  });
  return `${[...parts, toSummary(checks, screen)].join("\n\n")}\n`;
}

/** Groups by their titles. Clients of which there is nothing to say stand together, behind the others. */
function gatherAbsent(checks: readonly Check[]): Check[] {
  const isAlone = ({ group, status }: Check) =>
    status === "ok" && findClient(group) !== undefined && checks.filter((check) => check.group === group).length === 1;
  const titled = checks.map((check) =>
    isAlone(check)
      ? { ...check, group: "Other clients", name: titleOf(check.group) }
      : { ...check, group: titleOf(check.group) },
  );
  const lastClient = titled.findLastIndex((_, at) => findClient(checks[at]?.group ?? "") !== undefined);
  const clients = titled.slice(0, lastClient + 1);
  const isOther = ({ group }: Check) => group === "Other clients";
  return [...clients.filter((check) => !isOther(check)), ...clients.filter(isOther), ...titled.slice(lastClient + 1)];
}

/** A line that says how far the checks are; the empty one erases it. */
export function printDoctorProgress(done: number, total: number): string {
  return done === total ? ERASE : `${ERASE}Looking: ${done} of ${total}`;
}

function toLines({ name, status, measured, expected, remedy }: Check, nameColumns: number, screen: Screen): string[] {
  const mark = `  ${paint(status, COLOURS[status], screen)}${" ".repeat(MARK_COLUMNS - 2 - status.length)}`;
  const head = `${mark}${name}${" ".repeat(nameColumns - displayWidth(name))}`;
  const columns = screen.columns === null ? null : Math.max(LEAST_COLUMNS, screen.columns);
  const room = (used: number) => (columns === null ? Number.POSITIVE_INFINITY : columns - used);
  const found = show(measured, screen);
  if (status === "ok") return [`${head}${cutToWidth(found, room(MARK_COLUMNS + nameColumns))}`.trimEnd()];
  const below = ([label, text]: readonly [string, string]) =>
    wrapToWidth(show(text, screen), room(MARK_COLUMNS + LABEL_COLUMNS)).map(
      (line, at) => `${" ".repeat(MARK_COLUMNS)}${(at === 0 ? label : "").padEnd(LABEL_COLUMNS)}${line}`,
    );
  const rows = [
    ["found", measured],
    ["expected", expected],
    ["remedy", remedy],
  ] as const;
  return [head.trimEnd(), ...rows.flatMap(below)];
}

function toSummary(checks: readonly Check[], screen: Screen): string {
  const count = (status: CheckStatus) => checks.filter((check) => check.status === status).length;
  const [failed, warned] = [count("fail"), count("warn")];
  const told = [
    failed === 0 ? "" : paint(`${countOf(failed, "check")} failed`, COLOURS.fail, screen),
    warned === 0 ? "" : paint(countOf(warned, "warning"), COLOURS.warn, screen),
    failed + warned === 0 ? paint("All is well", COLOURS.ok, screen) : "",
    `${count("ok")} ok`,
  ];
  return `${told.filter(Boolean).join(", ")}.`;
}

/** A group by its name for people. */
function titleOf(group: string): string {
  if (group === "mcp") return "MCP";
  return findClient(group)?.title ?? `${group.slice(0, 1).toUpperCase()}${group.slice(1)}`;
}

/** A text as it may be shown on a terminal. */
function show(text: string, { home }: Screen): string {
  const line = toOneLine(guardOwn(text));
  return home === null || home === "/" ? line : line.replaceAll(`${home}/`, "~/");
}

function paint(text: string, code: number, { hasColours }: Screen): string {
  return hasColours ? `\u001b[${code}m${text}\u001b[0m` : text;
}
