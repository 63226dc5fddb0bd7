import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { hrtime, pid } from "node:process";
import { isOurs, isOwnFolder } from "../base/ownership.ts";
import { clearPlace, makeStateFolder, readStateFile, removeQuietly, whyNotOurs } from "../base/state-files.ts";
import { isRecord, parseObject } from "../base/text.ts";
import type { RunRecord } from "./record.ts";

/** File that doors append to. */
const SPOOL = "spool.jsonl";
/** A spool that a reader has taken, until its lines are in the store. */
const TAKEN = /^spool-\d+-\d+\.taken$/;
/** Nobody has read for very long; more than all that is kept would be lost anyway. */
const MAX_BYTES = 64 * 1024 * 1024;
const TRIES = 3;

/**
 * Appends a run to the spool. Contract: never throws or blocks; one call of the system writes the line, so that lines of
 * several processes never mix; where a reader took the file meanwhile, the line is written again, and the reader keeps
 * one of the two. Returns false where nothing could be written.
 */
export function appendToSpool(folder: string, record: RunRecord): boolean {
  try {
    makeStateFolder(folder);
    if (!isOwnFolder(folder)) return false;
    // A line that a full disk has cut short must not spoil this one.
    const line = Buffer.from(`\n${JSON.stringify(record)}\n`, "utf8");
    for (let tried = 0; tried < TRIES; tried++) if (appendLine(join(folder, SPOOL), line)) return true;
  } catch {
    // The answer does not depend on it.
  }
  return false;
}

/** Returns false where the file was taken while it was written to. */
function appendLine(path: string, line: Buffer): boolean {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const descriptor = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || !isOurs(stats) || stats.size > MAX_BYTES) throw new Error("no spool of ours");
    if (writeSync(descriptor, line) < line.length) throw new Error("the disk is full");
    return lstatSync(path, { throwIfNoEntry: false })?.ino === stats.ino;
  } finally {
    closeSync(descriptor);
  }
}

/** Runs that were taken from the spool. */
interface TakenRuns {
  readonly records: readonly RunRecord[];
  /** Removes what they were read from. Contract: call it when they are in the store. */
  readonly done: () => void;
}

/**
 * Takes what was appended, also what an earlier reader took and did not bring home. Contract: never throws; a line that
 * cannot be read is left out; of several readers at once each line reaches at least one.
 */
export function takeSpool(folder: string): TakenRuns {
  const nothing = { records: [], done: () => {} };
  if (!isOwnFolder(folder)) return nothing;
  const path = join(folder, SPOOL);
  if (whyNotOurs(path) !== null) clearPlace(path);
  try {
    renameSync(path, join(folder, `spool-${pid}-${hrtime.bigint()}.taken`));
  } catch {
    // Nothing was appended, or another reader was quicker.
  }
  try {
    const names = readdirSync(folder).filter((name) => TAKEN.test(name));
    const records = names.flatMap((name) => parseLines(readStateFile(folder, name, MAX_BYTES * 2) ?? ""));
    return { records, done: () => names.forEach((name) => void removeQuietly(join(folder, name))) };
  } catch {
    return nothing;
  }
}

/** Only what was appended last is looked at. */
const MAX_PEEK_BYTES = 1024 * 1024;

/**
 * The newest run of a repository that waits in the spool, silent ones apart; null where there is none. Contract: never
 * throws; takes nothing away.
 */
export function peekSpool(folder: string, repo: string): RunRecord["row"] | null {
  try {
    const lines = readTail(join(folder, SPOOL)).split("\n").toReversed();
    for (const line of lines) {
      const [record] = parseLines(line);
      if (record !== undefined && record.row.repo === repo && record.row.outcome !== "silent") return record.row;
    }
  } catch {
    // No spool, or none that can be read.
  }
  return null;
}

function readTail(path: string): string {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || !isOurs(stats)) return "";
    const bytes = Buffer.alloc(Math.min(stats.size, MAX_PEEK_BYTES));
    return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, stats.size - bytes.length));
  } finally {
    closeSync(descriptor);
  }
}

/** Whether something waits to be taken. Contract: never throws. */
export function hasSpool(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name === SPOOL || TAKEN.test(name));
  } catch {
    return false;
  }
}

function parseLines(text: string): RunRecord[] {
  return text.split("\n").flatMap((line) => {
    const value = line === "" ? null : parseObject(line);
    return value !== null && isRunRecord(value) ? [value] : [];
  });
}

function isRunRecord(value: Record<string, unknown>): value is Record<string, unknown> & RunRecord {
  const { row, at, hash, detail } = value;
  return (
    isRecord(row) &&
    typeof row["key"] === "string" &&
    typeof at === "number" &&
    typeof hash === "string" &&
    (detail === undefined || isRecord(detail))
  );
}
