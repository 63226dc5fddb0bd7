import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type * as z from "zod/mini";
import { readInside } from "../../base/jail.ts";
import { cutText, toCode, toMessage } from "../../base/text.ts";
import { EXIT_USAGE } from "../../contract/codex-jobs.ts";
import { countOf } from "../../contract/count-of.ts";
import { fail, type Outcome, succeed } from "../../contract/faults.ts";
import { LIMITS, type Limit } from "../../contract/limits.ts";
import type { ToolAnswer, ToolContext } from "../../contract/tool.ts";
import { type JoinedLog, readCleanBytes, readJoinedLines } from "../job/clean-log.ts";
import { jobStatus, listJobs, startJob, stopJob } from "../job/commands.ts";
import type { LogBytes } from "../job/logs.ts";
import { readsLikeOrder } from "../job/record-texts.ts";
import type { JobDeps } from "../job/start.ts";
import { MCP_REFUSALS } from "../policy/texts.ts";
import { makeHide } from "../run/redaction.ts";
import type { ExecInput, ListInput, LogsInput, StartInput, StatusInput, StopInput } from "./codex-inputs.ts";
import { runInForeground } from "./foreground-run.ts";
import { findMcpRefusals } from "./mcp-limits.ts";
import { injectMcpOptions } from "./mcp-options.ts";
import { findLogFile, runStandIn, type StandIn } from "./stand-in.ts";
import { CODEX_FAULTS } from "./texts.ts";

/** Dependencies of the calls. */
export interface CodexToolDeps extends JobDeps {
  /** Working folder of the caller. */
  readonly folder: string;
  /** Folder of job.sh: a job requested without a `cwd` may also be located there. */
  readonly home: string;
  /** Programs that the user's environment substitutes for ours; null if there are none. */
  readonly startStandIn: StandIn | null;
  readonly jobStandIn: StandIn | null;
  readonly runs: OpenRuns;
}

/** Foreground runs that have not ended; the server waits for them before it exits. */
interface OpenRuns {
  /** Aborted when the server shuts down: every run is then asked to end. */
  readonly stopping: AbortSignal;
  readonly add: (run: Promise<unknown>) => void;
}

type Call<T extends () => z.ZodMiniType> = (
  input: z.output<ReturnType<T>>,
  context: ToolContext,
  deps: CodexToolDeps,
) => Promise<Outcome<ToolAnswer>>;

const MAX_REASON_CHARS = 1_000;
const MAX_MESSAGE_BYTES = 32 * 1024;
/** More would exceed the maximum size of a result. */
const MOST_JOBS = 500;
/** Maximum size of a single program argument on Linux. */
const MAX_ARG_BYTES = 131_071;

/**
 * Runs Codex to completion. Contract: never throws; a failed run is an answer, not a fault; cancelling the call ends
 * the run.
 */
export const execCodex: Call<typeof ExecInput> = async (input, { signal, report }, deps) => {
  const place = findPlace(input, deps);
  if (!place.ok) return place;
  const { startStandIn } = deps;
  const run = runInForeground(
    {
      ...place.value,
      tag: input.tag ?? "",
      signal: AbortSignal.any([signal, deps.runs.stopping]),
      onProgress: (done, message) => report({ done, message }),
    },
    startStandIn === null ? deps : { ...deps, startProgram: { command: startStandIn.program, args: [] } },
  );
  deps.runs.add(run);
  const done = await run;
  if (!done.ok)
    return startStandIn !== null && done.fault.detail === "CLI_RUNTIME_ERROR"
      ? CODEX_FAULTS.noProgram(startStandIn.variable, startStandIn.program)
      : done;
  const { end, stderr } = done.value;
  const read = readInside(dirname(end.logFile), end.lastMessageFile, MAX_MESSAGE_BYTES);
  const { text: message, cut } = read.ok ? read.value : { text: null, cut: false };
  return succeed({
    summary: `exit code ${end.exitCode}`,
    data: {
      ...end,
      ...(message === null ? {} : { lastMessage: message }),
      ...(end.exitCode === 0 || stderr.trim() === "" ? {} : { stderr: stderr.trim() }),
      ...(end.exitCode === EXIT_USAGE && stderr.trim() !== "" ? { error: toReason(stderr) } : {}),
    },
    limits: cut ? [LIMITS.lastMessageCut(MAX_MESSAGE_BYTES)] : [],
    names: textsOf(end),
  });
};

