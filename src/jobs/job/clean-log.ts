import { type Outcome, succeed } from "../../contract/faults.ts";
import type { Hide } from "../run/redaction.ts";
import { type ByteRange, type LineRequest, type LogBytes, readLogBytes, readLogLines } from "./logs.ts";
import { findAnyRun } from "./store.ts";

/** Identifies the run whose log is read: a job, or a run that was not started as a job. */
interface RunName {
  readonly cwd: string;
  readonly id: string;
}

/** Lines joined into one text, so that they are cleaned together. */
export interface JoinedLog {
  readonly joined: string;
  /** Number of lines: distinguishes no lines from a single empty line. */
  readonly count: number;
  readonly totalLines: number;
}

/** Reads a byte range of a log, as `readLogBytes` does. Contract: its secrets are hidden, wherever the range is cut. */
export function readCleanBytes({ cwd, id, ...range }: RunName & ByteRange, hide: Hide): Outcome<LogBytes> {
  const place = findAnyRun(cwd, id);
  if (!place.ok) return place;
  const { offset = 0 } = range;
  const read = readLogBytes(place.value, range);
  if (!read.ok) return read;
  const from = Math.max(0, offset - CONTEXT_BYTES);
  const before = offset === from ? null : readLogBytes(place.value, { offset: from, limit: offset - from });
  const after = readLogBytes(place.value, { offset: read.value.nextOffset, limit: CONTEXT_BYTES });
  const part = {
    before: before?.ok === true ? before.value.chunk : "",
    part: read.value.chunk,
    after: after.ok ? after.value.chunk : "",
  };
  return succeed({ ...read.value, chunk: cutClean(part, hide) });
}

/** Reads lines of a log, as `readLogLines` does. */
export async function readJoinedLines({ cwd, id, ...range }: RunName & LineRequest): Promise<Outcome<JoinedLog>> {
  const place = findAnyRun(cwd, id);
  if (!place.ok) return place;
  const read = await readLogLines(place.value, range);
  if (!read.ok) return read;
  const { lines, totalLines } = read.value;
  return succeed({ joined: lines.join("\n"), count: lines.length, totalLines });
}

/** Number of bytes of context read before and after a part: longer than any secret. */
const CONTEXT_BYTES = 16 * 1024;

interface LogPart {
  readonly before: string;
  readonly part: string;
  readonly after: string;
}

/**
 * Returns a part of a log with its secrets hidden. The context is needed because a secret that an edge of the part cuts
 * in two is not recognisable on either side. Contract: pure; consecutive parts concatenate to what a single part would
 * return; a line with a secret belongs entirely to the part in which it begins.
 */
export function cutClean({ before, part, after }: LogPart, hide: Hide): string {
  const all = `${before}${part}${after}`;
  const clean = hide(all).split("\n");
  const from = before.length;
  const to = from + part.length;
  let cut = "";
  let start = 0;
  for (const [at, line] of all.split("\n").entries()) {
    const end = start + line.length;
    const shown = clean[at] ?? "";
    if (shown === line) cut += all.slice(Math.max(start, from), Math.max(from, Math.min(end, to)));
    else if (start >= from && start < to) cut += shown;
    if (end >= from && end < to) cut += "\n";
    start = end + 1;
  }
  return cut;
}
