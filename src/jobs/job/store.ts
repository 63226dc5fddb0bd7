import { readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isOwnFolder } from "../../base/ownership.ts";
import type { ProcessIdentity } from "../../base/process-identity.ts";
import { toRealFolder } from "../../base/repo-root.ts";
import { readStateFile } from "../../base/state-files.ts";
import { isRecord, parseObject, textOf } from "../../base/text.ts";
import { type Outcome, refuse, succeed } from "../../contract/faults.ts";
import { kindOf } from "../run/files.ts";
import { type FolderTexts, makeSessionsRoot, takeRunFolder } from "../run/run-folder.ts";
import { isJobId, toJobId } from "../run/session-paths.ts";
import { toCleanTag } from "./record-texts.ts";
import { JOB_TEXTS } from "./texts.ts";

/** Where a job lies. */
export interface JobPlace {
  readonly id: string;
  /** Real path of the folder that it works in. */
  readonly cwd: string;
  readonly folder: string;
}

/** Names of what lies in a job's folder. The first three are the run's. */
export const JOB_FILES = {
  log: "job.log",
  events: "job.events.jsonl",
  outcome: "outcome.json",
  state: "state.json",
  request: "request.json",
  process: "process.json",
  pid: "pid",
  stop: "stop.json",
  /** There once a queued job may begin. */
  go: "go",
  /** A pipe at which a queued job waits. */
  turn: "turn",
  stdout: "bootstrap.out",
  stderr: "bootstrap.err",
} as const;

/**
 * The mark of what starts and watches a run. It differs from that of the run's own processes, which are ended together
 * when the run is over.
 */
export function supervisorMark(folder: string): string {
  return `${folder}/supervisor`;
}

/** Whatever a file says; nothing of it is believed before it was looked at. */
export type JobRecord = Readonly<Record<string, unknown>>;

/** Nothing of ours is longer; a repository can bring anything. */
const MAX_RECORD_BYTES = 4 * 1024 * 1024;

/** Real path of the folder that jobs work in. */
export function findCwd(cwd: string): Outcome<string> {
  const real = toRealFolder(resolve(cwd));
  return real === null ? refuse(JOB_TEXTS.noFolder(cwd)) : succeed(real);
}

/** Folders on the way to the jobs of a folder, outermost first. */
function foldersOf(cwd: string): readonly [string, string] {
  return [join(cwd, ".codex-father"), join(cwd, ".codex-father", "sessions")];
}

const TEXTS: FolderTexts = {
  notMade: (path, why) => [JOB_TEXTS.notWritable(path, why)],
  planted: (path) => (kindOf(path) === "folder" ? null : [JOB_TEXTS.planted(path)]),
  noFreeName: () => [JOB_TEXTS.noFreeId],
};

/** Makes the folder of a new job. Contract: as `takeRunFolder`; what was planted on the way to it is refused. */
export function takePlace(cwd: string, tag: string, nowMs: number): Outcome<JobPlace> {
  const sessions = makeSessionsRoot(foldersOf(cwd)[1], TEXTS);
  if (!sessions.ok) return sessions;
  const taken = takeRunFolder(sessions.value, { nowMs, toName: (ms) => toJobId(ms, tag) }, TEXTS);
  return taken.ok ? succeed({ id: basename(taken.value.path), cwd, folder: taken.value.path }) : taken;
}

/** The place of a job. Contract: an id that is none, and one behind a link, are refused like one that is not there. */
export function findJob(cwd: string, id: string): Outcome<JobPlace> {
  const place = findRun(cwd, id);
  return !place.ok || isJob(place.value) ? place : refuse(JOB_TEXTS.unknownJob(id, place.value.cwd));
}

