import { cutToWidth, displayWidth, wrapToWidth } from "../../base/display-width.ts";
import { toOneLine } from "../../base/text.ts";
import { findClient } from "../../contract/clients.ts";
import { countOf } from "../../contract/count-of.ts";
import type { Check, CheckStatus, DoctorReport } from "../../contract/doctor.ts";
import { guardOwn } from "../../lifecycle/guard.ts";
import { type Screen, shortenPath } from "./layout.ts";

const COLOURS = { ok: "good", warn: "warning", fail: "bad" } as const;
const ERASE = "\r\u001b[2K";
/** Columns before a check's name: the mark and its margins. */
const MARK_COLUMNS = 8;
const LABEL_COLUMNS = 10;

/** Formats the output of `doctor --json`. Contract: text from files and programs is sanitised, secrets are redacted. */
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

/** The same for people: a line for each check, details of problems, and a summary at the end. */
export function printDoctor({ checks }: DoctorReport, screen: Screen): string {
  const shown = gatherAbsent(checks);
  const nameColumns = Math.max(...shown.map(({ name }) => displayWidth(name))) + 2;
  const parts = [...new Set(shown.map(({ group }) => group))].map((group) => {
    const own = shown.filter((check) => check.group === group);
    return [screen.paint.bold(group), ...own.flatMap((check) => toLines(check, nameColumns, screen))].join("\n");
  });
  return `${[...parts, toSummary(checks, screen)].join("\n\n")}\n`;
}

/** Replaces groups by their titles. Clients with only one passed check are grouped after the others. */
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

/** Formats the progress line; the final, empty one erases it. */
export function printDoctorProgress(done: number, total: number): string {
  return done === total ? ERASE : `${ERASE}Looking: ${done} of ${total}`;
}

function toLines({ name, status, measured, expected, remedy }: Check, nameColumns: number, screen: Screen): string[] {
  const mark = `  ${screen.paint[COLOURS[status]](status)}${" ".repeat(MARK_COLUMNS - 2 - status.length)}`;
  const head = `${mark}${name}${" ".repeat(nameColumns - displayWidth(name))}`;
  const room = (used: number) => Math.max(1, (screen.columns ?? Number.POSITIVE_INFINITY) - used);
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

function toSummary(checks: readonly Check[], { paint }: Screen): string {
  const count = (status: CheckStatus) => checks.filter((check) => check.status === status).length;
  const [failed, warned] = [count("fail"), count("warn")];
  const told = [
    failed === 0 ? "" : paint.bad(`${countOf(failed, "check")} failed`),
    warned === 0 ? "" : paint.warning(countOf(warned, "warning")),
    failed + warned === 0 ? paint.good("All is well") : "",
    `${count("ok")} ok`,
  ];
  return `${told.filter(Boolean).join(", ")}.`;
}

function titleOf(group: string): string {
  if (group === "mcp") return "MCP";
  return findClient(group)?.title ?? `${group.slice(0, 1).toUpperCase()}${group.slice(1)}`;
}

/** Sanitises a text for display on a terminal. */
function show(text: string, screen: Screen): string {
  return shortenPath(toOneLine(guardOwn(text)), screen);
}
