import { closeSync, constants, mkdirSync, openSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type Clock, toCompactTime } from "../../base/clock.ts";
import type { Environment } from "../../base/environment.ts";
import { toMessage } from "../../base/text.ts";
import type { SessionPaths, StartOptions } from "../../contract/codex-jobs.ts";
import { type Outcome, refuse, succeed } from "../../contract/faults.ts";
import { entryKindOf } from "./files.ts";
import { type FolderTexts, makeSessionsRoot, type TakenName, takeName, takeRunFolder } from "./run-folder.ts";
import { FOLDER_FAULTS } from "./texts.ts";

/** A run's location on disk, reserved by it. */
export interface RunSession {
  /** `YYYYmmdd_HHMMSS`; the run's own if its name is derived from it. */
  readonly timestamp: string;
  /** As used in names; empty if there is none. */
  readonly tag: string;
  /** `<timestamp>[-tag]`, as in the first line of the log. */
  readonly name: string;
  readonly paths: SessionPaths;
  /** Path of the outcome file, which records how the run ended. */
  readonly outcome: string;
  /** Unique mark of the run, carried by every process that it starts. */
  readonly mark: string;
  /** True if the user named the log: then a symlink is followed. */
  readonly isNamed: boolean;
}

interface PlaceDeps {
  readonly env: Environment;
  readonly cwd: string;
  readonly clock: Clock;
  /** `…/.codex-father/sessions`, the default location. */
  readonly sessionsRoot: string;
}

type PlaceOptions = Pick<StartOptions, "logFile" | "logFolder" | "isFlat" | "tag">;
/** Leaves room in a folder name of at most 255 bytes. */
const MAX_TAG = 100;
const TEXTS: FolderTexts = {
  notMade: FOLDER_FAULTS.notMade,
  // Only a symlink: if there is a file, creating the folder below it reports that.
  planted: (path) => (entryKindOf(path) === "link" ? FOLDER_FAULTS.link(path) : null),
  noFreeName: (root) => FOLDER_FAULTS.notMade(root, "no free name"),
};

/** `YYYYmmdd_HHMMSS` in UTC. */
export function toTimestamp(ms: number): string {
  return toCompactTime(ms).replace("-", "_");
}

/** Makes a tag safe for file names: anything but letters, digits, `_`, `.` and `-` becomes `-`. */
function cleanTag(tag: string): string {
  return tag.replace(/[^A-Za-z0-9_.-]/g, "-").slice(0, MAX_TAG);
}

function toRunName(timestamp: string, tag: string): string {
  return tag === "" ? timestamp : `${timestamp}-${tag}`;
}

/**
 * Reserves a location for a run: the named log, the folder named for this run, or a new folder below the sessions root.
 * Contract: never throws; two runs never get the same folder or flat log, the later one gets the next free second;
 * refused if one of our folders is a symlink, because it could lead anywhere.
 */
export function openRunSession(options: PlaceOptions, deps: PlaceDeps): Outcome<RunSession> {
  const { env, cwd, clock, sessionsRoot } = deps;
  const tag = cleanTag(options.tag);
  const nowMs = clock.nowMs();
  const taken = { timestamp: toTimestamp(nowMs), tag, isNamed: false };
  if (options.logFile !== null) {
    const log = resolve(cwd, options.logFile);
    const made = makeNamed(dirname(log));
    return made.ok ? succeed(toSession(log, { ...taken, isNamed: true })) : made;
  }
  const ownFolder = env["CODEX_SESSION_DIR"];
  if (ownFolder) {
    const folder = resolve(cwd, ownFolder);
    const link = findLink(folder);
    const made = link === undefined ? makeNamed(folder) : refuse(...FOLDER_FAULTS.link(link));
    return made.ok ? succeed(toSession(join(folder, "job.log"), taken)) : made;
  }
  const named = env["CODEX_SESSIONS_ROOT"] || options.logFolder;
  const root = named ? resolve(cwd, named) : sessionsRoot;
  const made = named ? makeNamed(root) : makeSessionsRoot(root, TEXTS);
  if (!made.ok) return made;
  const toName = (ms: number) => toRunName(toTimestamp(ms), tag);
  const free = options.isFlat
    ? takeFlatLog(root, nowMs, (ms) => `codex-${toName(ms)}.log`)
    : takeRunFolder(root, { nowMs, toName: (ms) => `exec-${toName(ms)}` }, TEXTS);
  if (!free.ok) return free;
  const { path, ms } = free.value;
  const log = options.isFlat ? path : join(path, "job.log");
  return succeed(toSession(log, { ...taken, timestamp: toTimestamp(ms) }));
}

/** Derives everything else about the location of a run from its log. */
export function toSession(
  log: string,
  { timestamp, tag, isNamed }: Pick<RunSession, "timestamp" | "tag" | "isNamed">,
): RunSession {
  const folder = dirname(log);
  const base = log.replace(/\.log$/, "");
  // Only a run that has the folder to itself may use fixed file names there.
  const isAlone = basename(log) === "job.log";
  return {
    timestamp,
    tag,
    isNamed,
    name: toRunName(timestamp, tag),
    paths: {
      folder,
      log,
      base,
      instructions: `${base}.instructions.md`,
      meta: `${base}.meta.json`,
      events: `${base}.events.jsonl`,
    },
    outcome: isAlone ? join(folder, "outcome.json") : `${base}.outcome.json`,
    mark: isAlone ? folder : base,
  };
}

/** Creates a run's log in a folder shared with others. */
function takeFlatLog(root: string, nowMs: number, toName: (ms: number) => string): Outcome<TakenName> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  return takeName(root, nowMs, TEXTS, (ms) => {
    const log = join(root, toName(ms));
    const make = () => closeSync(openSync(log, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600));
    return { path: log, shown: root, make };
  });
}

function makeNamed(folder: string): Outcome<string> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return succeed(folder);
  } catch (thrown) {
    return refuse(...FOLDER_FAULTS.notMade(folder, toMessage(thrown)));
  }
}

/** Finds a symlink in the place of a session's folder or, if the folder is ours, of an ancestor. */
function findLink(folder: string): string | undefined {
  const parents = [folder, dirname(folder), dirname(dirname(folder))];
  const ours = basename(dirname(dirname(folder))) === ".codex-father" ? parents : [folder];
  return ours.find((path) => entryKindOf(path) === "link");
}

/**
 * Makes a tag safe for ids: characters that file names must not contain become `-`, and consecutive dots collapse to
 * one.
 */
export function toTag(text: string): string {
  return cleanTag(text).replace(/\.{2,}/g, ".");
}

/** `cdx-<YYYYmmdd_HHMMSS>[-tag]`, the time in UTC. */
export function toJobId(ms: number, tag: string): string {
  return `cdx-${toRunName(toTimestamp(ms), tag)}`;
}

/** True for a valid name of a job's folder: it cannot lead elsewhere. */
export function isJobId(id: string): boolean {
  return /^[A-Za-z0-9_.:-]{1,200}$/.test(id) && !id.startsWith(".") && !id.includes("..");
}
