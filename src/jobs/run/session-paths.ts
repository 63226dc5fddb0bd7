import { closeSync, constants, mkdirSync, openSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type Clock, toCompactTime } from "../../base/clock.ts";
import type { Environment } from "../../base/environment.ts";
import { toMessage } from "../../base/text.ts";
import type { SessionPaths, StartOptions } from "../../contract/codex-jobs.ts";
import { type Outcome, refuse, succeed } from "../../contract/faults.ts";
import { kindOf } from "./files.ts";
import { type FolderTexts, makeSessionsRoot, type TakenName, takeName, takeRunFolder } from "./run-folder.ts";
import { FOLDER_FAULTS } from "./texts.ts";

/** A run's place on disk, taken by it. */
export interface RunSession {
  /** `YYYYmmdd_HHMMSS`, the run's own where its name is made of it. */
  readonly timestamp: string;
  /** As it stands in names; empty where there is none. */
  readonly tag: string;
  /** `<timestamp>[-tag]`, as the log's first line has it. */
  readonly name: string;
  readonly paths: SessionPaths;
  /** How the run ended, for whoever asks later. */
  readonly outcome: string;
  /** Names the run among all others: everything that it starts carries it. */
  readonly mark: string;
  /** True where the user named the log: then a link is followed. */
  readonly isNamed: boolean;
}

/** What decides where a run's products go. */
interface PlaceDeps {
  readonly env: Environment;
  readonly cwd: string;
  readonly clock: Clock;
  /** `…/.codex-father/sessions`, where nobody names another place. */
  readonly sessionsRoot: string;
}

type PlaceOptions = Pick<StartOptions, "logFile" | "logFolder" | "isFlat" | "tag">;
/** A folder's name has room for 255 bytes. */
const MAX_TAG = 100;
const TEXTS: FolderTexts = {
  notMade: FOLDER_FAULTS.notMade,
  // A link alone: where a file stands, making the folder below it says so.
  planted: (path) => (kindOf(path) === "link" ? FOLDER_FAULTS.link(path) : null),
  noFreeName: (root) => FOLDER_FAULTS.notMade(root, "no free name"),
};

/** `YYYYmmdd_HHMMSS` in UTC. */
function toTimestamp(ms: number): string {
  return toCompactTime(ms).replace("-", "_");
}

/** A tag as it may stand in the name of a file: anything but letters, digits, `_`, `.` and `-` becomes `-`. */
export function cleanTag(tag: string): string {
  return tag.replace(/[^A-Za-z0-9_.-]/g, "-").slice(0, MAX_TAG);
}

/** The name of a run of that time and clean tag. */
export function toRunName(timestamp: string, tag: string): string {
  return tag === "" ? timestamp : `${timestamp}-${tag}`;
}

/**
 * Takes a place for a run: the log that was named, the folder that was named for this run, or one of its own below the
 * sessions' root. Contract: never throws; two runs never get the same folder or flat log, the later one has the next free
 * second; refused where a folder of ours is a link, because it could lead anywhere.
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

function toSession(
  log: string,
  { timestamp, tag, isNamed }: Pick<RunSession, "timestamp" | "tag" | "isNamed">,
): RunSession {
  const folder = dirname(log);
  const base = log.replace(/\.log$/, "");
  // Only a run that has the folder to itself can leave a name there that is not its own.
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

/** Makes a run's log among others. */
function takeFlatLog(root: string, nowMs: number, toName: (ms: number) => string): Outcome<TakenName> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  return takeName(root, nowMs, TEXTS, (ms) => {
    const log = join(root, toName(ms));
    const make = () => closeSync(openSync(log, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600));
    return { path: log, shown: root, make };
  });
}

/** Makes a folder that somebody named. */
function makeNamed(folder: string): Outcome<string> {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return succeed(folder);
  } catch (thrown) {
    return refuse(...FOLDER_FAULTS.notMade(folder, toMessage(thrown)));
  }
}

/** A link in the place of a session's folder or, where that is one of ours, of a folder above it. */
function findLink(folder: string): string | undefined {
  const parents = [folder, dirname(folder), dirname(dirname(folder))];
  const ours = basename(dirname(dirname(folder))) === ".codex-father" ? parents : [folder];
  return ours.find((path) => kindOf(path) === "link");
}

/** A tag as it stands in ids: what names of files must not have becomes `-`, and no two dots stand together. */
export function toTag(text: string): string {
  return cleanTag(text).replace(/\.{2,}/g, ".");
}

/** `cdx-<YYYYmmdd_HHMMSS>[-tag]`, the time in UTC. */
export function toJobId(ms: number, tag: string): string {
  return `cdx-${toRunName(toTimestamp(ms), tag)}`;
}

/** True for the name of a job's folder: nothing that leads elsewhere. */
export function isJobId(id: string): boolean {
  return /^[A-Za-z0-9_.:-]{1,200}$/.test(id) && !id.startsWith(".") && !id.includes("..");
}
