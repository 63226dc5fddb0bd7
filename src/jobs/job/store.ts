import { basename, dirname, join, resolve } from "node:path";
import { isOwnFolder, listFolder } from "../../base/file-facts.ts";
import type { ProcessIdentity } from "../../base/process-identity.ts";
import { toRealFolder } from "../../base/repo-root.ts";
import { readStateFile } from "../../base/state-files.ts";
import { isRecord, parseObject, textOf } from "../../base/text.ts";
import { type Outcome, refuse, succeed } from "../../contract/faults.ts";
import { entryKindOf } from "../run/files.ts";
import { type FolderTexts, makeSessionsRoot, sessionsFolder, takeRunFolder } from "../run/run-folder.ts";
import { isJobId, toJobId } from "../run/session-paths.ts";
import { toCleanTag } from "./record-texts.ts";
import { JOB_TEXTS } from "./texts.ts";

/** Location of a job. */
export interface JobPlace {
  readonly id: string;
  /** Real path of its working folder. */
  readonly cwd: string;
  readonly folder: string;
}

/** Names of the files in a job's folder. The run writes the first three. */
export const JOB_FILES = {
  log: "job.log",
  events: "job.events.jsonl",
  outcome: "outcome.json",
  state: "state.json",
  request: "request.json",
  process: "process.json",
  pid: "pid",
  stop: "stop.json",
  /** Exists once a queued job may begin. */
  go: "go",
  /** Named pipe on which a queued job waits. */
  turn: "turn",
  stdout: "bootstrap.out",
  stderr: "bootstrap.err",
} as const;

/**
 * Mark of the processes that start and supervise a run. It differs from the mark of the run's own processes, which are
 * ended together when the run is over.
 */
export function supervisorMark(folder: string): string {
  return `${folder}/supervisor`;
}

/** Unvalidated content of a file. */
export type JobRecord = Readonly<Record<string, unknown>>;

/** Our own records are never longer; a repository can bring anything. */
const MAX_RECORD_BYTES = 4 * 1024 * 1024;

/** Real path of the working folder of jobs. */
export function findCwd(cwd: string): Outcome<string> {
  const real = toRealFolder(resolve(cwd));
  return real === null ? refuse(JOB_TEXTS.noFolder(cwd)) : succeed(real);
}

/** Ancestors of a folder's jobs, outermost first. */
function foldersOf(cwd: string): readonly [string, string] {
  const sessions = sessionsFolder(cwd);
  return [dirname(sessions), sessions];
}

const TEXTS: FolderTexts = {
  notMade: (path, why) => [JOB_TEXTS.notWritable(path, why)],
  planted: (path) => (entryKindOf(path) === "folder" ? null : [JOB_TEXTS.planted(path)]),
  noFreeName: () => [JOB_TEXTS.noFreeId],
};

/** Creates the folder of a new job. Contract: as `takeRunFolder`; anything planted on the path to it is refused. */
export function takePlace(cwd: string, tag: string, nowMs: number): Outcome<JobPlace> {
  const sessions = makeSessionsRoot(foldersOf(cwd)[1], TEXTS);
  if (!sessions.ok) return sessions;
  const taken = takeRunFolder(sessions.value, { nowMs, toName: (ms) => toJobId(ms, tag) }, TEXTS);
  return taken.ok ? succeed({ id: basename(taken.value.path), cwd, folder: taken.value.path }) : taken;
}

/** Finds a job. Contract: an invalid id, and a job behind a symlink, are refused like one that does not exist. */
export function findJob(cwd: string, id: string): Outcome<JobPlace> {
  const place = findAnyRun(cwd, id);
  return !place.ok || isJob(place.value) ? place : refuse(JOB_TEXTS.unknownJob(id, place.value.cwd));
}

