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
import { isOurs, isOwnFolder } from "../base/file-facts.ts";
import { clearPlace, makeStateFolder, readStateFile, removeQuietly, whyNotOurs } from "../base/state-files.ts";
import { isRecord, parseObject } from "../base/text.ts";
import type { RunRecord } from "./record.ts";

/** File to which the doors append. */
const SPOOL = "spool.jsonl";
/** Matches a spool that a reader has taken but not yet imported into the store. */
const TAKEN = /^spool-\d+-\d+\.taken$/;
/**
 * Reached only if the spool has not been read for very long; by then it exceeds the usual size of the whole history.
 */
const MAX_BYTES = 64 * 1024 * 1024;
const TRIES = 3;

/**
 * Appends a run to the spool. Contract: never throws or blocks; a single system call writes the line, so that lines of
 * several processes never mix; if a reader takes the file in the meantime, the line is written again, and the reader
 * keeps one of the two. Returns false if nothing could be written.
 */
export function appendToSpool(folder: string, record: RunRecord): boolean {
  try {
    makeStateFolder(folder);
    if (!isOwnFolder(folder)) return false;
    // The leading newline separates this line from one that a full disk has truncated.
    const line = Buffer.from(`\n${JSON.stringify(record)}\n`, "utf8");
    for (let tried = 0; tried < TRIES; tried++) if (appendLine(join(folder, SPOOL), line)) return true;
  } catch {
    // The answer does not depend on the history.
  }
  return false;
}

/** Returns false if the file was taken while it was written to. */
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

/** Runs taken from the spool. */
interface TakenRuns {
  readonly records: readonly RunRecord[];
  /** Removes the files that they were read from. Contract: call it once the runs are in the store. */
  readonly done: () => void;
}

/**
 * Takes all appended runs, including those that an earlier reader took but did not import. Contract: never throws;
 * invalid lines are skipped; with concurrent readers, each line reaches at least one.
 */
export function takeSpool(folder: string): TakenRuns {
  const nothing = { records: [], done: () => {} };
  if (!isOwnFolder(folder)) return nothing;
  const path = join(folder, SPOOL);
  if (whyNotOurs(path) !== null) clearPlace(path);
  try {
    renameSync(path, join(folder, `spool-${pid}-${hrtime.bigint()}.taken`));
  } catch {
    // Nothing was appended, or another reader was faster.
  }
  try {
    const names = readdirSync(folder).filter((name) => TAKEN.test(name));
    const records = names.flatMap((name) => parseLines(readStateFile(folder, name, MAX_BYTES * 2) ?? ""));
    return { records, done: () => names.forEach((name) => void removeQuietly(join(folder, name))) };
  } catch {
    return nothing;
  }
}

/** Maximum number of bytes read from the end of the spool. */
const MAX_PEEK_BYTES = 1024 * 1024;

/**
 * Returns the newest run of a repository in the spool, ignoring silent ones; null if there is none. Contract: never
 * throws; removes nothing.
 */
export function peekSpool(folder: string, repo: string): RunRecord["row"] | null {
  try {
    const lines = readTail(join(folder, SPOOL)).split("\n").toReversed();
    for (const line of lines) {
      const [record] = parseLines(line);
      if (record !== undefined && record.row.repo === repo && record.row.outcome !== "silent") return record.row;
    }
  } catch {
    // There is no spool, or it cannot be read.
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

/** True if runs wait in the spool. Contract: never throws. */
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
