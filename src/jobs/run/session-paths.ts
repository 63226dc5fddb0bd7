import { closeSync, constants, lstatSync, mkdirSync, openSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type Clock, toCompactTime } from "../../base/clock.ts";
import { toMessage } from "../../base/text.ts";
import type { SessionPaths, StartOptions } from "../../contract/codex-jobs.ts";
import { FOLDER_FAULTS } from "../../contract/codex-run-texts.ts";
import { type Outcome, refuse, succeed } from "../../contract/faults.ts";

/** A run's place on disk, taken by it. */
export interface Session {
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
export interface PlaceDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly clock: Clock;
  /** `…/.codex-father/sessions`, where nobody names another place. */
  readonly sessionsRoot: string;
}

type PlaceOptions = Pick<StartOptions, "logFile" | "logFolder" | "isFlat" | "tag">;
/** Runs of one second each get a second of their own; so many at once are a mistake somewhere. */
const MAX_TRIES = 10_000;
/** A folder's name has room for 255 bytes. */
const MAX_TAG = 100;

/** `YYYYmmdd_HHMMSS` in UTC. */
export function toTimestamp(ms: number): string {
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
export function openSession(options: PlaceOptions, deps: PlaceDeps): Outcome<Session> {
  const { env, cwd, clock, sessionsRoot } = deps;
  const tag = cleanTag(options.tag);
  const nowMs = clock.nowMs();
  const taken = { timestamp: toTimestamp(nowMs), tag, isNamed: false };
  if (options.logFile !== null) {
    const log = resolve(cwd, options.logFile);
    return makeNamed(dirname(log)) ?? succeed(toSession(log, { ...taken, isNamed: true }));
  }
  const ownFolder = env["CODEX_SESSION_DIR"];
  if (ownFolder) {
    const folder = resolve(cwd, ownFolder);
    const trouble = findLink(folder) ?? makeNamed(folder);
    return trouble ?? succeed(toSession(join(folder, "job.log"), taken));
  }
  const named = env["CODEX_SESSIONS_ROOT"] || options.logFolder;
  const root = named ? resolve(cwd, named) : sessionsRoot;
  const trouble = named ? makeNamed(root) : makeRoot(root);
  if (trouble !== null) return trouble;
  const take = options.isFlat ? takeFlat : takeFolder;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const timestamp = toTimestamp(nowMs + tries * 1_000);
    const log = take(root, toRunName(timestamp, tag));
    if (typeof log === "string") return succeed(toSession(log, { ...taken, timestamp }));
    if (log !== null) return log;
  }
  return refuse(...FOLDER_FAULTS.notMade(root, "no free name"));
}

function toSession(log: string, { timestamp, tag, isNamed }: Pick<Session, "timestamp" | "tag" | "isNamed">): Session {
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

/** Makes a run's own folder: its log, null where the name is taken. */
function takeFolder(root: string, name: string): string | Outcome<never> | null {
  const folder = join(root, `exec-${name}`);
  return attempt(folder, () => {
    mkdirSync(folder, { mode: 0o700 });
    return join(folder, "job.log");
  });
}

/** Makes a run's log among others: its path, null where the name is taken. */
function takeFlat(root: string, name: string): string | Outcome<never> | null {
  const log = join(root, `codex-${name}.log`);
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  return attempt(root, () => {
    closeSync(openSync(log, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600));
    return log;
  });
}

function attempt(path: string, make: () => string): string | Outcome<never> | null {
  try {
    return make();
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "EEXIST") return null;
    return refuse(...FOLDER_FAULTS.notMade(path, toMessage(thrown)));
  }
}

/** Makes a folder that somebody named. Null where it is there. */
function makeNamed(folder: string): Outcome<never> | null {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return null;
  } catch (thrown) {
    return refuse(...FOLDER_FAULTS.notMade(folder, toMessage(thrown)));
  }
}

/** Makes our own root, `.codex-father/sessions`, step by step, and follows no link on the way. Null where it is there. */
function makeRoot(root: string): Outcome<never> | null {
  for (const folder of [dirname(root), root]) {
    const made = attempt(folder, () => {
      mkdirSync(folder, { mode: 0o700 });
      return folder;
    });
    if (made !== null && typeof made !== "string") return made;
    const link = isLink(folder);
    if (link) return refuse(...FOLDER_FAULTS.link(folder));
  }
  return null;
}

/** Refuses a session's folder that is a link, or that lies below a link in a place of ours. */
function findLink(folder: string): Outcome<never> | null {
  const parents = [folder, dirname(folder), dirname(dirname(folder))];
  const ours = basename(dirname(dirname(folder))) === ".codex-father" ? parents : [folder];
  const link = ours.find(isLink);
  return link === undefined ? null : refuse(...FOLDER_FAULTS.link(link));
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}