/** Starts a job and returns immediately. */
export const startInBackground: Call<typeof StartInput> = async (input, { signal }, deps) => {
  const { tag = "", maxParallel, priority } = input;
  const place = findPlace(input, deps);
  if (!place.ok) return place;
  const { cwd, args } = place.value;
  const { startStandIn, jobStandIn } = deps;
  const call = { cwd, env: deps.env, signal };
  if (startStandIn !== null) {
    const log = findLogFile(args);
    return toPrinted(await runStandIn(startStandIn, log === null ? args : [log, ...args], call));
  }
  if (jobStandIn !== null) {
    const tagged = tag === "" ? [] : ["--tag", tag];
    const options = ["start", "--json", ...tagged, "--cwd", cwd, ...args];
    return toPrinted(await runStandIn(jobStandIn, options, call));
  }
  const limits: Limit[] = [];
  const job = await startJob({ cwd, tag, args, maxParallel, priority }, telling(deps, limits));
  if (!job.ok) return job;
  return succeed({ summary: `job ${job.value.jobId}`, data: { ...job.value }, limits, names: textsOf(job.value) });
};

/** Returns the state of a job. */
export const tellStatus: Call<typeof StatusInput> = async (input, { signal }, deps) => {
  const { jobId: id, cwd } = input;
  const { jobStandIn } = deps;
  if (jobStandIn !== null) return askProgram(jobStandIn, ["status", id, "--json"], cwd, { ...deps, signal });
  const limits: Limit[] = [];
  const found = await lookUp(cwd, deps, (folder) => jobStatus({ cwd: folder, id }, telling(deps, limits)));
  if (!found.ok) return found;
  const { state, tag, cwd: where, log_file, meta_glob, last_message_glob } = found.value;
  // All other texts may have been written by someone else.
  const names = [id, tag, where, log_file, meta_glob, last_message_glob];
  return succeed({ summary: `job ${id}: ${state}`, data: { ...found.value }, limits, names });
};

/** Ends a job. */
export const stopOne: Call<typeof StopInput> = async (input, { signal }, deps) => {
  const { jobId: id, cwd, force = false } = input;
  const { jobStandIn } = deps;
  if (jobStandIn !== null)
    return askProgram(jobStandIn, ["stop", id, ...(force ? ["--force"] : [])], cwd, { ...deps, signal });
  const limits: Limit[] = [];
  const found = await lookUp(cwd, deps, (folder) => stopJob({ cwd: folder, id, force }, telling(deps, limits)));
  if (!found.ok) return found;
  const { message } = found.value;
  return succeed({ summary: message, data: { printed: message }, limits });
};

/** Lists the jobs of a folder. */
export const listAll: Call<typeof ListInput> = async (input, { signal }, deps) => {
  const { jobStandIn } = deps;
  if (jobStandIn !== null) return askProgram(jobStandIn, ["list", "--json"], input.cwd, { ...deps, signal });
  const cwd = findFolder(input.cwd, deps.folder);
  if (!cwd.ok) return cwd;
  const limits: Limit[] = [];
  const jobs = await listJobs({ cwd: cwd.value }, telling(deps, limits));
  if (!jobs.ok) return jobs;
  const named = jobs.value.filter(({ id }) => !readsLikeOrder(id));
  const shown = named.slice(0, MOST_JOBS);
  return succeed({
    summary: countOf(named.length, "job"),
    data: { jobs: shown },
    limits: [
      ...limits,
      ...(named.length < jobs.value.length ? [LIMITS.jobsLeftOut(jobs.value.length - named.length)] : []),
      ...(shown.length < named.length ? [LIMITS.jobsCut(shown.length, named.length)] : []),
    ],
    names: shown.flatMap(({ id, tag }) => [id, tag]),
  });
};

