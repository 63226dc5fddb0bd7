import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type * as z from "zod/mini";
import { readInside } from "../../base/jail.ts";
import { countOf, cutText, toCode, toMessage } from "../../base/text.ts";
import { EXIT_USAGE } from "../../contract/codex-jobs.ts";
import { fail, type Outcome, succeed } from "../../contract/faults.ts";
import { LIMITS, type Limit } from "../../contract/limits.ts";
import type { ToolAnswer, ToolContext } from "../../contract/tool.ts";
import { type JoinedLines, readCleanBytes, readJoinedLines } from "../job/clean-log.ts";
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

/** What the calls need from outside. */
export interface CodexToolDeps extends JobDeps {
  /** Folder that the caller stands in. */
  readonly folder: string;
  /** Folder of job.sh: a job that is asked for without a `cwd` may lie there, too. */
  readonly home: string;
  /** Programs that the user's environment names in the place of ours; null where it names none. */
  readonly startStandIn: StandIn | null;
  readonly jobStandIn: StandIn | null;
  readonly runs: OpenRuns;
}

/** Runs in the foreground that go on; whoever ends the server waits for them. */
interface OpenRuns {
  /** Aborted when the server is to end: every run is asked to end as well. */
  readonly stopping: AbortSignal;
  readonly add: (run: Promise<unknown>) => void;
}

/** What a tool does with its input. */
type Call<T extends () => z.ZodMiniType> = (
  input: z.output<ReturnType<T>>,
  context: ToolContext,
  deps: CodexToolDeps,
) => Promise<Outcome<ToolAnswer>>;

const MAX_REASON_CHARS = 1_000;
const MAX_MESSAGE_BYTES = 32 * 1024;
/** More would be more than one result may be. */
const MOST_JOBS = 500;
/** One argument of a program holds so much on Linux. */
const MAX_ARG_BYTES = 131_071;

/** Runs Codex to its end. Contract: never throws; a run that failed is an answer; who takes the call back ends the run. */
export const execCodex: Call<typeof ExecInput> = async (input, { signal, report }, deps) => {
  const cwd = findFolder(input.cwd, deps.folder);
  if (!cwd.ok) return cwd;
  const args = toArgs(input, cwd.value, deps);
  if (!args.ok) return args;
  const { startStandIn } = deps;
  const run = runInForeground(
    {
      cwd: cwd.value,
      tag: input.tag ?? "",
      args: args.value,
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

/** Starts a job and returns at once. */
export const startInBackground: Call<typeof StartInput> = async (input, { signal }, deps) => {
  const { tag = "", maxParallel, priority } = input;
  const cwd = findFolder(input.cwd, deps.folder);
  if (!cwd.ok) return cwd;
  const args = toArgs(input, cwd.value, deps);
  if (!args.ok) return args;
  const { startStandIn, jobStandIn } = deps;
  const call = { cwd: cwd.value, env: deps.env, signal };
  if (startStandIn !== null) {
    const log = findLogFile(args.value);
    return toPrinted(await runStandIn(startStandIn, log === null ? args.value : [log, ...args.value], call));
  }
  if (jobStandIn !== null) {
    const tagged = tag === "" ? [] : ["--tag", tag];
    const options = ["start", "--json", ...tagged, "--cwd", cwd.value, ...args.value];
    return toPrinted(await runStandIn(jobStandIn, options, call));
  }
  const limits: Limit[] = [];
  const job = await startJob({ cwd: cwd.value, tag, args: args.value, maxParallel, priority }, telling(deps, limits));
  if (!job.ok) return job;
  return succeed({ summary: `job ${job.value.jobId}`, data: { ...job.value }, limits, names: textsOf(job.value) });
};

/** Tells how a job is. */
export const tellStatus: Call<typeof StatusInput> = async (input, { signal }, deps) => {
  const { jobId: id, cwd } = input;
  const { jobStandIn } = deps;
  if (jobStandIn !== null) return askProgram(jobStandIn, ["status", id, "--json"], cwd, { ...deps, signal });
  const limits: Limit[] = [];
  const found = await lookUp(cwd, deps, (folder) => jobStatus({ cwd: folder, id }, telling(deps, limits)));
  if (!found.ok) return found;
  const { state, tag, cwd: where, log_file, meta_glob, last_message_glob } = found.value;
  // Of all the rest somebody else may have written the words.
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

/** Reads a part of a log. Contract: its secrets are hidden, wherever the part begins and ends. */
export const readLogPart: Call<typeof LogsInput> = async (input, _context, deps) => {
  const { jobId: id, mode, cwd, tailLines, ...part } = input;
  const found = await lookUp(cwd, deps, async (folder): Promise<Outcome<LogBytes | JoinedLines>> => {
    const wanted = { ...part, cwd: folder, id, tailLines: tailLines || undefined };
    const read = mode === "bytes" ? readCleanBytes(wanted, makeHide(deps.env)) : await readJoinedLines(wanted);
    return read.ok ? read : CODEX_FAULTS.noLog(read.fault.message);
  });
  return found.ok ? succeed({ summary: `log of ${id}`, data: { ...found.value } }) : found;
};

/** Looks for a job where the caller says; where it says nothing, where it stands and then where job.sh lies. */
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

/** What is told about broken files is said with the answer. */
function telling(deps: CodexToolDeps, limits: Limit[]): CodexToolDeps {
  return { ...deps, tell: (line) => limits.push(LIMITS.quoted(line)) };
}

/** Why a run was refused: what its program said, without the lines that only help. */
function toReason(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "" && !/^(?:\[|💡|📖| {3})/u.test(line));
  return cutText((lines.length === 0 ? stderr : lines.join("\n")).trim(), MAX_REASON_CHARS).text;
}

function textsOf(value: object): string[] {
  return Object.values(value).filter((text) => typeof text === "string");
}

/** Start.sh's options for a call. Contract: what a client may not ask for is refused by name. */
function toArgs(
  input: Parameters<typeof injectMcpOptions>[0],
  cwd: string,
  { startStandIn }: CodexToolDeps,
): Outcome<readonly string[]> {
  const args = injectMcpOptions(input);
  for (const [at, arg] of input.args.entries()) {
    if (arg.includes("\0")) return CODEX_FAULTS.badArg(at, "has a NUL in it");
    if (Buffer.byteLength(arg) > MAX_ARG_BYTES) return CODEX_FAULTS.badArg(at, `longer than ${MAX_ARG_BYTES} bytes`);
  }
  const refused = findMcpRefusals(args, cwd, { isOurs: startStandIn === null });
  return refused.length === 0 ? succeed(args) : fail("E_INVALID_ARGS", refused.join("\n"), MCP_REFUSALS.hint);
}

/** Has job.sh's stand-in answer. */
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

/** What a program printed, as it is. */
function toPrinted(printed: Outcome<string>): Outcome<ToolAnswer> {
  if (!printed.ok) return printed;
  return succeed({ summary: printed.value.split("\n", 1)[0] ?? "", data: { printed: printed.value } });
}

/** Real path of the folder that a caller names, from where it stands. Contract: never throws; one that cannot be entered is a fault. */
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
