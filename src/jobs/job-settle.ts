import { appendFileSync, closeSync, constants, fstatSync, openSync } from "node:fs";
import { join } from "node:path";
import { readStateFile, replaceFile } from "../base/state-files.ts";
import { endJobProcesses } from "../base/subprocess.ts";
import { cutText, toOneLine } from "../base/text.ts";
import type { RunMeta } from "../contract/codex-jobs.ts";
import { type EndFacts, judgeEnd, type RunEnd, readExitLine } from "./job-end.ts";
import { JOB_FILES, type JobPlace, kindOf, numberOf, readRecord, textOf } from "./job-store.ts";

/** What is said of a run that did not come to say it. */
export interface SettledRun {
  readonly createdAt: string;
  readonly tag: string;
  readonly title: string;
  readonly hasBegun: boolean;
}

const MAX_OUTCOME_BYTES = 64 * 1024;
const MAX_TEXT_CHARS = 500;
/** A process that is ended may be starting another one at that moment. */
const END_ROUNDS = 20;

/** True where a run has told how it ended. */
export function hasOutcome(folder: string): boolean {
  const outcome = readOutcome(folder);
  return outcome !== null && outcome !== "open";
}

/**
 * How a run whose supervisor is gone has ended. Contract: never throws. Where it did not tell, what is left of it is ended
 * and its end is written in its place, once: outcome, meta.json where there is none, and a last line of the log.
 */
export function settleEnd(place: JobPlace, settled: SettledRun): RunEnd {
  const { folder } = place;
  const outcome = readOutcome(folder);
  if (outcome !== null && outcome !== "open") return outcome;
  for (let round = 0; round < END_ROUNDS && endJobProcesses(folder) > 0; round++);
  const log = join(folder, JOB_FILES.log);
  const exitLine = readExitLine(log);
  const judged = judgeEnd({
    outcome,
    exitLine,
    meta: readMeta(folder),
    stop: readStop(folder),
    hasBegun: settled.hasBegun,
  });
  const end = { ...judged, title: judged.title || settled.title };
  if (exitLine === null || outcome === "open") appendEnd(log, end);
  if (kindOf(join(folder, JOB_FILES.meta)) === "missing")
    replaceFile(folder, JOB_FILES.meta, `${JSON.stringify(toMeta(place, end, settled))}\n`);
  replaceFile(folder, JOB_FILES.outcome, `${JSON.stringify(end)}\n`);
  return end;
}

/** `open` where the place for it was taken and it was not filled. */
function readOutcome(folder: string): RunEnd | "open" | null {
  const text = readStateFile(folder, JOB_FILES.outcome, MAX_OUTCOME_BYTES);
  if (text === null) return null;
  const record = readRecord(folder, JOB_FILES.outcome);
  const exitCode = numberOf(record, "exit_code");
  if (record === null || exitCode === null) return /^\s*(?:\{\s*\})?\s*$/.test(text) ? "open" : null;
  return { exit_code: exitCode, ...textsOf(record) };
}

function readMeta(folder: string): EndFacts["meta"] {
  const record = readRecord(folder, JOB_FILES.meta);
  return record === null ? null : textsOf(record);
}

/** Texts may have been written by anybody: they stay one short line each. */
function textsOf(record: Readonly<Record<string, unknown>>): Omit<RunEnd, "exit_code"> {
  const text = (name: string) => cutText(toOneLine(textOf(record, name)), MAX_TEXT_CHARS).text;
  return {
    classification: text("classification"),
    tokens_used: text("tokens_used"),
    title: text("title"),
    reason: text("reason"),
  };
}

function readStop(folder: string): EndFacts["stop"] {
  const record = readRecord(folder, JOB_FILES.stop);
  return record === null ? null : record["force"] === true ? "by force" : "gently";
}

function toMeta({ folder, cwd }: JobPlace, end: RunEnd, { createdAt, tag }: SettledRun): RunMeta {
  const timestamp = createdAt.replace(/[-:Z]/g, "").replace("T", "_");
  return {
    id: `codex-${timestamp}-${tag || "untagged"}`,
    timestamp,
    tag,
    classification: end.classification,
    control_flag: "",
    reason: end.reason,
    tokens_used: end.tokens_used,
    cwd,
    log_file: join(folder, JOB_FILES.log),
    instructions_file: join(folder, JOB_FILES.instructions),
    exit_code: end.exit_code,
    title: end.title,
  };
}

/** Whoever reads the log sees why it ends; a log that was never begun stays away. */
function appendEnd(log: string, { reason, exit_code }: RunEnd): void {
  try {
    const file = openSync(log, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      if (fstatSync(file).isFile()) appendFileSync(file, `\n[trap] ${reason}. Exit Code: ${exit_code}\n`);
    } finally {
      closeSync(file);
    }
  } catch {
    // No log, or a full disk.
  }
}
