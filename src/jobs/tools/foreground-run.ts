import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { endJobProcesses } from "../../base/subprocess/marks.ts";
import { superviseProgram } from "../../base/subprocess/supervise-program.ts";
import { cutText, toOneLine } from "../../base/text.ts";
import type { SessionPaths } from "../../contract/codex-jobs.ts";
import { type Outcome, succeed } from "../../contract/faults.ts";
import { defang } from "../../safety/defang/defang.ts";
import { readExitLine } from "../job/end.ts";
import { type JobDeps, toRunArgs } from "../job/start.ts";
import { type JobPlace, supervisorMark } from "../job/store.ts";
import { readTail, withPlainFile } from "../run/files.ts";
import { type Hide, makeHide } from "../run/redaction.ts";
import { removeFolder, sessionsFolder, watchFolder } from "../run/run-folder.ts";
import { openRunSession } from "../run/session-paths.ts";
import { CODEX_FAULTS } from "./texts.ts";

interface ForegroundCall {
  readonly cwd: string;
  /** Empty if there is none. */
  readonly tag: string;
  /** Options of start.sh. */
  readonly args: readonly string[];
  /** Aborting it asks the run to end gracefully. */
  readonly signal: AbortSignal;
  /** Called at most once per second with the elapsed seconds and the last line of the log. */
  readonly onProgress: (seconds: number, line: string) => void;
  /** Called before the run begins with the location of its log. */
  readonly onPlace?: (place: JobPlace) => void;
}

type ForegroundDeps = Pick<JobDeps, "env" | "clock" | "startProgram">;

/** How a run in the foreground ended. Contract: exactly these names, in this order. */
export interface ForegroundEnd {
  readonly runId: string;
  /** From the log; if it has none, `processExit`. */
  readonly exitCode: number;
  readonly cwd: string;
  readonly logFile: string;
  readonly instructionsFile: string;
  readonly metaFile: string;
  /** Path of Codex's last message, even if the file does not exist: a run that fails early leaves none. */
  readonly lastMessageFile: string;
  readonly tag: string;
  /** Exit code of the program that performed the run; -1 if a signal ended it. */
  readonly processExit: number;
}

const NO_TAG = "untagged";
const PROGRESS_MS = 1_000;
/** Longer than a run gives Codex to exit. */
const GRACE_MS = 30_000;
const MAX_STDERR_CHARS = 4_000;

/**
 * Runs Codex to completion, in a new folder below `cwd`. Contract: never throws; aborting the signal ends the run
 * gracefully, and the call still waits for it; a failed run is not a fault, a run that left no log is. The result
 * includes the end of the program's stderr.
 */
export async function runInForeground(
  call: ForegroundCall,
  deps: ForegroundDeps,
): Promise<Outcome<{ readonly end: ForegroundEnd; readonly stderr: string }>> {
  const { cwd } = call;
  const places = { env: {}, cwd, clock: deps.clock, sessionsRoot: sessionsFolder(cwd) };
  const taken = openRunSession({ logFile: null, logFolder: null, isFlat: false, tag: call.tag || NO_TAG }, places);
  if (!taken.ok) return taken;
  const session = taken.value;
  const { paths } = session;
  const args = toRunArgs(paths.log, call.tag === "" ? "" : session.tag, call.args);
  const isInPlace = watchFolder(paths.folder);
  call.onPlace?.({ id: basename(paths.folder), cwd, folder: paths.folder });
  const watched = { log: paths.log, mark: supervisorMark(paths.folder), isInPlace };
  const done = await supervise({ ...call, args }, deps, watched);
  // If it was killed, it could not end Codex itself.
  if (done.exitCode === null) endJobProcesses(session.mark);
  if (!isInPlace()) return CODEX_FAULTS.replaced(paths.folder);
  if (done.startError !== "") {
    removeFolder(paths.folder);
    return CODEX_FAULTS.notStarted(deps.startProgram.command, done.startError);
  }
  const processExit = done.exitCode ?? -1;
  if (processExit !== 0 && !existsSync(paths.log))
    return CODEX_FAULTS.ended(deps.startProgram.command, `exit code ${processExit}`, done.stderr.trim());
  const end: ForegroundEnd = {
    runId: basename(paths.folder),
    exitCode: readExitLine(paths.log) ?? processExit,
    cwd,
    logFile: paths.log,
    instructionsFile: paths.instructions,
    metaFile: paths.meta,
    lastMessageFile: findLastMessage(paths),
    tag: session.tag,
    processExit,
  };
  return succeed({ end, stderr: done.stderr });
}

async function supervise(
  { cwd, args, signal, onProgress }: ForegroundCall,
  { env, clock, startProgram }: ForegroundDeps,
  { log, mark, isInPlace }: { readonly log: string; readonly mark: string; readonly isInPlace: () => boolean },
) {
  const beginMs = clock.monotonicMs();
  const hide = makeHide(env);
  let told = "";
  const decoder = new StringDecoder("utf8");
  let stderr = "";
  const timer = setInterval(() => {
    const line = isInPlace() ? readLastLine(log, hide) : "";
    if (line === "" || line === told) return;
    told = line;
    onProgress(Math.round((clock.monotonicMs() - beginMs) / 1_000), line);
  }, PROGRESS_MS);
  const done = await superviseProgram({
    command: startProgram.command,
    args: [...startProgram.args, ...args],
    cwd,
    env,
    stdin: "",
    signal,
    graceMs: GRACE_MS,
    job: mark,
    onStdout: () => {},
    onStderr: (chunk) => {
      stderr = (stderr + decoder.write(chunk)).slice(-MAX_STDERR_CHARS);
    },
  });
  clearInterval(timer);
  // The cut may have split a surrogate pair.
  return { ...done, stderr: stderr.replace(/^[\udc00-\udfff]/, "") };
}

/** Path of the message of the last iteration that left one. */
function findLastMessage({ base }: SessionPaths): string {
  const folder = dirname(base);
  const first = `${base}.r1.last.txt`;
  const numberOf = (name: string) =>
    name.startsWith(`${basename(base)}.r`) ? Number(/\.r(\d{1,9})\.last\.txt$/.exec(name)?.[1] ?? 0) : 0;
  try {
    const [newest = ""] = readdirSync(folder).toSorted((one, other) => numberOf(other) - numberOf(one));
    return numberOf(newest) > 0 ? join(folder, newest) : first;
  } catch {
    return first;
  }
}

/** More than one line: a multi-line secret cannot be recognised from its last line alone. */
const TAIL_BYTES = 16 * 1024;
const MAX_CHARS = 200;

/**
 * Returns the last non-blank line of a log, safe to show while the log is still growing. Contract: never throws or
 * blocks; empty if there is none.
 */
export function readLastLine(path: string, hide: Hide): string {
  return withPlainFile(path, "", (file) => {
    const lines = hide(defang(readTail(file, TAIL_BYTES).toString("utf8"))).split("\n");
    return cutText(lines.map(toOneLine).findLast(Boolean) ?? "", MAX_CHARS).text;
  });
}
