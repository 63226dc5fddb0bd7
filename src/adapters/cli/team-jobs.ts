import { EXIT_CODE_OF } from "../../base/signals.ts";
import { toOneLine } from "../../base/text.ts";
import { sleep } from "../../base/timers.ts";
import { EXIT_USAGE } from "../../contract/codex-jobs.ts";
import { FAULTS, type Fault, type Outcome, sayFault } from "../../contract/faults.ts";
import {
  type ListedTeamJob,
  TEAM_JOB_LIMITS,
  type TeamJob,
  type TeamJobRequest,
  type TeamJobResult,
} from "../../contract/team-jobs.ts";
import type { ListFilter } from "../../jobs/job/commands.ts";
import { guardOwn } from "../../lifecycle/guard.ts";
import { printJobHelp } from "./codex-job-help.ts";
import { JOB_MISUSE, TEAM_JOB_PRINTS } from "./codex-job-texts.ts";
import { printJobList } from "./codex-jobs.ts";
import { NAME_AND_TEXT, type Screen, table } from "./layout.ts";
import { readTeamJobCommand, type TeamJobCommand } from "./team-job-arguments.ts";

/** Requests to a team's server. */
export interface TeamJobCalls {
  readonly submit: (request: TeamJobRequest) => Promise<Outcome<{ readonly jobId: string; readonly tag: string }>>;
  readonly list: (filter: Pick<ListFilter, "state" | "limit" | "offset">) => Promise<Outcome<readonly ListedTeamJob[]>>;
  readonly status: (id: string) => Promise<Outcome<TeamJob>>;
  readonly stop: (id: string) => Promise<Outcome<string>>;
  readonly log: (id: string, attempt: number, at: number) => Promise<Outcome<Buffer>>;
  readonly bring: (id: string, repo: string | null) => Promise<Outcome<TeamJobResult>>;
}

interface TeamJobDeps {
  /** Connects to the server in the environment, or returns why there is none. */
  readonly open: () => Outcome<TeamJobCalls>;
  readonly write: (text: string | Buffer) => void;
  /** Writes one line to stderr. */
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
  readonly screen: Screen;
  readonly nowMs: () => number;
}

const EXIT_NOT_ENDED = 1;
const FOLLOW_MS = 1_000;

/** Runs a command for jobs of a team; returns its exit code. Contract: as for `runJobCommand`. */
export async function runTeamJobCommand(argv: readonly string[], deps: TeamJobDeps): Promise<number> {
  const command = readTeamJobCommand(argv);
  if (!command.ok) {
    deps.tell(JOB_MISUSE.seeHelp(command.fault.message));
    return EXIT_USAGE;
  }
  if (command.value.name === "help") {
    deps.write(printJobHelp(command.value.of, deps.screen));
    return 0;
  }
  const calls = deps.open();
  return calls.ok ? run(command.value, calls.value, deps) : refuse(calls.fault, deps);
}

type Asked = Exclude<TeamJobCommand, { readonly name: "help" }>;

async function run(command: Asked, calls: TeamJobCalls, deps: TeamJobDeps): Promise<number> {
  const answer = <T>(given: Outcome<T>, print: (value: T) => string): number => {
    if (!given.ok) return refuse(given.fault, deps);
    deps.write(command.json ? `${JSON.stringify(given.value)}\n` : print(given.value));
    return 0;
  };
  switch (command.name) {
    case "start":
      return answer(await calls.submit(command.request), ({ jobId }) => TEAM_JOB_PRINTS.queued(jobId));
    case "status":
      return answer(await calls.status(command.id), (job) => printStatus(job, deps.screen));
    case "list":
      return answer(await calls.list(command), (jobs) => printList(jobs, deps));
    case "stop":
      return stop(command, await calls.stop(command.id), deps);
    case "fetch":
      return answer(await calls.bring(command.id, command.repo), ({ branch }) => TEAM_JOB_PRINTS.fetched(branch));
    case "logs":
      return showLog(command, calls, deps);
  }
}

/** Reports a fault. A wrong call or setup exits with 2, as usual; an unreachable server does not. */
function refuse(fault: Fault, { tell }: Pick<TeamJobDeps, "tell">): number {
  tell(JOB_MISUSE.refused(toOneLine(guardOwn(sayFault(fault)))));
  return fault.code === "E_TOOL_UNAVAILABLE" || fault.code === "E_PARSE" ? FAULTS[fault.code].exit : EXIT_USAGE;
}

