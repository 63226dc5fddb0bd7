import type { OrRefusal } from "../../contract/codex-jobs.ts";
import type { Hide } from "../run/hide-secrets.ts";
import { CONTEXT_BYTES, cutClean } from "./clean-cut.ts";
import { type LogInput, readLog } from "./commands.ts";
import type { LogBytes, LogLines } from "./logs.ts";

/** Lines in one text, so that whoever cleans them sees them together. */
export interface JoinedLines {
  readonly joined: string;
  /** How many there are; none and an empty one look alike otherwise. */
  readonly count: number;
  readonly totalLines: number;
}

/** A piece of a log by its place in bytes, as `readLog` reads it. Contract: its secrets are hidden, wherever it is cut. */
export async function readCleanBytes(input: Omit<LogInput, "mode">, hide: Hide): Promise<OrRefusal<LogBytes>> {
  const { offset = 0 } = input;
  const read = await readBytes(input);
  if (!read.ok) return read;
  const from = Math.max(0, offset - CONTEXT_BYTES);
  const before = offset === from ? null : await readBytes({ ...input, offset: from, limit: offset - from });
  const after = await readBytes({ ...input, offset: read.value.nextOffset, limit: CONTEXT_BYTES });
  const part = {
    before: before?.ok === true ? before.value.chunk : "",
    part: read.value.chunk,
    after: after.ok ? after.value.chunk : "",
  };
  const chunk = cutClean(part, hide);
  return { ok: true, value: { ...read.value, chunk } };
}

/** Lines of a log, as `readLog` reads them. */
export async function readJoinedLines(input: Omit<LogInput, "mode">): Promise<OrRefusal<JoinedLines>> {
  const read = (await readLog({ ...input, mode: "lines" })) as OrRefusal<LogLines>;
  if (!read.ok) return read;
  const { lines, totalLines } = read.value;
  return { ok: true, value: { joined: lines.join("\n"), count: lines.length, totalLines } };
}

/** The mode decides what is read. */
async function readBytes(input: Omit<LogInput, "mode">): Promise<OrRefusal<LogBytes>> {
  return (await readLog({ ...input, mode: "bytes" })) as OrRefusal<LogBytes>;
}
