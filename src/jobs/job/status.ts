import { lstatSync } from "node:fs";
import { join } from "node:path";
import { type Clock, toIsoSeconds } from "../../base/clock.ts";
import { identifyProcess, isSameProcess } from "../../base/process-identity.ts";
import { replaceFile } from "../../base/state-files.ts";
import { findJobProcesses, isJobProcess } from "../../base/subprocess/marks.ts";
import { parseObject, textOf } from "../../base/text.ts";
import type { JobState } from "../../contract/codex-jobs.ts";
import { kindOf } from "../run/files.ts";
import { readTyped } from "../run/start-option-table.ts";
import { toCleanLine, toCleanTag } from "./record-texts.ts";
import { hasOutcome, settleEnd } from "./settle.ts";
import {
  identityOf,
  isJob,
  JOB_FILES,
  type JobPlace,
  type JobRequest,
  numberOf,
  readPlain,
  readRecord,
  readRequest,
  supervisorMark,
} from "./store.ts";

/** What is known of a job's life, without a look at how it ended. */
export interface JobLife {
  readonly is: "queued" | "running" | "gone";
  /** Of its supervisor, or of what waits in its place; 0 where there is none yet, and where it is gone. */
  readonly pid: number;
  readonly request: JobRequest | null;
}

/** A start that takes longer than this was ended in the middle. */
const START_MS = 10_000;
const MAX_TITLE_CHARS = 120;
const MAX_STATE_BYTES = 64 * 1024;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** True where the process that a job's record names is gone for certain. Contract: never throws; a quick look. */
export function isGone({ folder }: JobPlace): boolean {
  const named = identityOf(readRecord(folder, JOB_FILES.process));
  return named !== null && !isSameProcess(named);
}

/**
 * Tells whether a job's process is alive. Contract: never throws. Records are not believed: a process counts only where
 * it is the very one that they name and, on Linux, carries the job's mark in its environment, so that a repository that
 * comes with records cannot make anybody else's process a job.
 */
export function readLife({ folder }: JobPlace, clock: Clock): JobLife {
  const request = readRequest(folder);
  const mark = supervisorMark(folder);
  const isHeld = request?.maxParallel != null && kindOf(join(folder, JOB_FILES.go)) === "missing";
  const life = (pid: number): JobLife => ({ is: isHeld ? "queued" : "running", pid, request });
  const named = identityOf(readRecord(folder, JOB_FILES.process));
  if (named !== null && isSameProcess(named) && isJobProcess(named.pid, mark)) return life(named.pid);
  if (named !== null || hasOutcome(folder)) return { is: "gone", pid: 0, request };
  // Whoever started it may have been killed before the process was written down, or the disk was full.
  const [found] = findJobProcesses(mark);
  if (found !== undefined) {
    const identity = identifyProcess(found);
    if (identity !== null) replaceFile(folder, JOB_FILES.process, JSON.stringify(identity));
    return life(found);
  }
  const isBeginning =
    request?.starter != null &&
    Math.abs(clock.nowMs() - request.createdMs) < START_MS &&
    isSameProcess(request.starter);
  return isBeginning ? life(0) : { is: "gone", pid: 0, request };
}

/**
 * A job's state as it is now, written down where it has changed. Contract: never throws. Where the run is gone without
 * having told its end, what is left of it is ended first, and the end is written in its place.
 */
export function checkJob(place: JobPlace, clock: Clock): JobState {
  // The life first: a run tells its end before it goes, so what is read afterwards is all that there will be.
  const life = readLife(place, clock);
  const { is, request } = life;
  const oldText = readPlain(place.folder, JOB_FILES.state, MAX_STATE_BYTES);
  const old = parseObject(oldText ?? "");
  const createdAt = toIsoSeconds(createdMs(place, request));
  const title = titleFrom(request?.args ?? []);
  const tag = request?.tag ?? toCleanTag(textOf(old, "tag"));
  const { cwd, folder } = place;
  const run = { folder, base: "job", cwd, createdAt, tag, title, hasBegun: hasBegun(place, request) };
  const end = is === "gone" ? settleEnd(run) : null;
  const now: Omit<JobState, "updated_at"> = {
    id: place.id,
    pid: is === "running" ? life.pid : is === "queued" ? 0 : pidOf(place),
    state: end === null ? (is as "queued" | "running") : end.exit_code === 0 ? "completed" : "failed",
    exit_code: end?.exit_code ?? null,
    classification: end?.classification ?? "",
    tokens_used: end?.tokens_used ?? "",
    cwd,
    created_at: createdAt,
    tag,
    ...productsOf(place),
    title: end?.title || title,
  };
  const toState = (updatedAt: string): JobState => ({ ...now, updated_at: updatedAt });
  const toText = (state: JobState) => `${JSON.stringify(state)}\n`;
  const asBefore = toState(textOf(old, "updated_at"));
  if (TIME.test(asBefore.updated_at) && toText(asBefore) === oldText) return asBefore;
  const state = toState(toIsoSeconds(clock.nowMs()));
  replaceFile(place.folder, JOB_FILES.state, toText(state));
  return state;
}

/** True where nothing more is to come of a run, whether it was started as a job or not. Contract: never throws. */
export function isOver(place: JobPlace, clock: Clock): boolean {
  if (!isJob(place)) return hasOutcome(place.folder);
  return !["running", "queued"].includes(checkJob(place, clock).state);
}

/** Where a job's products lie. */
export function productsOf({ folder }: JobPlace): Pick<JobState, "log_file" | "meta_glob" | "last_message_glob"> {
  return {
    log_file: join(folder, JOB_FILES.log),
    meta_glob: join(folder, "*.meta.json"),
    last_message_glob: join(folder, "*.last.txt"),
  };
}

function hasBegun({ folder }: JobPlace, request: JobRequest | null): boolean {
  return request?.maxParallel == null || kindOf(join(folder, JOB_FILES.go)) !== "missing";
}

/** Of the process that is gone. */
function pidOf({ folder }: JobPlace): number {
  return numberOf(readRecord(folder, JOB_FILES.process), "pid") ?? 0;
}

/** Where the request is lost, the id has the time, and where that has none, the folder. */
function createdMs({ id, folder }: JobPlace, request: JobRequest | null): number {
  if (request !== null) return request.createdMs;
  const [, year, month, day, hour, minute, second] = /^cdx-(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)/.exec(id) ?? [];
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(ms) ? (lstatSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0) : ms;
}

/** What a job is about as long as the run has not said so: the first text that it was given. */
function titleFrom(args: readonly string[]): string {
  const [text = ""] = readTyped(args).typed.find(({ name }) => TEXTS.includes(name))?.values ?? [];
  return toCleanLine(text, MAX_TITLE_CHARS);
}

const TEXTS = ["--task", "-c", "--content"];
