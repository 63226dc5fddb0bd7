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

/** How Codex is called, the same for all calls of a run. */
export interface CodexPlan {
  /** Null if it is not installed. */
  readonly codex: string | null;
  readonly globalArgs: readonly string[];
  readonly execArgs: readonly string[];
  /** True if we add `--json`; `printsEvents` is also true if the caller asked for events. */
  readonly addsEvents: boolean;
  readonly printsEvents: boolean;
}

interface RunStep {
  readonly iteration: number;
  readonly instructions: Instructions;
  /** Codex session to resume; null for a new one. */
  readonly resumeThread: string | null;
  readonly cwd: string;
  readonly env: Environment;
  /** Ends the call; its reason is the exit code, unless the time is up. */
  readonly signal: AbortSignal;
  readonly record: SessionRecord;
}

interface StepEnd extends CallEnd {
  readonly lastMessage: string;
  /** True if no other call may follow. */
  readonly isOver: boolean;
}

const EXIT_TIMEOUT = 124;
/** The run's folder is gone, so that nothing can be recorded in it. */
const EXIT_REPLACED = 1;

/**
 * Calls Codex once and records its output. Contract: never throws; the log's section for this call is complete on
 * return.
 */
export async function takeStep(plan: CodexPlan, options: StartOptions, step: RunStep): Promise<StepEnd> {
  const { record, iteration, instructions } = step;
  const lastMessageFile = iterationFiles(record.session, iteration).lastMessage;
  const execArgs = [
    ...plan.execArgs,
    ...["--output-last-message", lastMessageFile],
    ...(plan.addsEvents ? ["--json"] : []),
    // The dash makes `resume` read the instructions from standard input, which it does not do by default.
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

/** Removes the variables that name this run's location: a run started by Codex must not write into it. */
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

/** Returns the exit code of a run that a signal ends: the signal's reason if that is a number. */
export function toSignalExitCode({ reason }: AbortSignal): number {
  return typeof reason === "number" ? reason : EXIT_CODE_OF.SIGTERM;
}

/** The end of a run that was cancelled or has timed out. */
function interrupted({ timeoutSeconds }: StartOptions, { signal, record }: RunStep): PartialEnd {
  if (isTimeUp(signal)) {
    record.note([RUN_NOTES.timeout(timeoutSeconds)]);
    return failed(EXIT_TIMEOUT, ERROR_REASONS.timeout(timeoutSeconds));
  }
  const exitCode = toSignalExitCode(signal);
  record.note([RUN_NOTES.cancelled(exitCode)]);
  return {
    exit_code: exitCode,
    classification: "user_cancelled",
    control_flag: "",
    reason: REASONS.user_cancelled,
    isOver: true,
  };
}
