import type { Clock } from "../../base/clock.ts";
import type { Environment } from "../../base/environment.ts";
import { findProgram } from "../../base/find-program.ts";
import { toRealFolder } from "../../base/repo-root.ts";
import { leaveHeir } from "../../base/subprocess/start-detached.ts";
import { limitTime, sleep } from "../../base/timers.ts";
import { EXIT_USAGE, type StartOptions } from "../../contract/codex-jobs.ts";
import { countOf } from "../../contract/count-of.ts";
import { type Fault, type Outcome, succeed, toLines } from "../../contract/faults.ts";
import { splitArgs } from "../policy/args.ts";
import { findOpenings } from "../policy/openings.ts";
import { decidePolicy, fitToVersion, type PolicyDecision } from "../policy/policy.ts";
import { OPENING_NOTES } from "../policy/texts.ts";
import { checkDone, type Git, openGit } from "./checks.ts";
import { readCodexVersion } from "./codex.ts";
import type { GitSource } from "./git-place.ts";
import { addSection, checkLength, composeInstructions, type Instructions } from "./instructions.ts";
import { carryOver, whatNext } from "./iterations.ts";
import { compilePatterns, type UserPattern } from "./patterns.ts";
import { openRecord, type RecordDeps, type RunResult, type SessionRecord } from "./record.ts";
import { openRunSession } from "./session-paths.ts";
import { findOption, readTyped, type TypedOption } from "./start-option-table.ts";
import { parseStartOptions } from "./start-options.ts";
import { type CodexPlan, takeStep, toSignalExitCode } from "./step.ts";
import { RUN_NOTES, TASK_NOTES } from "./texts.ts";

/** Dependencies of a run. */
export interface RunDeps extends RecordDeps {
  readonly env: Environment;
  readonly home: string;
  readonly clock: Clock;
  /** `…/.codex-father/sessions`, the default location. */
  readonly sessionsRoot: string;
  /** Reads all of standard input, the same text on every call; empty for a terminal. */
  readonly readStdin: () => Promise<string>;
  /** Returns evidence about the repository for a task; empty if there is none. */
  readonly enrich: (task: string) => Promise<Outcome<string>>;
  /** Ends the run gracefully; its reason is the exit code, 143 if it is not a number. */
  readonly signal: AbortSignal;
  /** Gives git access to the work tree without the repository's settings. */
  readonly gitSource: GitSource;
  /** Started with the run's mark (its folder) as the last argument if this process is killed while Codex runs. */
  readonly settleProgram?: { readonly command: string; readonly args: readonly string[] };
}

/** A validated run that may begin. */
interface Prepared {
  readonly decision: PolicyDecision;
  readonly instructions: Instructions;
  readonly until: UserPattern | null;
  readonly grep: readonly UserPattern[];
}

/** Parameters common to all calls of Codex in a run. */
interface Plan extends Prepared, CodexPlan {
  /** Evidence; empty if there is none. */
  readonly context: string;
  /** The work tree before Codex was called; null if it is not needed. */
  readonly git: Git | null;
}

/**
 * Runs Codex as the options say, including all iterations. Contract: never throws except for errors in our own code;
 * every end leaves a log and a meta, unless there is no place for them; a conflict starts no Codex at all.
 */
export async function runSession(options: StartOptions, deps: RunDeps): Promise<RunResult> {
  const opened = openRunSession(options, deps);
  if (!opened.ok) return refuseWithoutPlace(opened.fault, deps);
  const replaced = new AbortController();
  const record = openRecord(opened.value, options, { ...deps, onReplaced: () => replaced.abort() });
  const prepared: Outcome<Prepared> =
    record.fault === null ? await prepare(options, deps) : { ok: false, fault: record.fault };
  if (deps.signal.aborted) return record.cancel(toSignalExitCode(deps.signal));
  if (!prepared.ok) return record.refuse(prepared.fault);
  record.start();
  const ending = AbortSignal.any([deps.signal, replaced.signal]);
  const limit = options.timeoutSeconds > 0 ? limitTime(ending, options.timeoutSeconds * 1_000) : null;
  const signal = limit?.signal ?? ending;
  const plan = await makePlan(prepared.value, options, { ...deps, record, signal });
  const { settleProgram } = deps;
  const heir =
    settleProgram === undefined || plan.codex === null || options.dryRun
      ? null
      : await leaveHeir(settleProgram.command, [...settleProgram.args, record.session.mark], deps);
  try {
    return await iterate(plan, options, { ...deps, record, signal });
  } finally {
    heir?.dismiss();
    limit?.release();
  }
}

