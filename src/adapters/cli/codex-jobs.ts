import { join } from "node:path";
import { EXIT_CODE_OF } from "../../base/signals.ts";
import { toOneLine } from "../../base/text.ts";
import { EXIT_USAGE, type JobState, type StartedJob } from "../../contract/codex-jobs.ts";
import { countOf } from "../../contract/count-of.ts";
import { type Fault, type Outcome, toLines } from "../../contract/faults.ts";
import {
  cleanJobs,
  jobMetrics,
  jobStatus,
  listJobs,
  resumeJob,
  settle,
  startJob,
  stopJob,
} from "../../jobs/job/commands.ts";
import { viewLog } from "../../jobs/job/logs.ts";
import type { JobMetrics } from "../../jobs/job/metrics.ts";
import type { JobDeps } from "../../jobs/job/start.ts";
import { isOver } from "../../jobs/job/status.ts";
import { findAnyRun, JOB_FILES } from "../../jobs/job/store.ts";
import { countStdinUses } from "../../jobs/run/start-options.ts";
import { type JobCommand, readJobCommand } from "./codex-job-arguments.ts";
import { printJobHelp } from "./codex-job-help.ts";
import { JOB_MISUSE, JOB_PRINTS } from "./codex-job-texts.ts";
import { NAME_AND_TEXT, type Screen, table } from "./layout.ts";

interface JobCommandDeps extends JobDeps {
  /** The current folder. */
  readonly cwd: string;
  readonly write: (text: string | Buffer) => void;
  /** Writes one line to stderr. */
  readonly tell: (line: string) => void;
  /** Stops following a log. */
  readonly signal: AbortSignal;
  readonly readStdin: () => Promise<string>;
  readonly screen: Screen;
}

const EXIT_NOT_ENDED = 1;

/** Runs a job command; returns its exit code. Contract: never throws; the answer goes to stdout, all else to stderr. */
export async function runJobCommand(argv: readonly string[], deps: JobCommandDeps): Promise<number> {
  const command = readJobCommand(argv);
  if (command.ok) return run(command.value, deps);
  deps.tell(JOB_MISUSE.seeHelp(command.fault.message));
  return EXIT_USAGE;
}

async function run(command: JobCommand, deps: JobCommandDeps): Promise<number> {
  const given = { ...command, cwd: command.cwd ?? deps.cwd };
  const { json } = command;
  const answer = async <T>(asked: Promise<Outcome<T>>, print: (value: T) => string): Promise<T | null> => {
    const answered = await asked;
    if (answered.ok) {
      deps.write(json ? `${JSON.stringify(answered.value)}\n` : print(answered.value));
      return answered.value;
    }
    tellRefused(answered.fault, deps);
    return null;
  };
  const code = (value: unknown) => (value === null ? EXIT_USAGE : 0);
  switch (given.name) {
    case "help":
      deps.write(printJobHelp(given.of, deps.screen));
      return 0;
    case "start": {
      const stdin = await readInput(given.args, deps);
      return code(await answer(startJob({ ...given, tag: given.tag ?? "", stdin }, deps), printStarted));
    }
    case "resume": {
      const stdin = await readInput(given.args, deps);
      return code(await answer(resumeJob({ ...given, stdin }, deps), printStarted));
    }
    case "status":
      return code(await answer(jobStatus(given, deps), (job) => printStatus(job, deps.screen)));
    case "list":
      return code(await answer(listJobs(given, deps), (jobs) => printJobList(jobs, deps.clock.nowMs(), deps.screen)));
    case "metrics":
      return code(await answer(jobMetrics(given, deps), (metrics) => printMetrics(metrics, deps.screen)));
    case "clean": {
      const done = await answer(cleanJobs(given, deps), ({ removed, dryRun }) =>
        dryRun
          ? `${JOB_PRINTS.wouldRemove(countOf(removed.length, "job"))}${removed.map((id) => `  ${id}\n`).join("")}`
          : JOB_PRINTS.removed(countOf(removed.length, "job")),
      );
      for (const id of done?.failed ?? []) deps.tell(JOB_MISUSE.refused(JOB_PRINTS.notRemoved(id)));
      return done !== null && done.failed.length > 0 ? EXIT_NOT_ENDED : code(done);
    }
    case "stop": {
      const done = await answer(stopJob(given, deps), ({ message }) => `${message}\n`);
      return done?.isOver === false ? EXIT_NOT_ENDED : code(done);
    }
    case "logs":
      return showLog(given, deps);
    case "settle":
      await settle({ mark: given.path, cwd: given.cwd }, deps);
      return 0;
  }
}

