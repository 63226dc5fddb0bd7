import { basename, dirname } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { withSafePath } from "../base/find-program.ts";
import { textOf } from "../base/text.ts";
import { sleep } from "../base/timers.ts";
import type { ClaimedTeamJob } from "../contract/team-jobs.ts";
import { viewLog } from "../jobs/job/logs.ts";
import { toClassification, toCleanLine, toTokens } from "../jobs/job/record-texts.ts";
import { type JobPlace, readRecord } from "../jobs/job/store.ts";
import { type Git, openGit } from "../jobs/run/checks.ts";
import { makeRedactor } from "../jobs/run/redaction.ts";
import { parseStartOptions } from "../jobs/run/start-options.ts";
import { runInForeground } from "../jobs/tools/foreground-run.ts";
import type { JobRunEnd, RunJob } from "../team/jobs/attempt-run.ts";
import { gitSource, START_PROGRAM } from "./codex-programs.ts";

/** Author and committer of the changes made by Codex: not a real person. */
const COMMITTER = {
  GIT_AUTHOR_NAME: "Codex job",
  GIT_AUTHOR_EMAIL: "codex-job@groundwork.invalid",
  GIT_COMMITTER_NAME: "Codex job",
  GIT_COMMITTER_EMAIL: "codex-job@groundwork.invalid",
} as const;
/** Variables for the worker itself, which Codex must not see. */
const OF_WORKER = /^GROUNDWORK_(?:TEAM|BASE)_/;
/** Minimum interval between two pieces of the log. */
const LOG_MS = 1_000;
const MAX_SUBJECT_CHARS = 72;
const MAX_REASON_CHARS = 300;

/** Makes the function that runs a team's jobs, with the policy, supervisor and record of any job on this machine. */
export function makeRunJob(env: Environment): RunJob {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !OF_WORKER.test(name)));
  return async ({ job, clone, signal, onLog }) => {
    const cwd = clone.root;
    const safe = withSafePath(own, cwd);
    const { signal: never } = new AbortController();
    const git = await openGit({ cwd, env: { ...safe, ...COMMITTER }, signal: never, gitSource: gitSource() });
    const ended = new AbortController();
    let sent = Promise.resolve();
    const onPlace = (place: JobPlace) => {
      sent = sendLog(place, ended.signal, onLog);
    };
    const call = { cwd, tag: "", args: toArgs(job), signal, onProgress: () => {}, onPlace };
    const done = await runInForeground(call, { env: safe, clock: systemClock, startProgram: START_PROGRAM });
    ended.abort();
    await sent;
    const end = done.ok ? readEnd(done.value.end) : failed(done.fault.message);
    if (signal.aborted) return { ...end, head: clone.base };
    const kept = await commit(git, job);
    const reason = [end.reason, kept.trouble].filter((text) => text !== "").join("; ");
    return { ...end, reason, head: git?.head() || clone.base };
  };
}

/** Options of start.sh. Contract: the task is passed as one value, whatever it contains. */
function toArgs({ sandbox, network, task, timeout_seconds: timeout }: ClaimedTeamJob): readonly string[] {
  return [
    "--redact",
    ...["--sandbox", sandbox, "--ask-for-approval", "never"],
    ...(network ? ["--codex-config", "sandbox_workspace_write.network_access=true"] : []),
    ...(timeout > 0 ? ["--timeout", String(timeout)] : []),
    `--task=${task}`,
  ];
}

type RunTold = Omit<JobRunEnd, "head">;

function readEnd({ exitCode, metaFile }: { readonly exitCode: number; readonly metaFile: string }): RunTold {
  const meta = readRecord(dirname(metaFile), basename(metaFile));
  return {
    exit_code: Math.min(Math.max(exitCode, -1), 255),
    classification: toClassification(textOf(meta, "classification"), exitCode),
    tokens_used: toTokens(textOf(meta, "tokens_used")),
    reason: toCleanLine(textOf(meta, "reason"), MAX_REASON_CHARS),
  };
}

function failed(why: string): RunTold {
  return { exit_code: -1, classification: "error", tokens_used: "", reason: toCleanLine(why, MAX_REASON_CHARS) };
}

/** Commits all changes. Contract: reports what is left out. */
async function commit(git: Git | null, { id, attempt, task }: ClaimedTeamJob): Promise<{ readonly trouble: string }> {
  const changes = git === null ? null : await git.changes();
  if (git === null || changes === null) return { trouble: "git could not report what was changed" };
  if (changes.fresh.length === 0) return { trouble: "" };
  const message = `${toCleanLine(task, MAX_SUBJECT_CHARS)}\n\nCodex job ${id}, attempt ${attempt}\n`;
  const done = await git.commit({ files: changes.fresh, message, withHooks: false });
  if (!done.ok) return { trouble: `the changes could not be committed: ${done.fault.message}` };
  const { length } = done.value.filtered;
  return { trouble: length === 0 ? "" : `${length} changed files go through a filter and were left out` };
}

/**
 * Sends a log as it grows, up to its end. The log in the clone may have been written by Codex itself, so its secrets
 * are redacted again.
 */
async function sendLog(place: JobPlace, ended: AbortSignal, onLog: (piece: Buffer) => Promise<void>): Promise<void> {
  const options = parseStartOptions(["--redact"], {});
  const redactor = options.ok ? makeRedactor(options.value) : options;
  if (!redactor.ok) return;
  const decoder = new StringDecoder("utf8");
  const clean: string[] = [];
  const gatherer = redactor.value.gather((text) => clean.push(text));
  const send = async () => {
    const text = clean.splice(0).join("");
    if (text !== "") await onLog(Buffer.from(text, "utf8"));
  };
  const view = { tail: null, follow: true, isOver: () => ended.aborted, signal: new AbortController().signal };
  for await (const piece of viewLog(place, view)) {
    gatherer.take(decoder.write(piece));
    await send();
    await sleep(LOG_MS, ended);
  }
  gatherer.end();
  await send();
}
