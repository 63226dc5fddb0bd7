import { join } from "node:path";
import type { Environment } from "../../base/environment.ts";
import { identifyProcess } from "../../base/process-identity.ts";
import { removeQuietly, replaceFile } from "../../base/state-files.ts";
import { startDetached } from "../../base/subprocess/start-detached.ts";
import { type Outcome, refuse } from "../../contract/faults.ts";
import { removeFolder } from "../run/run-folder.ts";
import { toTag } from "../run/session-paths.ts";
import { readTyped } from "../run/start-option-table.ts";
import { parseStartOptions } from "../run/start-options.ts";
import { type QueueDeps, WAIT_SCRIPT } from "./queue.ts";
import { makeSeal } from "./seal.ts";
import { findCwd, JOB_FILES, type JobPlace, supervisorMark, takePlace } from "./store.ts";
import { JOB_TEXTS } from "./texts.ts";

/** A program and its leading arguments. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** Dependencies of jobs. */
export interface JobDeps extends QueueDeps {
  readonly env: Environment;
  /** Runs Codex once, in the foreground, with the options of start.sh. */
  readonly startProgram: Program;
  /** Called with a job's folder when its run is gone, however it ended. */
  readonly settleProgram: Program;
}

/** A request to start a job. */
export interface JobRequestInput {
  readonly cwd: string;
  readonly tag: string;
  /** Options of start.sh. Contract: none is refused; an invalid one ends as a failed job. */
  readonly args: readonly string[];
  /** Maximum number of running jobs in this folder for this one to begin; without it, the job begins immediately. */
  readonly maxParallel?: number | undefined;
  /** Jobs with a higher priority begin first; 0 by default. */
  readonly priority?: number | undefined;
  /** Standard input of the run. */
  readonly stdin?: string | undefined;
}

const MAX_LIMIT = 1_000;
const STDIN_FILE = "stdin";

/**
 * Creates a job's folder and starts its process, which waits for its turn if there is a limit. Contract: never throws;
 * two starts never get the same folder; a refusal leaves nothing behind.
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
    // If it stays, it does not count as a job without its records.
    removeFolder(folder);
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
    // Exists from the beginning, so that the caller can follow the log at once.
    [JOB_FILES.log, ""],
    ...(stdin === undefined ? [] : [[STDIN_FILE, stdin] as const]),
    [JOB_FILES.request, `${JSON.stringify(record)}\n`],
  ] as const;
  if (!files.every(([name, text]) => replaceFile(folder, name, text)))
    return withdraw(JOB_TEXTS.notWritable(folder, JOB_TEXTS.noRoom));
  const { command, args: leading } = deps.startProgram;
  const run = { command, args: [...leading, ...toRunArgs(join(folder, JOB_FILES.log), tag, input.args)] };
  const held = maxParallel === undefined ? run : holdBack(folder, run);
  const pid = await startDetached(held.command, held.args, {
    cwd: cwd.value,
    env: deps.env,
    outputFiles: { stdout: join(folder, JOB_FILES.stdout), stderr: join(folder, JOB_FILES.stderr) },
    inputFile: stdin === undefined ? undefined : join(folder, STDIN_FILE),
    job: supervisorMark(folder),
    heir: { command: deps.settleProgram.command, args: [...deps.settleProgram.args, folder] },
  });
  // The run has it open; the user's text should not remain on disk.
  if (stdin !== undefined) removeQuietly(join(folder, STDIN_FILE));
  if (pid === null) return withdraw(JOB_TEXTS.notStarted(command));
  // A process that has already exited has no identity; that it existed is still worth recording.
  const identity = identifyProcess(pid) ?? { pid, startedAt: "gone", bootId: "gone" };
  replaceFile(folder, JOB_FILES.process, `${JSON.stringify(identity)}\n`);
  replaceFile(folder, JOB_FILES.pid, `${pid}\n`);
  return place;
}

function isWhole(value: number, min: number): boolean {
  return Number.isInteger(value) && value >= min && value <= MAX_LIMIT;
}

/** True if the options may be stored: not if secrets are to be kept off the disk. */
function mayKeep(args: readonly string[], { env }: JobDeps): boolean {
  const options = parseStartOptions(args, env);
  return options.ok ? !options.value.redacts : !args.some((arg) => arg.startsWith("--redact") || arg === "secure");
}

/**
 * Returns the options of a run whose log lies in its own folder, from which its state is read. Contract: replaces any
 * `--log-file`; an empty tag adds none.
 */
export function toRunArgs(log: string, tag: string, args: readonly string[]): readonly string[] {
  const { typed, rest } = readTyped(args);
  const kept = typed.filter(({ name }) => name !== "--log-file" && name !== "-l").flatMap(({ words }) => words);
  const tagged = tag === "" ? [] : ["--tag", tag];
  return ["--log-file", log, ...tagged, ...kept, ...(rest.length === 0 ? [] : ["--", ...rest])];
}

function holdBack(folder: string, run: Program): Program {
  return { command: "/bin/sh", args: ["-c", WAIT_SCRIPT, "sh", folder, run.command, ...run.args] };
}
