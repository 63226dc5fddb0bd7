import { isAbsolute } from "node:path";
import { toDuration } from "../../base/duration.ts";
import { isRecord, parseObject } from "../../base/text.ts";
import type { SwitchedOff } from "../../config/off-book.ts";
import { countOf } from "../../contract/count-of.ts";
import type { RunRow } from "../../contract/run-history.ts";

/** The part of a run that a status line shows. */
export type ShownRun = Pick<RunRow, "created_at" | "outcome" | "injected_chars" | "duration_ms">;

/** State of an index as far as it is known without opening it. */
export type IndexGlimpse = "none" | "ready" | "damaged";

/** Input of a status line. */
export interface StatusParts {
  /** Null if it is not switched off. */
  readonly off: SwitchedOff | null;
  /** True if it is switched off by a variable. */
  readonly isOffByVariable: boolean;
  readonly index: IndexGlimpse;
  /** Number of files that a resident holds; null if there is no resident. */
  readonly files: number | null;
  readonly last: ShownRun | null;
  readonly nowMs: number;
}

/** The folder in Claude Code's payload for a status line; null if there is none. */
export function readStatusFolder(payload: string): string | null {
  const value = parseObject(payload);
  const workspace = isRecord(value?.["workspace"]) ? value["workspace"] : {};
  const named = [workspace["current_dir"], value?.["cwd"]];
  return named.find((folder): folder is string => typeof folder === "string" && isAbsolute(folder)) ?? null;
}

/** One short line, or empty if there is nothing to report. Contract: only our own words and numbers. */
export function printStatusLine({ off, isOffByVariable, index, files, last, nowMs }: StatusParts): string {
  if (off !== null) return toLine(sayOff(off, nowMs));
  if (isOffByVariable) return toLine("off (CI_AUTO_TOOLS)");
  const said = [sayIndex(index, files, last), last === null ? "" : sayRun(last, nowMs)].filter(Boolean);
  return said.length === 0 ? "" : toLine(said.join(" · "));
}

function sayOff({ root, until, damage }: SwitchedOff, nowMs: number): string {
  if (damage !== null) return 'off, its record cannot be read: "groundwork on"';
  const time = until === null ? "" : ` for ${toDuration(Date.parse(until) - nowMs)}`;
  return `off${root === null ? "" : " in this repository"}${time}`;
}

function sayIndex(index: IndexGlimpse, files: number | null, last: ShownRun | null): string {
  if (files !== null) return countOf(files, "file");
  if (index === "damaged") return "index damaged";
  if (index === "ready") return "indexed";
  return last === null ? "" : "not indexed";
}

function sayRun({ created_at, outcome, injected_chars, duration_ms }: ShownRun, nowMs: number): string {
  const ago = `${toDuration(nowMs - Date.parse(created_at)).split(" ")[0]} ago`;
  if (outcome === "failed") return `the last run failed ${ago}`;
  if (outcome === "plan") return `planned ${ago}`;
  if (injected_chars === 0) return `nothing found ${ago}`;
  const took = duration_ms < 1_000 ? `${Math.round(duration_ms)} ms` : `${(duration_ms / 1_000).toFixed(1)} s`;
  return `${outcome === "guess" ? "a guess, " : ""}${injected_chars} characters in ${took}, ${ago}`;
}

const toLine = (text: string) => `groundwork: ${text}\n`;