function stop(
  { id, json }: { readonly id: string; readonly json: boolean },
  was: Outcome<string>,
  deps: TeamJobDeps,
): number {
  if (!was.ok) return refuse(was.fault, deps);
  const isAsked = was.value === "running";
  const message = isAsked
    ? TEAM_JOB_PRINTS.stopAsked(id)
    : was.value === "queued"
      ? TEAM_JOB_PRINTS.takenOut(id)
      : TEAM_JOB_PRINTS.alreadyOver(id, toOneLine(was.value));
  deps.write(json ? `${JSON.stringify({ message, isOver: !isAsked })}\n` : `${message}\n`);
  return isAsked ? EXIT_NOT_ENDED : 0;
}

async function showLog(
  { id, tail, follow }: { readonly id: string; readonly tail: number | null; readonly follow: boolean },
  calls: TeamJobCalls,
  { write, tell, signal }: TeamJobDeps,
): Promise<number> {
  let attempt = -1;
  let at = 0;
  let shown = 0;
  for (;;) {
    // The status is read first, so that everything written before the job ended is then in the log.
    const job = await calls.status(id);
    if (signal.aborted) return EXIT_CODE_OF.SIGINT;
    if (!job.ok) return refuse(job.fault, { tell });
    if (job.value.attempt !== attempt && attempt > 0)
      tell(JOB_MISUSE.refused(TEAM_JOB_PRINTS.again(id, job.value.attempt)));
    if (job.value.attempt !== attempt) at = 0;
    attempt = job.value.attempt;
    const isFirst = shown === 0;
    const pieces: Buffer[] = [];
    for (;;) {
      const piece = await calls.log(id, attempt, at);
      if (!piece.ok) return refuse(piece.fault, { tell });
      if (piece.value.length === 0 || signal.aborted) break;
      at += piece.value.length;
      shown += piece.value.length;
      if (tail === null || !isFirst) write(piece.value);
      else pieces.push(piece.value);
    }
    if (tail !== null && isFirst) write(lastLines(Buffer.concat(pieces), tail));
    if (!follow || (job.value.state !== "queued" && job.value.state !== "running")) {
      if (job.value.log_cut) tell(JOB_MISUSE.refused(TEAM_JOB_PRINTS.logCut(id, TEAM_JOB_LIMITS.logBytes)));
      if (shown === 0) tell(JOB_MISUSE.refused(TEAM_JOB_PRINTS.noLogYet(id, job.value.state)));
      return 0;
    }
    await sleep(FOLLOW_MS, signal);
    if (signal.aborted) return EXIT_CODE_OF.SIGINT;
  }
}

function lastLines(bytes: Buffer, lines: number): Buffer {
  let from = bytes.length;
  for (let left = lines; left > 0 && from > 0; left--) from = bytes.lastIndexOf("\n", Math.max(0, from - 2)) + 1;
  return bytes.subarray(from);
}

function printStatus(job: TeamJob, screen: Screen): string {
  const said = job.exit_code === null ? job.state : `${job.state} (exit code ${job.exit_code}, ${job.classification})`;
  const wish = job.stop_asked && job.state === "running" ? `${said}; asked to stop` : said;
  const before = job.attempts.slice(0, -1).map((one) => `${one.attempt} ${one.state}: ${one.reason}`);
  const rows = [
    ["job", job.id],
    ["state", wish],
    ["reason", job.reason],
    ["title", job.title],
    ["repository", job.commit === "" ? job.repo : `${job.repo} at ${job.commit}`],
    ["sandbox", job.network ? `${job.sandbox}, with network` : job.sandbox],
    ["created", job.created_at],
    ["updated", job.updated_at],
    ["attempt", job.attempt === 0 ? "" : `${job.attempt}, by ${job.worker}`],
    ["before", before.join("; ")],
    ["retries left", job.retries_left === 0 ? "" : String(job.retries_left)],
    ["tokens", job.tokens_used],
    ["result", job.result === null ? "" : TEAM_JOB_PRINTS.result(job.result.branch, job.id)],
  ]
    .filter(([, value]) => value !== "")
    .map((row) => row.map((cell) => toOneLine(guardOwn(cell))));
  return `${table(rows, { width: screen.columns, columns: NAME_AND_TEXT })}\n`;
}

/** Adds a note to the state of a job that has been restarted. */
function toShownState(state: string, attempt: number): string {
  const before = state === "queued" ? attempt : attempt - 1;
  return before > 0 ? `${state} (after attempt ${before})` : state;
}

function printList(jobs: readonly ListedTeamJob[], { screen, nowMs }: TeamJobDeps): string {
  const shown = jobs.map(({ id, state, createdAt, title, attempt }) => ({
    id,
    state: toShownState(state, attempt),
    createdAt,
    title: guardOwn(title),
  }));
  return printJobList(shown, nowMs(), screen);
}