/** Refuses arguments that could not be parsed. Contract: leaves a log at the location given by the parseable ones. */
export function refuseStart(fault: Fault, deps: RunDeps): RunResult {
  const options = readPlaceOptions(deps);
  const opened = openRunSession(options, deps);
  return opened.ok ? openRecord(opened.value, options, deps).refuse(fault) : refuseWithoutPlace(fault, deps);
}

function refuseWithoutPlace(fault: Fault, { tell }: RunDeps): RunResult {
  for (const line of toLines(fault)) tell(line);
  return { exitCode: EXIT_USAGE, meta: null, paths: null, stdout: "" };
}

const PLACE_OPTIONS = ["-l", "--log-file", "--log-dir", "--tag", "--flat-logs", "--log-subdirs", "--redact", "--json"];

/** Parses the options for the log, whatever is wrong with the others. */
function readPlaceOptions({ argv, env }: RunDeps): StartOptions {
  // If a value is missing, the option in its place is still treated as one.
  const isForgotten = (word: string, next = "") => findOption(word)?.values === "one" && findOption(next) !== undefined;
  const { typed } = readTyped(argv.filter((word, at) => !isForgotten(word, argv[at + 1])));
  const isWhole = ({ name, values, isJoined }: TypedOption) =>
    findOption(name)?.needs === null ? !isJoined : values.length > 0;
  const kept = typed.filter((each) => PLACE_OPTIONS.includes(each.name) && isWhole(each)).flatMap(({ words }) => words);
  for (const read of [parseStartOptions(kept, env), parseStartOptions([], env), parseStartOptions([], {})])
    if (read.ok) return read.value;
  throw new Error("an empty list of options must be valid");
}

async function prepare(options: StartOptions, deps: RunDeps): Promise<Outcome<Prepared>> {
  const decision = decidePolicy({ args: options.codexArgs, env: deps.env });
  if (!decision.ok) return decision;
  const until = compilePatterns("--repeat-until", options.repeatUntil === null ? [] : [options.repeatUntil]);
  if (!until.ok) return until;
  const grep = compilePatterns("--context-grep", options.contextGrep);
  if (!grep.ok) return grep;
  const instructions = await compose(options, deps);
  if (!instructions.ok) return instructions;
  return succeed({
    decision: decision.value,
    instructions: instructions.value,
    until: until.value[0] ?? null,
    grep: grep.value,
  });
}

function compose(options: StartOptions, { cwd, home, env, readStdin, clock }: RunDeps) {
  return composeInstructions({ options, cwd, home, env, readStdin, now: clock.nowMs() });
}

/** Dependencies of a run that has begun; its signal also reflects the time limit. */
interface Running extends RunDeps {
  readonly record: SessionRecord;
}

async function makePlan(prepared: Prepared, options: StartOptions, running: Running): Promise<Plan> {
  const { env, record } = running;
  const codex = findProgram("codex", env["PATH"] ?? "", null);
  const version = codex === null ? null : await readCodexVersion(codex, running);
  const fitted = fitToVersion(prepared.decision, version);
  const { globalArgs, execArgs } = splitArgs(fitted.args);
  const asksForEvents = execArgs.includes("--json");
  const addsEvents = fitted.isKnown && !asksForEvents;
  const openings = findOpenings(fitted.args, toRealFolder(running.cwd) ?? running.cwd).map(({ name, opens }) =>
    OPENING_NOTES.said(name, opens),
  );
  record.note([
    ...options.warnings,
    ...openings,
    ...prepared.decision.notes,
    ...(codex === null ? [] : fitted.notes),
    ...(codex === null && options.dryRun ? [RUN_NOTES.noCodexForPlan] : []),
  ]);
  const looksAtGit = options.requireChangeIn.length > 0 || options.requireGitCommit || options.autoCommit;
  return {
    ...prepared,
    codex,
    globalArgs,
    execArgs,
    addsEvents,
    printsEvents: asksForEvents || addsEvents,
    context: options.withContext && !options.dryRun ? await askForContext(prepared.instructions.task, running) : "",
    git: looksAtGit ? await openGit(running) : null,
  };
}

