import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import type { Environment } from "../../base/environment.ts";
import { identifyProcess } from "../../base/process-identity.ts";
import { replaceFile } from "../../base/state-files.ts";
import { startDetached } from "../../base/subprocess/start-detached.ts";
import { type Outcome, refuse } from "../../contract/faults.ts";
import { toTag } from "../run/session-paths.ts";
import { readTyped } from "../run/start-option-table.ts";
import { parseStartOptions } from "../run/start-options.ts";
import { WAIT_SCRIPT } from "./queue.ts";
import { makeSeal } from "./seal.ts";
import { findCwd, JOB_FILES, type JobPlace, supervisorMark, takePlace } from "./store.ts";
import { JOB_TEXTS } from "./texts.ts";

/** A program and the arguments that come before all others. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** What jobs need from outside. */
export interface JobDeps {
  readonly env: Environment;
  readonly clock: Clock;
  /** Runs Codex once, in the foreground, with the options of start.sh. */
  readonly startProgram: Program;
  /** Is given a job's folder when its run is gone, however it went. */
  readonly settleProgram: Program;
  /** Hears, a line each, of what was broken and is repaired, or cannot be. */
  readonly tell?: (line: string) => void;
}

/** A job that is asked for. */
export interface JobRequestInput {
  readonly cwd: string;
  readonly tag: string;
  /** Options of start.sh. Contract: none is refused; a bad one ends as a failed job. */
  readonly args: readonly string[];
  /** Most jobs of this folder that may run when this one begins; without it the job begins at once. */
  readonly maxParallel?: number | undefined;
  /** Those with more begin first; 0 where it is not named. */
  readonly priority?: number | undefined;
  /** What the run reads as standard input. */
  readonly stdin?: string | undefined;
}

const MAX_LIMIT = 1_000;
const STDIN_FILE = "stdin";

/**
 * Makes a job's folder and starts its process, which waits for its turn where there is a limit. Contract: never throws;
 * two starts never get the same folder; where it is refused nothing is left.
 */
export async function launchJob(input: JobRequestInput, deps: JobDeps): Promise<Outcome<JobPlace>> {
  const { maxParallel, priority = 0, stdin } = input;
  if (maxParallel !== undefined && !isWhole(maxParallel, 1)) return refuse(JOB_TEXTS.badLimit);
  if (!isWhole(priority, -MAX_LIMIT)) return refuse(JOB_TEXTS.badPriority);
  const cwd = findCwd(input.cwd);
  if (!cwd.ok) return cwd;
  const tag = toTag(input.tag);
  const createdMs = deps.clock.nowMs();
  const place = takePlace(cwd.value, tag, createdMs);
  if (!place.ok) return place;
  const { folder } = place.value;
  const withdraw = (line: string) => {
    removeQuietly(folder);
    return refuse(line);
  };
  const args = mayKeep(input.args, deps) ? input.args : null;
  const record = {
    tag,
    max_parallel: maxParallel ?? null,
    priority,
    created_ms: createdMs,
    starter: identifyProcess(process.pid),
    args,
    seal: makeSeal(folder, args, deps.env),
  };
  const files = [
    // There from the beginning: whoever started the job may watch it at once.
    [JOB_FILES.log, ""],
    ...(stdin === undefined ? [] : [[STDIN_FILE, stdin] as const]),
    [JOB_FILES.request, `${JSON.stringify(record)}\n`],
  ] as const;
  if (!files.every(([name, text]) => replaceFile(folder, name, text)))
    return withdraw(JOB_TEXTS.notWritable(folder, JOB_TEXTS.noRoom));
  const run = toCommand(input, tag, join(folder, JOB_FILES.log), deps);
  const held = maxParallel === undefined ? run : holdBack(folder, run);
  const pid = await startDetached(held.command, held.args, {
    cwd: cwd.value,
    env: deps.env,
    outputFiles: { stdout: join(folder, JOB_FILES.stdout), stderr: join(folder, JOB_FILES.stderr) },
    inputFile: stdin === undefined ? undefined : join(folder, STDIN_FILE),
    job: supervisorMark(folder),
    heir: { command: deps.settleProgram.command, args: [...deps.settleProgram.args, folder] },
  });
  // It is open in the run; what somebody said need not lie about.
  if (stdin !== undefined) removeQuietly(join(folder, STDIN_FILE));
  if (pid === null) return withdraw(JOB_TEXTS.notStarted(run.command));
  // A process that is gone already has no identity any more; that it was there is worth writing down.
  const identity = identifyProcess(pid) ?? { pid, startedAt: "gone", bootId: "gone" };
  replaceFile(folder, JOB_FILES.process, `${JSON.stringify(identity)}\n`);
  replaceFile(folder, JOB_FILES.pid, `${pid}\n`);
  return place;
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // It stays; without its records nobody takes it for a job.
  }
}

function isWhole(value: number, min: number): boolean {
  return Number.isInteger(value) && value >= min && value <= MAX_LIMIT;
}

/** Where secrets are to be kept off the disk, so are the texts of the options. */
function mayKeep(args: readonly string[], { env }: JobDeps): boolean {
  const options = parseStartOptions(args, env);
  return options.ok ? !options.value.redacts : !args.some((arg) => arg.startsWith("--redact") || arg === "secure");
}

function toCommand(input: JobRequestInput, tag: string, log: string, { startProgram }: JobDeps): Program {
  return {
    command: startProgram.command,
    args: [
      ...startProgram.args,
      ...["--log-file", log],
      ...(tag === "" ? [] : ["--tag", tag]),
      ...withoutLogFile(input.args),
    ],
  };
}

/** The options without another place for the log: a job's lies in its folder, where its state is read from. */
export function withoutLogFile(args: readonly string[]): readonly string[] {
  const { typed, rest } = readTyped(args);
  const kept = typed.filter(({ name }) => name !== "--log-file" && name !== "-l").flatMap(({ words }) => words);
  return rest.length === 0 ? kept : [...kept, "--", ...rest];
}

function holdBack(folder: string, run: Program): Program {
  return { command: "/bin/sh", args: ["-c", WAIT_SCRIPT, "sh", folder, run.command, ...run.args] };
}
