import { closeSync, fstatSync } from "node:fs";
import { join } from "node:path";
import { wholeLength } from "../../base/text.ts";
import { sleep } from "../../base/timers.ts";
import { type Outcome, refuse, succeed } from "../../contract/faults.ts";
import { openPlain, readAt, withPlainFile } from "../run/files.ts";
import { compilePattern } from "../run/patterns.ts";
import { JOB_FILES, type JobPlace } from "./store.ts";
import { JOB_TEXTS } from "./texts.ts";

/** A byte range of a log. */
export interface LogBytes {
  readonly chunk: string;
  /** Offset of the next range. */
  readonly nextOffset: number;
  /** True if the log has no more bytes at the moment. */
  readonly eof: boolean;
  readonly size: number;
}

interface LogLines {
  readonly lines: readonly string[];
  /** Number of lines in the log; with a pattern, number of matching lines. */
  readonly totalLines: number;
}

/** Requested byte range. */
export interface ByteRange {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

/** Requested lines. */
export interface LineRequest {
  readonly offsetLines?: number | undefined;
  readonly limitLines?: number | undefined;
  /** Number of lines from the end; overrides the other two. */
  readonly tailLines?: number | undefined;
  readonly grep?: string | undefined;
}

const USUAL_BYTES = 4_096;
const MAX_BYTES = 1024 * 1024;
const USUAL_LINES = 200;
const MAX_LINES = 10_000;
const MAX_LINE_BYTES = 16 * 1024;
const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 10;
const FOLLOW_MS = 200;

/**
 * Reads a byte range of a log. Contract: never throws; returns whole characters only, so the chunk may be a few bytes
 * shorter than `limit`, or up to 4 bytes long if no character fits; at most 1 MiB.
 */
export function readLogBytes(place: JobPlace, { offset = 0, limit = USUAL_BYTES }: ByteRange): Outcome<LogBytes> {
  return withPlainFile<Outcome<LogBytes>>(logOf(place), refuse(JOB_TEXTS.noLog(place.id)), (file) => {
    const { size } = fstatSync(file);
    const from = Math.min(offset, size);
    // At least 4 bytes are read, room for one whole character: otherwise no progress would be made.
    const bytes = readAt(file, from, Math.min(Math.max(limit, 4), MAX_BYTES));
    const whole = bytes.subarray(0, wholeLength(bytes.subarray(0, limit)) || wholeLength(bytes) || bytes.length);
    const nextOffset = from + whole.length;
    return succeed({ chunk: whole.toString("utf8"), nextOffset, eof: nextOffset >= size, size });
  });
}

/**
 * Reads lines of a log. Contract: never throws; reads in chunks, so the length of the log does not matter; truncates
 * lines longer than 16 KiB; at most 10 000 lines; patterns match in linear time, an invalid pattern is refused.
 */
export async function readLogLines(place: JobPlace, range: LineRequest): Promise<Outcome<LogLines>> {
  const { grep = "", offsetLines = 0, limitLines = USUAL_LINES, tailLines } = range;
  const pattern = grep === "" ? null : compilePattern(grep);
  if (pattern === null && grep !== "") return refuse(JOB_TEXTS.badPattern(grep));
  const most = Math.min(tailLines ?? limitLines, MAX_LINES);
  let lines: string[] = [];
  let totalLines = 0;
  const take = (line: Buffer) => {
    const isWanted = tailLines !== undefined || (totalLines >= offsetLines && lines.length < most);
    if (pattern === null && !isWanted) {
      totalLines++;
      return;
    }
    const text = line.toString("utf8");
    if (pattern !== null && !pattern.matches(text)) return;
    totalLines++;
    if (isWanted) lines.push(text);
    if (lines.length > 2 * MAX_LINES) lines = lines.slice(-most);
  };
  if (!(await visitLines(logOf(place), take))) return refuse(JOB_TEXTS.noLog(place.id));
  return succeed({ lines: most === 0 ? [] : lines.slice(-most), totalLines });
}

/**
 * Visits the lines of a plain file, each truncated to 16 KiB. Contract: never throws; yields to the event loop between
 * chunks; false if there is no such file or it cannot be read.
 */
export async function visitLines(path: string, visit: (line: Buffer) => void): Promise<boolean> {
  const file = openPlain(path);
  if (file === null) return false;
  try {
    await visitAll(file, visit);
    return true;
  } catch {
    return false;
  } finally {
    closeSync(file);
  }
}

async function visitAll(file: number, visit: (line: Buffer) => void): Promise<void> {
  // Start of the current line, from previous chunks.
  let begun = Buffer.alloc(0);
  let position = 0;
  for (;;) {
    const bytes = readAt(file, position, CHUNK_BYTES);
    if (bytes.length === 0) break;
    let at = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, at)) {
      const piece = bytes.subarray(at, end);
      visit((begun.length === 0 ? piece : Buffer.concat([begun, piece])).subarray(0, MAX_LINE_BYTES));
      begun = Buffer.alloc(0);
      at = end + 1;
    }
    begun = Buffer.concat([begun, bytes.subarray(at)].map((part) => part.subarray(0, MAX_LINE_BYTES)));
    position += bytes.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (begun.length > 0) visit(begun.subarray(0, MAX_LINE_BYTES));
}

/** How a log is shown to a person. */
interface LogView {
  /** Number of lines from the end; null for the whole log. */
  readonly tail: number | null;
  /** True to wait for more output, until `isOver` reports that there will be none or the signal is aborted. */
  readonly follow: boolean;
  readonly isOver: () => boolean;
  readonly signal: AbortSignal;
}

/**
 * Yields a log in chunks. Contract: never throws; no chunk is longer than 256 KiB; a log that was truncated and
 * restarted is shown again from its beginning.
 */
export async function* viewLog(place: JobPlace, { tail, follow, isOver, signal }: LogView): AsyncGenerator<Buffer> {
  let position: number | null = null;
  while (!signal.aborted) {
    // Checked first, so that everything written up to the end is certain to be read.
    const isLast = !follow || isOver();
    const file = openPlain(logOf(place));
    try {
      if (file !== null) {
        const { size } = fstatSync(file);
        position ??= tail === null ? 0 : findTail(file, size, tail);
        if (position > size) position = 0;
        for (let bytes = readAt(file, position, CHUNK_BYTES); bytes.length > 0 && !signal.aborted; ) {
          yield bytes;
          position += bytes.length;
          bytes = readAt(file, position, CHUNK_BYTES);
        }
      }
    } catch {
      return;
    } finally {
      if (file !== null) closeSync(file);
    }
    if (isLast) return;
    await sleep(FOLLOW_MS, signal);
  }
}

/** Returns the offset at which the last lines begin; scans from the end, because a log may be long. */
function findTail(file: number, size: number, lines: number): number {
  let left = lines;
  for (let end = size; end > 0; end = Math.max(0, end - CHUNK_BYTES)) {
    const from = Math.max(0, end - CHUNK_BYTES);
    const bytes = readAt(file, from, end - from);
    for (let at = bytes.length - 1; at >= 0; at--) {
      // A newline at the very end closes the last line and does not begin another.
      if (bytes[at] !== NEWLINE || from + at === size - 1) continue;
      left--;
      if (left <= 0) return lines === 0 ? size : from + at + 1;
    }
  }
  return lines === 0 ? size : 0;
}

function logOf({ folder }: JobPlace): string {
  return join(folder, JOB_FILES.log);
}
