import { join } from "node:path";
import { type Clock, toIsoSeconds } from "../../base/clock.ts";
import { lstatOrNull } from "../../base/file-facts.ts";
import { identifyProcess, isSameProcess } from "../../base/process-identity.ts";
import { replaceFile } from "../../base/state-files.ts";
import { findJobProcesses, isJobProcess } from "../../base/subprocess/marks.ts";
import { parseObject, textOf } from "../../base/text.ts";
import type { JobState } from "../../contract/codex-jobs.ts";
import { entryKindOf } from "../run/files.ts";
import { toSession, toTimestamp } from "../run/session-paths.ts";
import { readTyped } from "../run/start-option-table.ts";
import { toCleanLine, toCleanTag } from "./record-texts.ts";
import { hasOutcome, settleEnd } from "./settle.ts";
import {
  isJob,
  JOB_FILES,
  type JobPlace,
  type JobRequest,
  readIdentity,
  readInteger,
  readJobRequest,
  readPlain,
  readRecord,
  supervisorMark,
} from "./store.ts";

/** Life of a job, without regard to how it ended. */
export interface JobLife {
  readonly is: "queued" | "running" | "gone";
  /** Pid of its supervisor, or of the process that waits in its place; 0 if there is none yet or it is gone. */
  readonly pid: number;
  readonly request: JobRequest | null;
}

/** A start that takes longer than this was killed midway. */
const START_MS = 10_000;
const MAX_TITLE_CHARS = 120;
const MAX_STATE_BYTES = 64 * 1024;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** True if the process in a job's record is definitely gone. Contract: never throws; cheap. */
export function isGone({ folder }: JobPlace): boolean {
  const named = readIdentity(readRecord(folder, JOB_FILES.process));
  return named !== null && !isSameProcess(named);
}

/**
 * Determines whether a job's process is alive. Contract: never throws. Records are not trusted: a process counts only
 * if it is exactly the recorded one and, on Linux, carries the job's mark in its environment, so that records that come
 * with a repository cannot pass off a foreign process as a job.
 */
export function readLife({ folder }: JobPlace, clock: Clock): JobLife {
  const request = readJobRequest(folder);
  const mark = supervisorMark(folder);
  const is = hasBegun(folder, request) ? "running" : "queued";
  const life = (pid: number): JobLife => ({ is, pid, request });
  const named = readIdentity(readRecord(folder, JOB_FILES.process));
  if (named !== null && isSameProcess(named) && isJobProcess(named.pid, mark)) return life(named.pid);
  if (named !== null || hasOutcome(folder)) return { is: "gone", pid: 0, request };
  // The starter may have been killed before the process was recorded, or the disk was full.
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
 * Returns the current state of a job and records it if it has changed. Contract: never throws. If the run is gone
 * without having recorded its end, its remaining processes are ended first, and the end is written on its behalf.
 */
export function checkJob(place: JobPlace, clock: Clock): JobState {
  // Life first: a run records its end before it exits, so whatever is read afterwards is final.
  const life = readLife(place, clock);
  const { is, request } = life;
  const oldText = readPlain(place.folder, JOB_FILES.state, MAX_STATE_BYTES);
  const old = parseObject(oldText ?? "");
  const startedMs = createdMs(place, request);
  const title = titleFrom(request?.args ?? []);
  const tag = request?.tag ?? toCleanTag(textOf(old, "tag"));
  const { cwd, folder } = place;
  const named = { timestamp: toTimestamp(startedMs), tag, isNamed: false };
  const session = toSession(join(folder, JOB_FILES.log), named);
  const end = is === "gone" ? settleEnd({ session, cwd, title, hasBegun: hasBegun(folder, request) }) : null;
  const now: Omit<JobState, "updated_at"> = {
    id: place.id,
    pid: is === "running" ? life.pid : is === "queued" ? 0 : pidOf(place),
    state: end === null ? (is as "queued" | "running") : end.exit_code === 0 ? "completed" : "failed",
    exit_code: end?.exit_code ?? null,
    classification: end?.classification ?? "",
    tokens_used: end?.tokens_used ?? "",
    cwd,
    created_at: toIsoSeconds(startedMs),
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

/** True for the state of a job that has ended. */
export function isFinished({ state }: Pick<JobState, "state">): boolean {
  return state === "completed" || state === "failed";
}

/** True if a run is finished, whether it was started as a job or not. Contract: never throws. */
export function isOver(place: JobPlace, clock: Clock): boolean {
  return isJob(place) ? isFinished(checkJob(place, clock)) : hasOutcome(place.folder);
}

function productsOf({ folder }: JobPlace): Pick<JobState, "log_file" | "meta_glob" | "last_message_glob"> {
  return {
    log_file: join(folder, JOB_FILES.log),
    meta_glob: join(folder, "*.meta.json"),
    last_message_glob: join(folder, "*.last.txt"),
  };
}

function hasBegun(folder: string, request: JobRequest | null): boolean {
  return request?.maxParallel == null || entryKindOf(join(folder, JOB_FILES.go)) !== "missing";
}

/** Pid of the process that is gone. */
function pidOf({ folder }: JobPlace): number {
  return readInteger(readRecord(folder, JOB_FILES.process), "pid") ?? 0;
}

/** Creation time: from the request, else from the id, else from the folder. */
function createdMs({ id, folder }: JobPlace, request: JobRequest | null): number {
  if (request !== null) return request.createdMs;
  const [, year, month, day, hour, minute, second] = /^cdx-(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)/.exec(id) ?? [];
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(ms) ? (lstatOrNull(folder)?.mtimeMs ?? 0) : ms;
}

/** Provisional title of a job, until the run sets one: the first text that it was given. */
function titleFrom(args: readonly string[]): string {
  const [text = ""] = readTyped(args).typed.find(({ name }) => TEXTS.includes(name))?.values ?? [];
  return toCleanLine(text, MAX_TITLE_CHARS);
}

const TEXTS = ["--task", "-c", "--content"];
