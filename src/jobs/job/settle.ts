import { constants, fstatSync, lstatSync, readdirSync, readSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { toIsoSeconds } from "../../base/clock.ts";
import { replaceFile } from "../../base/state-files.ts";
import { endJobProcesses } from "../../base/subprocess/marks.ts";
import { parseObject, textOf } from "../../base/text.ts";
import type { RunEnd, RunMeta } from "../../contract/codex-jobs.ts";
import { entryKindOf, withPlain } from "../run/files.ts";
import { makeMeta, printMeta } from "../run/meta.ts";
import { isJobId, toRunName } from "../run/session-paths.ts";
import { type EndFacts, judgeEnd, readExitLine } from "./end.ts";
import { toClassification, toCleanLine, toTokens } from "./record-texts.ts";
import { JOB_FILES, type JobRecord, readInteger, readPlain, readRecord, supervisorMark } from "./store.ts";
import { JOB_TEXTS } from "./texts.ts";

/** A run whose supervisor is gone. */
interface LeftRun {
  readonly folder: string;
  /** Prefix of its file names: `job` if the run has the folder to itself. */
  readonly base: string;
  readonly cwd: string;
  readonly createdAt: string;
  readonly tag: string;
  readonly title: string;
  /** False for a job that never left the queue. */
  readonly hasBegun: boolean;
}

const MAX_OUTCOME_BYTES = 64 * 1024;
const MAX_TEXT_CHARS = 500;
/** A process may be starting another one at the moment it is killed. */
const END_ROUNDS = 20;

/** True if the run that has a folder to itself has recorded how it ended. */
export function hasOutcome(folder: string): boolean {
  const outcome = readOutcome(folder, JOB_FILES.outcome);
  return outcome !== null && outcome !== "open";
}

/** Finds the run that marked its processes with `mark`: its folder, or the prefix of its file names. */
export function findLeftRun(mark: string, cwd: string): LeftRun {
  const isAlone = entryKindOf(mark) === "folder";
  const folder = isAlone ? mark : dirname(mark);
  const [, time = "", tag = ""] = /(\d{8}_\d{6})(?:-(.*))?$/.exec(basename(mark)) ?? [];
  const ms = lstatSync(isAlone ? folder : `${mark}.outcome.json`, { throwIfNoEntry: false })?.birthtimeMs ?? 0;
  const createdAt = time === "" ? toIsoSeconds(ms) : fromTimestamp(time);
  return { folder, base: isAlone ? "job" : basename(mark), cwd, createdAt, tag, title: "", hasBegun: true };
}

/** `YYYYmmdd_HHMMSS` as ISO 8601. */
function fromTimestamp(time: string): string {
  return time.replace(/^(....)(..)(..)_(..)(..)(..)$/, "$1-$2-$3T$4:$5:$6Z");
}

/**
 * Determines how a run whose supervisor is gone has ended. Contract: never throws. If the run did not record its end,
 * its remaining processes are ended and the end is written on its behalf, once: outcome, meta.json if there is none,
 * and a last line of the log.
 */
export function settleEnd(run: LeftRun): RunEnd {
  const { folder, base } = run;
  const isAlone = base === "job";
  const outcomeFile = isAlone ? JOB_FILES.outcome : `${base}.outcome.json`;
  const outcome = readOutcome(folder, outcomeFile);
  if (outcome !== null && outcome !== "open") return outcome;
  endLeft(isAlone ? [folder, supervisorMark(folder)] : [join(folder, base)]);
  if (isAlone) removeTemporary(folder);
  const log = join(folder, `${base}.log`);
  const metaFile = `${base}.meta.json`;
  const exitLine = readExitLine(log);
  const meta = readRecord(folder, metaFile);
  const judged = judgeEnd({
    outcome,
    exitLine,
    meta: meta === null ? null : textsOf(meta, exitLine ?? 1),
    stop: readStop(folder),
    hasBegun: run.hasBegun,
  });
  const end = { ...judged, title: judged.title || run.title };
  if (exitLine === null || outcome === "open") appendEnd(log, end);
  // The meta.json of a Codex call that ended before the run was killed does not say how the run ended.
  if (meta === null || outcome === "open")
    replaceFile(folder, metaFile, printMeta({ ...toMeta(run, end), ...keptOf(meta) }));
  replaceFile(folder, outcomeFile, `${JSON.stringify(end)}\n`);
  return end;
}

function endLeft(marks: readonly string[]): void {
  for (let round = 0; round < END_ROUNDS; round++) {
    if (marks.map(endJobProcesses).every((ended) => ended === 0)) return;
  }
}

/** Removes files that were being written when the run was killed. */
function removeTemporary(folder: string): void {
  try {
    for (const name of readdirSync(folder)) if (/\.\d+\.tmp$/.test(name)) rmSync(join(folder, name), { force: true });
  } catch {
    // They stay, and are never read.
  }
}

/** Reads an outcome; `open` if the file was created but not filled. */
function readOutcome(folder: string, name: string): RunEnd | "open" | null {
  const text = readPlain(folder, name, MAX_OUTCOME_BYTES);
  if (text === null) return null;
  const record = parseObject(text);
  const exitCode = readInteger(record, "exit_code");
  if (record === null || exitCode === null) return /^\s*(?:\{\s*\})?\s*$/.test(text) ? "open" : null;
  return { exit_code: exitCode, ...textsOf(record, exitCode) };
}

/** Texts of a record that describe an end. */
function textsOf(record: JobRecord, exitCode: number): Omit<RunEnd, "exit_code"> {
  return {
    classification: toClassification(textOf(record, "classification"), exitCode),
    tokens_used: toTokens(textOf(record, "tokens_used")),
    title: toCleanLine(textOf(record, "title"), MAX_TEXT_CHARS),
    reason: toCleanLine(textOf(record, "reason"), MAX_TEXT_CHARS),
  };
}

function readStop(folder: string): EndFacts["stop"] {
  const record = readRecord(folder, JOB_FILES.stop);
  return record === null ? null : record["force"] === true ? "by force" : "gently";
}

function toMeta({ folder, base, cwd, createdAt, tag }: LeftRun, end: RunEnd): RunMeta {
  const timestamp = createdAt.replace(/[-:Z]/g, "").replace("T", "_");
  const run = {
    id: `codex-${toRunName(timestamp, tag)}`,
    timestamp,
    tag,
    cwd,
    log_file: join(folder, `${base}.log`),
    instructions_file: join(folder, `${base}.instructions.md`),
  };
  return makeMeta(run, { ...end, control_flag: "" });
}

/** Fields of a meta.json that remain valid, however the run ended. */
function keptOf(meta: JobRecord | null): Partial<RunMeta> {
  const [id, timestamp] = [textOf(meta, "id"), textOf(meta, "timestamp")];
  const title = toCleanLine(textOf(meta, "title"), MAX_TEXT_CHARS);
  return {
    ...(isJobId(id) ? { id } : {}),
    ...(/^\d{8}_\d{6}$/.test(timestamp) ? { timestamp } : {}),
    ...(title === "" ? {} : { title }),
  };
}

/** Appends the reason for the end to the log. Several processes may settle a run; the line is written once. */
function appendEnd(log: string, { reason, exit_code }: RunEnd): void {
  const line = Buffer.from(JOB_TEXTS.logEnd(reason, exit_code));
  const append = (file: number) => {
    const last = Buffer.alloc(line.length);
    readSync(file, last, 0, last.length, Math.max(0, fstatSync(file).size - last.length));
    if (!last.equals(line)) writeSync(file, line);
  };
  // On a full disk the line is lost.
  withPlain(log, undefined, append, constants.O_RDWR | constants.O_APPEND);
}
