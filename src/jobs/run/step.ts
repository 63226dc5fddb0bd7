import type { Environment } from "../../base/environment.ts";
import { EXIT_CODE_OF } from "../../base/signals.ts";
import { isTimeUp } from "../../base/timers.ts";
import { EXIT_NO_CODEX, type StartOptions } from "../../contract/codex-jobs.ts";
import { classifyExit, type Ending } from "./classify.ts";
import { type CodexEnd, runCodex } from "./codex.ts";
import type { Instructions } from "./instructions.ts";
import { type CallEnd, iterationFiles } from "./meta.ts";
import type { SessionRecord } from "./record.ts";
import { ERROR_REASONS, LOG_LINES, REASONS, RUN_NOTES } from "./texts.ts";

/** How Codex is called, the same for every call of a run. */
export interface CodexPlan {
  /** Null where it is not installed. */
  readonly codex: string | null;
  readonly globalArgs: readonly string[];
  readonly execArgs: readonly string[];
  /** Whether its output is events because we want them, or the caller does. */
  readonly addsEvents: boolean;
  readonly printsEvents: boolean;
}

interface RunStep {
  readonly iteration: number;
  readonly instructions: Instructions;
  /** Codex's session to go on in; null for a new one. */
  readonly resumeThread: string | null;
  readonly cwd: string;
  readonly env: Environment;
  /** Ends it; its reason is the exit code, unless the time is up. */
  readonly signal: AbortSignal;
  readonly record: SessionRecord;
}

/** How one call ended. */
interface StepEnd extends CallEnd {
  readonly lastMessage: string;
  /** True where no other call may follow. */
  readonly isOver: boolean;
}

const EXIT_TIMEOUT = 124;
/** There is no folder any more that the run could tell anything in. */
const EXIT_REPLACED = 1;

/** Calls Codex once and keeps what it says. Contract: never throws; the log's part for this call is whole when it returns. */
export async function takeStep(plan: CodexPlan, options: StartOptions, step: RunStep): Promise<StepEnd> {
  const { record, iteration, instructions } = step;
  const lastMessageFile = iterationFiles(record.session, iteration).lastMessage;
  const execArgs = [
    ...plan.execArgs,
    ...["--output-last-message", lastMessageFile],
    ...(plan.addsEvents ? ["--json"] : []),
    // The dash: the instructions come by standard input, which `resume` does not look at by itself.
    ...(step.resumeThread === null ? [] : ["resume", step.resumeThread, "-"]),
  ];
  record.begin(iteration, instructions, { globalArgs: plan.globalArgs, execArgs });
  const end = await run(plan, options, step, { execArgs, lastMessageFile });
  record.endOutput(iteration);
  return { lastMessage: "", isOver: false, tokens_used: "", threadId: null, title: instructions.title, ...end };
}

type PartialEnd = Pick<StepEnd, "exit_code"> & Ending & Partial<StepEnd>;

async function run(
  plan: CodexPlan,
  options: StartOptions,
  step: RunStep,
  call: { readonly execArgs: readonly string[]; readonly lastMessageFile: string },
): Promise<PartialEnd> {
  const { record, signal } = step;
  if (options.dryRun) {
    record.output(`${LOG_LINES.dryRun}\n`);
    return { exit_code: 0, classification: "normal", control_flag: "", reason: REASONS.normal };
  }
  if (plan.codex === null) {
    record.note(RUN_NOTES.noCodex);
    return failed(EXIT_NO_CODEX, ERROR_REASONS.noCodex);
  }
  if (!record.isInPlace()) return failed(EXIT_REPLACED, ERROR_REASONS.folderReplaced(record.session.paths.folder));
  if (signal.aborted) return interrupted(options, step);
  const done = await runCodex({
    codex: plan.codex,
    args: [...plan.globalArgs, "exec", ...call.execArgs],
    printsEvents: plan.printsEvents,
    instructions: step.instructions.text,
    lastMessageFile: call.lastMessageFile,
    cwd: step.cwd,
    env: withoutPlace(step.env),
    signal,
    record,
  });
  const told = { tokens_used: done.tokens, threadId: done.threadId, lastMessage: done.lastMessage };
  if (!record.isInPlace())
    return { ...failed(EXIT_REPLACED, ERROR_REASONS.folderReplaced(record.session.paths.folder)), ...told };
  if (signal.aborted) return { ...interrupted(options, step), ...told };
  if (done.startError !== "") {
    record.note([RUN_NOTES.notStarted(done.startError)]);
    return failed(done.exitCode, ERROR_REASONS.message(done.startError));
  }
  return { exit_code: done.exitCode, ...classify(done), ...told };
}

/** These name this very run: a run that Codex starts must not write into it. */
function withoutPlace({ CODEX_SESSION_DIR: _folder, CODEX_LOG_FILE: _log, ...env }: RunStep["env"]): RunStep["env"] {
  return env;
}

function classify(done: CodexEnd): Ending {
  const ending = classifyExit(done);
  const isUnknown = ending.classification === "error" && done.errors.length === 0;
  return done.endedBy !== "" && isUnknown ? { ...ending, reason: ERROR_REASONS.endedBy(done.endedBy) } : ending;
}

function failed(exitCode: number, reason: string): PartialEnd {
  return { exit_code: exitCode, classification: "error", control_flag: "", reason, isOver: true };
}

/** The exit code of a run that a signal ends: the signal's reason, where that is a number. */
export function toExitCode({ reason }: AbortSignal): number {
  return typeof reason === "number" ? reason : EXIT_CODE_OF.SIGTERM;
}

/** Somebody asked the run to end, or its time is up. */
function interrupted({ timeoutSeconds }: StartOptions, { signal, record }: RunStep): PartialEnd {
  if (isTimeUp(signal)) {
    record.note([RUN_NOTES.timeout(timeoutSeconds)]);
    return failed(EXIT_TIMEOUT, ERROR_REASONS.timeout(timeoutSeconds));
  }
  const exitCode = toExitCode(signal);
  record.note([RUN_NOTES.cancelled(exitCode)]);
  return {
    exit_code: exitCode,
    classification: "user_cancelled",
    control_flag: "",
    reason: REASONS.user_cancelled,
    isOver: true,
  };
}