/** Fetches evidence, which is optional: without it the run continues. */
async function askForContext(task: string, { enrich, record }: Running): Promise<string> {
  const context = await enrich(task);
  if (!context.ok) {
    record.note([RUN_NOTES.noContext(context.fault.message)]);
    return "";
  }
  const lines = countOf(context.value.split("\n").length, "line");
  record.note([context.value === "" ? RUN_NOTES.noContext("nothing was found") : RUN_NOTES.contextAdded(lines)]);
  return context.value;
}

/** Additional input of the next call besides the instructions. */
interface Carried {
  readonly policyNote: string;
  readonly previous: string;
}

async function iterate(plan: Plan, options: StartOptions, running: Running): Promise<RunResult> {
  const { record } = running;
  let { instructions } = plan;
  let carried: Carried = { policyNote: "", previous: "" };
  let retriesLeft = options.overflowRetries;
  let { resumeThread } = options;
  for (let iteration = 1, runs = 1; ; iteration++) {
    const end = await takeStep(plan, options, {
      ...running,
      iteration,
      instructions: { ...instructions, text: toDocument(instructions.text, plan.context, carried, options, record) },
      resumeThread,
    });
    const hasOverflow = end.classification === "context_overflow";
    // A session that has overflowed is not resumed, neither by a retry nor by later iterations.
    if (hasOverflow) resumeThread = null;
    const isMet = !end.isOver && plan.until?.matches(end.lastMessage) === true;
    const why = isMet ? await holdToRequirements(plan.git, options, record) : "";
    const next = whatNext({
      runs,
      maxRuns: options.maxRuns,
      isOver: end.isOver,
      isDone: isMet && why === "",
      hasOverflow,
      retriesLeft,
    });
    if (next === "end") return record.finish(end, iteration);
    record.keep(end, iteration);
    const isRetry = next === "retry";
    if (isRetry) record.note([RUN_NOTES.overflow(--retriesLeft)]);
    else runs++;
    const how = {
      compresses: options.compressesContext || isRetry,
      head: options.contextHead,
      grep: plan.grep,
    };
    carried = {
      policyNote: why === "" ? "" : TASK_NOTES.notDone(why),
      previous: options.carriesContext ? carryOver(end.lastMessage, how) : "",
    };
    if (!options.dryRun && options.sleepSeconds > 0) await sleep(options.sleepSeconds * 1_000, running.signal);
    // Files may have changed in the meantime: that is the purpose of iterations.
    const again = await compose(options, running);
    if (again.ok) instructions = again.value;
    else record.note([RUN_NOTES.staleInstructions]);
  }
}

/** Checks the requirements on a task that claims to be done; returns what is missing, empty if nothing is. */
async function holdToRequirements(git: Git | null, options: StartOptions, record: SessionRecord): Promise<string> {
  const { why, notes } = await checkDone(git, options);
  record.note([...notes, why === "" ? RUN_NOTES.untilMet(options.repeatUntil ?? "") : RUN_NOTES.untilUnmet(why)]);
  return why;
}

/** Composes the instructions of one call. Optional sections that would exceed Codex's limit are left out. */
function toDocument(
  text: string,
  context: string,
  carried: Carried,
  { patchMode }: StartOptions,
  record: SessionRecord,
): string {
  const notes = [patchMode ? TASK_NOTES.patchMode : "", carried.policyNote].filter((note) => note !== "");
  let document = notes.reduce((out, note) => addSection(out, "policy-note", note), text);
  for (const [type, body] of [
    ["context", context],
    ["previous-run", carried.previous],
  ] as const) {
    const longer = body === "" ? document : addSection(document, type, body);
    if (checkLength(longer).ok) document = longer;
    else record.note([RUN_NOTES.tooLong(type)]);
  }
  return document;
}
