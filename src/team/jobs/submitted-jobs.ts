import { isCount, isRecord, textOf } from "../../base/text.ts";
import type { TeamServerPlace } from "../../config/team-server.ts";
import { fail, type Outcome, succeed } from "../../contract/faults.ts";
import { type ListedTeamJob, TEAM_JOB_STATES, type TeamJob, type TeamJobRequest } from "../../contract/team-jobs.ts";
import { sendToTeam } from "../ask-server.ts";
import { toBytes, toData } from "./read-reply.ts";
import { isRevision, parseRepoUrl } from "./repo-url.ts";

const ID = /^[A-Za-z0-9_.:-]{1,200}$/;
const SHA256 = /^[0-9a-f]{64}$/;
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const BRANCH = /^codex\/[A-Za-z0-9_-]{1,100}\/\d{1,6}$/;

/** Selects the jobs to list. */
interface TeamListFilter {
  readonly state?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/**
 * Client for the jobs of the token's owner on a team's server. Contract: never throws; answers are checked for their
 * form but are otherwise untrusted.
 */
export function openSubmittedJobs(access: TeamServerPlace, signal: AbortSignal) {
  const get = (path: string) => sendToTeam(access, { method: "GET", path, signal });
  const pathOf = (id: string) => `/v1/jobs/${id}`;
  const named = async <T>(id: string, ask: () => Promise<Outcome<T>>): Promise<Outcome<T>> =>
    ID.test(id) ? ask() : fail("E_INVALID_ARGS", `"${id}" is not a job id (letters, digits and "_.:-")`);
  return {
    submit: async (wanted: TeamJobRequest): Promise<Outcome<{ readonly jobId: string; readonly tag: string }>> => {
      const repo = parseRepoUrl(wanted.repo);
      if (!repo.ok) return repo;
      if (!isRevision(wanted.commit))
        return fail("E_INVALID_ARGS", "--commit takes the name of a commit, a branch or a tag");
      const body = JSON.stringify({ ...wanted, repo: repo.value });
      const answer = toData(access, await sendToTeam(access, { method: "POST", path: "/v1/jobs", body, signal }));
      if (!answer.ok) return answer;
      const jobId = textOf(answer.value, "jobId");
      return ID.test(jobId) ? succeed({ jobId, tag: textOf(answer.value, "tag") }) : odd(access);
    },
    list: async ({ state, limit, offset }: TeamListFilter): Promise<Outcome<readonly ListedTeamJob[]>> => {
      const query = Object.entries({ state, limit, offset }).flatMap(([name, value]) =>
        value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
      );
      const answer = toData(access, await get(`/v1/jobs?${query.join("&")}`));
      if (!answer.ok) return answer;
      const { jobs } = answer.value;
      return Array.isArray(jobs) ? succeed(jobs.flatMap(toListed)) : odd(access);
    },
    status: (id: string): Promise<Outcome<TeamJob>> =>
      named(id, async () => {
        const answer = toData(access, await get(pathOf(id)));
        if (!answer.ok) return answer;
        const job = toJob(answer.value);
        return job === null || job.id !== id ? odd(access) : succeed(job);
      }),
    /** Returns the state that the job was in. */
    stop: (id: string): Promise<Outcome<string>> =>
      named(id, async () => {
        const path = `${pathOf(id)}/stop`;
        const answer = toData(access, await sendToTeam(access, { method: "POST", path, signal }));
        return answer.ok ? succeed(textOf(answer.value, "was")) : answer;
      }),
    /** Bytes of an attempt's log from an offset; empty if there are none at the moment. */
    log: (id: string, attempt: number, at: number): Promise<Outcome<Buffer>> =>
      named(id, async () => toBytes(access, await get(`${pathOf(id)}/log?attempt=${attempt}&at=${at}`))),
    /** Bytes of the accepted result from an offset. */
    result: (id: string, at: number): Promise<Outcome<Buffer>> =>
      named(id, async () => toBytes(access, await get(`${pathOf(id)}/result?at=${at}`))),
  };
}

/** Return type of `openSubmittedJobs`. */
export type SubmittedJobs = ReturnType<typeof openSubmittedJobs>;

function odd({ url }: TeamServerPlace): Outcome<never> {
  return fail("E_PARSE", `${url} answers something else than was asked for`);
}

function toListed(given: unknown): ListedTeamJob[] {
  if (!isRecord(given)) return [];
  const text = (name: string) => textOf(given, name);
  const [id, state] = [text("id"), toState(given["state"])];
  if (state === null || !ID.test(id)) return [];
  const times = { createdAt: text("createdAt"), updatedAt: text("updatedAt") };
  const attempt = toNumber(given["attempt"]);
  return [{ id, state, tag: text("tag"), ...times, title: text("title"), repo: text("repo"), attempt }];
}

function toJob(given: Readonly<Record<string, unknown>>): TeamJob | null {
  const [listed] = toListed(given);
  if (listed === undefined) return null;
  const { createdAt: _created, updatedAt: _updated, ...common } = listed;
  const text = (name: string) => textOf(given, name);
  const code = given["exit_code"];
  const attempts = Array.isArray(given["attempts"]) ? given["attempts"].filter(isRecord) : [];
  return {
    ...common,
    exit_code: typeof code === "number" ? code : null,
    classification: text("classification"),
    reason: text("reason"),
    tokens_used: text("tokens_used"),
    commit: text("commit"),
    sandbox: text("sandbox") === "workspace-write" ? "workspace-write" : "read-only",
    network: given["network"] === true,
    created_at: text("created_at"),
    updated_at: text("updated_at"),
    retries_left: toNumber(given["retries_left"]),
    worker: text("worker"),
    stop_asked: given["stop_asked"] === true,
    log_bytes: toNumber(given["log_bytes"]),
    log_cut: given["log_cut"] === true,
    result: toResult(given["result"]),
    attempts: attempts.map((one) => ({
      attempt: toNumber(one["attempt"]),
      worker: textOf(one, "worker"),
      state: toState(one["state"]) ?? "failed",
      reason: textOf(one, "reason"),
      started_at: textOf(one, "started_at"),
      ended_at: typeof one["ended_at"] === "string" ? one["ended_at"] : null,
    })),
  };
}

function toResult(given: unknown): TeamJob["result"] {
  if (!isRecord(given)) return null;
  const [branch, head, sha256] = [textOf(given, "branch"), textOf(given, "head"), textOf(given, "sha256")];
  const isWhole = BRANCH.test(branch) && COMMIT.test(head) && SHA256.test(sha256);
  return isWhole ? { branch, head, sha256, bytes: toNumber(given["bytes"]) } : null;
}

function toState(given: unknown): TeamJob["state"] | null {
  return TEAM_JOB_STATES.find((known) => known === given) ?? null;
}

function toNumber(given: unknown): number {
  return isCount(given) ? given : 0;
}
