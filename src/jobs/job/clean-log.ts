import { type Outcome, succeed } from "../../contract/faults.ts";
import type { Hide } from "../run/redaction.ts";
import { type ByteRange, type LineRange, type LogBytes, readLogBytes, readLogLines } from "./logs.ts";
import { findRun } from "./store.ts";

/** Whose log is read: a job's, or that of a run that is no job. */
interface RunName {
  readonly cwd: string;
  readonly id: string;
}

/** Lines in one text, so that whoever cleans them sees them together. */
export interface JoinedLines {
  readonly joined: string;
  /** How many there are; none and an empty one look alike otherwise. */
  readonly count: number;
  readonly totalLines: number;
}

/** A piece of a log by its place in bytes, as `readLogBytes` reads it. Contract: its secrets are hidden, wherever it is cut. */
export function readCleanBytes({ cwd, id, ...range }: RunName & ByteRange, hide: Hide): Outcome<LogBytes> {
  const place = findRun(cwd, id);
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

/** Lines of a log, as `readLogLines` reads them. */
export async function readJoinedLines({ cwd, id, ...range }: RunName & LineRange): Promise<Outcome<JoinedLines>> {
  const place = findRun(cwd, id);
  if (!place.ok) return place;
  const read = await readLogLines(place.value, range);
  if (!read.ok) return read;
  const { lines, totalLines } = read.value;
  return succeed({ joined: lines.join("\n"), count: lines.length, totalLines });
}

/** Bytes before and after a part that are looked at with it: longer than any secret is. */
const CONTEXT_BYTES = 16 * 1024;

/** A part of a log, and what stands around it. */
interface LogPart {
  readonly before: string;
  readonly part: string;
  readonly after: string;
}

/**
 * A part of a log, its secrets hidden with what stands around it in view: one that an edge of the part goes through would
 * look like none on either side. Contract: pure; parts that follow one another say together what one part would; a line
 * with a secret belongs whole to the part that it begins in.
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