/** Finds a run, whether it was started as a job or not; refuses as `findJob` does. */
export function findAnyRun(cwd: string, id: string): Outcome<JobPlace> {
  const real = findCwd(cwd);
  if (!real.ok) return real;
  if (!isJobId(id)) return refuse(JOB_TEXTS.badId(id));
  const folders = foldersOf(real.value);
  const folder = join(folders[1], id);
  const planted = [...folders, folder].find((path) => !["folder", "missing"].includes(entryKindOf(path)));
  if (planted !== undefined) return refuse(JOB_TEXTS.planted(planted));
  if (entryKindOf(folder) === "missing") return refuse(JOB_TEXTS.unknownJob(id, real.value));
  return succeed({ id, cwd: real.value, folder });
}

/**
 * Lists all jobs of a folder, sorted by id. Contract: never throws; omits jobs behind symlinks and entries that are not
 * jobs.
 */
export function listJobPlaces(cwd: string): readonly JobPlace[] {
  const folders = foldersOf(cwd);
  if (folders.some((folder) => entryKindOf(folder) !== "folder")) return [];
  return listFolder(folders[1])
    .filter(isJobId)
    .sort()
    .map((id) => ({ id, cwd, folder: join(folders[1], id) }))
    .filter(isJob);
}

/** Returns the job with this folder, or null: runs that were not started as jobs have folders too. */
export function jobPlaceOf(folder: string): JobPlace | null {
  const sessions = dirname(folder);
  const cwd = dirname(dirname(sessions));
  return foldersOf(cwd)[1] === sessions ? (listJobPlaces(cwd).find((place) => place.folder === folder) ?? null) : null;
}

/** True for the folder of one of our jobs. Other runs may lie in the same place; their folders have neither file. */
export function isJob({ folder }: JobPlace): boolean {
  if (!isOwnFolder(folder)) return false;
  return [JOB_FILES.request, JOB_FILES.state].some((name) => entryKindOf(join(folder, name)) === "file");
}

/** Reads a record of a job. Contract: never throws; null if it is missing, damaged, too long or behind a symlink. */
export function readRecord(folder: string, name: string): JobRecord | null {
  return parseObject(readPlain(folder, name, MAX_RECORD_BYTES) ?? "");
}

/** Reads a file of a job, as `readStateFile` does. Contract: anything but a plain file is never opened. */
export function readPlain(folder: string, name: string, maxBytes: number): string | null {
  return entryKindOf(join(folder, name)) === "file" ? readStateFile(folder, name, maxBytes) : null;
}

/** Returns an integer field of a record; null if it is not one. */
export function readInteger(record: JobRecord | null, name: string): number | null {
  const value = record?.[name];
  return Number.isSafeInteger(value) ? (value as number) : null;
}

/** Returns the process identity in a record; null if there is none. */
export function readIdentity(value: unknown): ProcessIdentity | null {
  if (!isRecord(value)) return null;
  const { pid, startedAt, bootId } = value;
  if (!Number.isSafeInteger(pid) || typeof startedAt !== "string" || typeof bootId !== "string") return null;
  return { pid: pid as number, startedAt, bootId };
}

/** The request that a job was started with. */
export interface JobRequest {
  /** Options of its start; null if they must not be stored on disk. */
  readonly args: readonly string[] | null;
  readonly tag: string;
  /** Null if the job does not wait in the queue. */
  readonly maxParallel: number | null;
  readonly priority: number;
  readonly createdMs: number;
  /** The process that started it: until the job has a process, the job is alive as long as its starter. */
  readonly starter: ProcessIdentity | null;
}

/** The last millisecond of the year 9999. */
const MAX_MS = 253_402_300_799_999;

/** Reads the request of a job; null if it is missing or damaged. */
export function readJobRequest(folder: string): JobRequest | null {
  const record = readRecord(folder, JOB_FILES.request);
  const createdMs = readInteger(record, "created_ms");
  if (record === null || createdMs === null || createdMs < 0 || createdMs > MAX_MS) return null;
  const { args } = record;
  return {
    args: Array.isArray(args) && args.every((arg) => typeof arg === "string") ? args : null,
    tag: toCleanTag(textOf(record, "tag")),
    maxParallel: readInteger(record, "max_parallel"),
    priority: readInteger(record, "priority") ?? 0,
    createdMs,
    starter: readIdentity(record["starter"]),
  };
}