/** Standard input if the options read it, because the run itself has no access to it. */
async function readInput(args: readonly string[], { env, readStdin }: JobCommandDeps): Promise<string | undefined> {
  return countStdinUses(args, env) > 0 ? readStdin() : undefined;
}

async function showLog(
  { cwd, id, tail, follow }: { cwd: string; id: string; tail: number | null; follow: boolean },
  { clock, write, tell, signal }: JobCommandDeps,
): Promise<number> {
  const place = findAnyRun(cwd, id);
  if (!place.ok) {
    tellRefused(place.fault, { tell });
    return EXIT_USAGE;
  }
  const view = { tail, follow, isOver: () => isOver(place.value, clock), signal };
  let shown = 0;
  for await (const bytes of viewLog(place.value, view)) {
    write(bytes);
    shown += bytes.length;
  }
  if (signal.aborted) return EXIT_CODE_OF.SIGINT;
  if (shown === 0 && tail !== 0)
    tell(JOB_MISUSE.refused(JOB_PRINTS.noLogYet(id, join(place.value.folder, JOB_FILES.stderr))));
  return 0;
}

function tellRefused(fault: Fault, { tell }: Pick<JobCommandDeps, "tell">): void {
  for (const line of toLines(fault)) tell(JOB_MISUSE.refused(toOneLine(line)));
}

function printStarted({ jobId, pid, logFile }: StartedJob): string {
  return pid === 0 ? JOB_PRINTS.queued(jobId, logFile) : JOB_PRINTS.started(jobId, logFile);
}

function printStatus(job: JobState, screen: Screen): string {
  const rows = [
    ["job", job.id],
    ["state", job.exit_code === null ? job.state : `${job.state} (exit code ${job.exit_code}, ${job.classification})`],
    ["title", toOneLine(job.title)],
    ["folder", job.cwd],
    ["created", job.created_at],
    ["updated", job.updated_at],
    ["pid", job.state === "running" ? String(job.pid) : ""],
    ["tokens", job.tokens_used],
    ["log", job.log_file],
  ].filter(([, value]) => value !== "");
  return `${table(rows, { width: screen.columns, columns: NAME_AND_TEXT })}\n`;
}

/** Prints a list of jobs as a table. */
export function printJobList(
  jobs: readonly Readonly<Record<"id" | "state" | "createdAt" | "title", string>>[],
  nowMs: number,
  screen: Screen,
): string {
  if (jobs.length === 0) return JOB_PRINTS.noJobs;
  const rows = jobs.map(({ id, state, createdAt, title }) => [
    id,
    state,
    toAge(nowMs - Date.parse(createdAt)),
    toOneLine(title),
  ]);
  const head = ["JOB", "STATE", "AGE", "TITLE"].map((text) => ({ text, paint: screen.paint.bold }));
  return `${table([head, ...rows], { width: screen.columns, columns: [{}, {}, {}, { tooWide: "cut", least: 4 }] })}\n`;
}

function printMetrics(metrics: JobMetrics, screen: Screen): string {
  const { total, states, classifications, tokens_used, average_seconds, longest_seconds } = metrics;
  const counts = (of: Readonly<Record<string, number>>) =>
    Object.entries(of)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${count} ${name}`)
      .join(", ");
  const rows = [
    ["jobs", total === 0 ? "none" : `${total}: ${counts(states)}`],
    ["ended", counts(classifications)],
    ["tokens", String(tokens_used)],
    ["seconds", average_seconds === null ? "" : `${average_seconds} on average, ${longest_seconds} at most`],
  ].filter(([, value]) => value !== "");
  return `${table(rows, { width: screen.columns, columns: NAME_AND_TEXT })}\n`;
}

/** Formats an age: `40s`, `12m`, `3h`, `9d`. */
function toAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)}h` : `${Math.round(seconds / 86_400)}d`;
}