/** The place of a run, whether it was started as a job or not; refused as `findJob` does. */
export function findRun(cwd: string, id: string): Outcome<JobPlace> {
  const real = findCwd(cwd);
  if (!real.ok) return real;
  if (!isJobId(id)) return refuse(JOB_TEXTS.badId(id));
  const folders = foldersOf(real.value);
  const folder = join(folders[1], id);
  const planted = [...folders, folder].find((path) => !["folder", "missing"].includes(kindOf(path)));
  if (planted !== undefined) return refuse(JOB_TEXTS.planted(planted));
  if (kindOf(folder) === "missing") return refuse(JOB_TEXTS.unknownJob(id, real.value));
  return succeed({ id, cwd: real.value, folder });
}

/** All jobs of a folder, by id. Contract: never throws; what is behind links and what is no job is left out. */
export function listPlaces(cwd: string): readonly JobPlace[] {
  const folders = foldersOf(cwd);
  if (folders.some((folder) => kindOf(folder) !== "folder")) return [];
  return readNames(folders[1])
    .filter(isJobId)
    .sort()
    .map((id) => ({ id, cwd, folder: join(folders[1], id) }))
    .filter(isJob);
}

/** The job whose folder this is, or null: runs that nobody started as a job have folders, too. */
export function placeOf(folder: string): JobPlace | null {
  const sessions = dirname(folder);
  const cwd = dirname(dirname(sessions));
  return foldersOf(cwd)[1] === sessions ? (listPlaces(cwd).find((place) => place.folder === folder) ?? null) : null;
}

/** True for the folder of a job of ours. A run that is none may lie in the same place; its folder has neither of these. */
export function isJob({ folder }: JobPlace): boolean {
  if (!isOwnFolder(folder)) return false;
  return [JOB_FILES.request, JOB_FILES.state].some((name) => kindOf(join(folder, name)) === "file");
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A record of a job. Contract: never throws; null where it is missing, damaged, too long or behind a link. */
export function readRecord(folder: string, name: string): JobRecord | null {
  return parseObject(readPlain(folder, name, MAX_RECORD_BYTES) ?? "");
}

/** Text of a file of a job, as `readStateFile` reads it. Contract: what is no plain file is looked at and never opened. */
export function readPlain(folder: string, name: string, maxBytes: number): string | null {
  return kindOf(join(folder, name)) === "file" ? readStateFile(folder, name, maxBytes) : null;
}

/** A whole number of a record; null where it is none. */
export function numberOf(record: JobRecord | null, name: string): number | null {
  const value = record?.[name];
  return Number.isSafeInteger(value) ? (value as number) : null;
}

/** The process that a record names; null where it names none. */
export function identityOf(value: unknown): ProcessIdentity | null {
  if (!isRecord(value)) return null;
  const { pid, startedAt, bootId } = value;
  if (!Number.isSafeInteger(pid) || typeof startedAt !== "string" || typeof bootId !== "string") return null;
  return { pid: pid as number, startedAt, bootId };
}

/** What a job was asked for. */
export interface JobRequest {
  /** Options of its start; null where they must not lie on the disk. */
  readonly args: readonly string[] | null;
  readonly tag: string;
  /** Null where the job waits for nobody. */
  readonly maxParallel: number | null;
  readonly priority: number;
  readonly createdMs: number;
  /** Who started it: until there is a process, its life is the job's. */
  readonly starter: ProcessIdentity | null;
}

/** The last moment of a year with four digits. */
const MAX_MS = 253_402_300_799_999;

/** What a job was asked for, or null where that is missing or damaged. */
export function readRequest(folder: string): JobRequest | null {
  const record = readRecord(folder, JOB_FILES.request);
  const createdMs = numberOf(record, "created_ms");
  if (record === null || createdMs === null || createdMs < 0 || createdMs > MAX_MS) return null;
  const { args } = record;
  return {
    args: Array.isArray(args) && args.every((arg) => typeof arg === "string") ? args : null,
    tag: toCleanTag(textOf(record, "tag")),
    maxParallel: numberOf(record, "max_parallel"),
    priority: numberOf(record, "priority") ?? 0,
    createdMs,
    starter: identityOf(record["starter"]),
  };
}