/** Reads part of a log. Contract: its secrets are hidden, wherever the part begins and ends. */
export const readLogPart: Call<typeof LogsInput> = async (input, _context, deps) => {
  const { jobId: id, mode, cwd, tailLines, ...part } = input;
  const found = await lookUp(cwd, deps, async (folder): Promise<Outcome<LogBytes | JoinedLog>> => {
    const wanted = { ...part, cwd: folder, id, tailLines: tailLines || undefined };
    const read = mode === "bytes" ? readCleanBytes(wanted, makeHide(deps.env)) : await readJoinedLines(wanted);
    return read.ok ? read : CODEX_FAULTS.noLog(read.fault.message);
  });
  return found.ok ? succeed({ summary: `log of ${id}`, data: { ...found.value } }) : found;
};

/** Looks for a job in the given folder; if none is given, in the caller's folder and then in that of job.sh. */
async function lookUp<T>(
  cwd: string | undefined,
  { folder, home }: CodexToolDeps,
  look: (folder: string) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const named = findFolder(cwd, folder);
  if (!named.ok) return named;
  const found = await look(named.value);
  if (found.ok || cwd !== undefined) return found;
  const other = await look(home);
  return other.ok ? other : found;
}

/** Collects messages about broken files as limits of the answer. */
function telling(deps: CodexToolDeps, limits: Limit[]): CodexToolDeps {
  return { ...deps, tell: (line) => limits.push(LIMITS.quoted(line)) };
}

/** The reason for a refusal: stderr of the program without lines that are only hints. */
function toReason(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "" && !/^(?:\[|💡|📖| {3})/u.test(line));
  return cutText((lines.length === 0 ? stderr : lines.join("\n")).trim(), MAX_REASON_CHARS).text;
}

function textsOf(value: object): string[] {
  return Object.values(value).filter((text) => typeof text === "string");
}

/** Finds a run's folder and start.sh's options. Contract: refuses what a client may not request, by name. */
function findPlace(
  input: Parameters<typeof injectMcpOptions>[0] & { readonly cwd?: string | undefined },
  { folder, startStandIn }: CodexToolDeps,
): Outcome<{ readonly cwd: string; readonly args: readonly string[] }> {
  const found = findFolder(input.cwd, folder);
  if (!found.ok) return found;
  const cwd = found.value;
  const args = injectMcpOptions(input);
  for (const [at, arg] of input.args.entries()) {
    if (arg.includes("\0")) return CODEX_FAULTS.badArg(at, "has a NUL in it");
    if (Buffer.byteLength(arg) > MAX_ARG_BYTES) return CODEX_FAULTS.badArg(at, `longer than ${MAX_ARG_BYTES} bytes`);
  }
  const refused = findMcpRefusals(args, cwd, { isOurs: startStandIn === null });
  return refused.length === 0 ? succeed({ cwd, args }) : fail("E_INVALID_ARGS", refused.join("\n"), MCP_REFUSALS.hint);
}

/** Lets the substitute for job.sh answer. */
async function askProgram(
  standIn: StandIn,
  args: readonly string[],
  cwd: string | undefined,
  { folder, env, signal }: Pick<CodexToolDeps, "folder" | "env"> & { readonly signal: AbortSignal },
): Promise<Outcome<ToolAnswer>> {
  const named = findFolder(cwd, folder);
  if (!named.ok) return named;
  const options = cwd === undefined ? [] : ["--cwd", named.value];
  return toPrinted(await runStandIn(standIn, [...args, ...options], { cwd: named.value, env, signal }));
}

function toPrinted(printed: Outcome<string>): Outcome<ToolAnswer> {
  if (!printed.ok) return printed;
  return succeed({ summary: printed.value.split("\n", 1)[0] ?? "", data: { printed: printed.value } });
}

/**
 * Resolves a folder named by a caller, relative to `from`, to its real path. Contract: never throws; a folder that
 * cannot be entered is a fault.
 */
export function findFolder(named: string | undefined, from: string): Outcome<string> {
  const folder = resolve(from, named ?? "");
  try {
    if (!statSync(folder).isDirectory()) return CODEX_FAULTS.badFolder(folder, "not a folder");
    accessSync(folder, constants.R_OK | constants.X_OK);
    return succeed(realpathSync(folder));
  } catch (thrown) {
    const code = toCode(thrown);
    const why = code === "ENOENT" ? "no such folder" : code === "EACCES" ? "may not be entered" : toMessage(thrown);
    return CODEX_FAULTS.badFolder(folder, why);
  }
}
