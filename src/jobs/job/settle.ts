import { constants, readdirSync, rmSync, writeSync } from "node:fs";
import { basename, join } from "node:path";
import { lstatOrNull } from "../../base/file-facts.ts";
import { replaceFile } from "../../base/state-files.ts";
import { endJobProcesses } from "../../base/subprocess/marks.ts";
import { parseObject, textOf } from "../../base/text.ts";
import type { RunEnd, RunMeta } from "../../contract/codex-jobs.ts";
import { entryKindOf, readTail, withPlainFile } from "../run/files.ts";
import { makeMeta, printMeta } from "../run/meta.ts";
import { isJobId, type RunSession, toSession, toTimestamp } from "../run/session-paths.ts";
import { type EndFacts, judgeEnd, readExitLine } from "./end.ts";
import { toClassification, toCleanLine, toTokens } from "./record-texts.ts";
import { JOB_FILES, type JobRecord, readInteger, readPlain, readRecord, supervisorMark } from "./store.ts";
import { JOB_TEXTS } from "./texts.ts";

/** A run whose supervisor is gone. */
interface LeftRun {
  readonly session: RunSession;
  readonly cwd: string;
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
  const [, time, tag = ""] = /(\d{8}_\d{6})(?:-(.*))?$/.exec(basename(mark)) ?? [];
  const timestamp = time ?? toTimestamp(lstatOrNull(isAlone ? mark : `${mark}.outcome.json`)?.birthtimeMs ?? 0);
  const log = isAlone ? join(mark, JOB_FILES.log) : `${mark}.log`;
  return { session: toSession(log, { timestamp, tag, isNamed: false }), cwd, title: "", hasBegun: true };
}

/**
 * Determines how a run whose supervisor is gone has ended. Contract: never throws. If the run did not record its end,
 * its remaining processes are ended and the end is written on its behalf, once: outcome, meta.json if there is none,
 * and a last line of the log.
 */
export function settleEnd({ session, cwd, title, hasBegun }: LeftRun): RunEnd {
  const { folder, log, meta: metaPath } = session.paths;
  const [outcomeFile, metaFile] = [basename(session.outcome), basename(metaPath)];
  const outcome = readOutcome(folder, outcomeFile);
  if (outcome !== null && outcome !== "open") return outcome;
  const isAlone = session.mark === folder;
  endLeft(isAlone ? [folder, supervisorMark(folder)] : [session.mark]);
  if (isAlone) removeTemporary(folder);
  const exitLine = readExitLine(log);
  const meta = readRecord(folder, metaFile);
  const judged = judgeEnd({
    outcome,
    exitLine,
    meta: meta === null ? null : textsOf(meta, exitLine ?? 1),
    stop: readStop(folder),
    hasBegun,
  });
  const end = { ...judged, title: judged.title || title };
  if (exitLine === null || outcome === "open") appendEnd(log, end);
  // The meta.json of a Codex call that ended before the run was killed does not say how the run ended.
  if (meta === null || outcome === "open")
    replaceFile(
      folder,
      metaFile,
      printMeta({ ...makeMeta(session, cwd, { ...end, control_flag: "" }), ...keptOf(meta) }),
    );
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
    if (!readTail(file, line.length).equals(line)) writeSync(file, line);
  };
  // On a full disk the line is lost.
  withPlainFile(log, undefined, append, constants.O_RDWR | constants.O_APPEND);
}
