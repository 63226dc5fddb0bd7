import { isCount, isRecord, parseObject } from "../../base/text.ts";
import { fail, type Outcome, succeed } from "../../contract/faults.ts";
import {
  TEAM_JOB_LIMITS,
  TEAM_SANDBOXES,
  type TeamJobEnd,
  type TeamJobRequest,
  type TeamJobWish,
  type TeamSandbox,
} from "../../contract/team-jobs.ts";
import { isCommitId } from "../../engine/history/git-folder.ts";
import { isRevision, parseRepoPrefix, parseRepoUrl } from "../../team/jobs/repo-url.ts";

type Fields = Readonly<Record<string, unknown>>;

const MAX_TAG_CHARS = 100;
const MAX_NAME_CHARS = 100;
const MAX_PREFIXES = 100;
const FENCE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads a submitted job. Contract: never throws; a fault names the wrong field. */
export function readRequest(body: Buffer): Outcome<TeamJobRequest> {
  const given = readObject(body);
  if (!given.ok) return given;
  const fields = given.value;
  const repo = parseRepoUrl(toText(fields["repo"]));
  if (!repo.ok) return repo;
  const commit = toText(fields["commit"] ?? "");
  if (!isRevision(commit)) return wrong("commit is the name of a commit, a branch or a tag");
  const { task } = fields;
  if (typeof task !== "string" || task.trim() === "" || task.includes("\0")) return wrong("task is a text without NUL");
  if (Buffer.byteLength(task) > TEAM_JOB_LIMITS.taskBytes)
    return wrong(`task has at most ${TEAM_JOB_LIMITS.taskBytes} bytes`);
  const tag = toText(fields["tag"] ?? "");
  if (!/^[A-Za-z0-9_.-]*$/.test(tag) || tag.length > MAX_TAG_CHARS)
    return wrong(`tag has letters, digits and _.-, at most ${MAX_TAG_CHARS}`);
  const sandbox = toSandbox(fields["sandbox"] ?? "read-only");
  if (sandbox === null) return wrong(`sandbox is ${TEAM_SANDBOXES.join(" or ")}`);
  const retry = toCount(fields["retry"] ?? 0, TEAM_JOB_LIMITS.retries);
  if (retry === null) return wrong(`retry is a whole number up to ${TEAM_JOB_LIMITS.retries}`);
  const timeout = toCount(fields["timeout_seconds"] ?? 0, TEAM_JOB_LIMITS.timeoutSeconds);
  if (timeout === null) return wrong(`timeout_seconds is a whole number up to ${TEAM_JOB_LIMITS.timeoutSeconds}`);
  const network = fields["network"] === true;
  if (network && sandbox === "read-only") return wrong("network needs the sandbox workspace-write");
  return succeed({ repo: repo.value, commit, task, tag, sandbox, network, retry, timeout_seconds: timeout });
}

/** Reads which jobs a worker accepts. */
export function readWish(body: Buffer): Outcome<TeamJobWish> {
  const given = readObject(body);
  if (!given.ok) return given;
  const { worker, fence, prefixes, max_sandbox: most, network } = given.value;
  if (typeof fence !== "string" || !FENCE.test(fence)) return wrong("fence is a random id");
  if (!isLine(worker, MAX_NAME_CHARS) || worker === "") return wrong("worker is the name of the worker");
  if (!Array.isArray(prefixes) || prefixes.length > MAX_PREFIXES) return wrong("prefixes is a list of addresses");
  const parsed: string[] = [];
  for (const written of prefixes) {
    const prefix = parseRepoPrefix(toText(written));
    if (!prefix.ok) return prefix;
    parsed.push(prefix.value);
  }
  const sandbox = toSandbox(most);
  if (sandbox === null) return wrong(`max_sandbox is ${TEAM_SANDBOXES.join(" or ")}`);
  return succeed({ worker, fence, prefixes: parsed, max_sandbox: sandbox, network: network === true });
}

/** Reads the end of an attempt. */
export function readEnd(body: Buffer): Outcome<TeamJobEnd> {
  const given = readObject(body);
  if (!given.ok) return given;
  const { how, exit_code: code, classification, tokens_used: tokens, reason, commit, result } = given.value;
  if (how !== "ended" && how !== "worker_failed" && how !== "stopped")
    return wrong("how is ended, worker_failed or stopped");
  const hasCode = typeof code === "number" && Number.isInteger(code) && code >= -1 && code <= 255;
  if (!hasCode && (code !== null || how === "ended")) return wrong("exit_code is a number from -1 to 255");
  if (typeof classification !== "string" || !/^[a-z_]{0,40}$/.test(classification))
    return wrong("classification is a word");
  if (typeof tokens !== "string" || !/^\d{0,15}$/.test(tokens)) return wrong("tokens_used is a number, as text");
  if (!isLine(reason, TEAM_JOB_LIMITS.reasonChars))
    return wrong(`reason is one line of at most ${TEAM_JOB_LIMITS.reasonChars} characters`);
  if (typeof commit !== "string" || (commit !== "" && !isCommitId(commit)))
    return wrong("commit is the id of a commit");
  if (result !== null && how !== "ended") return wrong("only a run that has ended has a result");
  const handed = result === null ? succeed(null) : readResult(result);
  if (!handed.ok) return handed;
  const told = { exit_code: hasCode ? code : null, classification, tokens_used: tokens, reason, commit };
  return succeed({ how, ...told, result: handed.value });
}

function readResult(given: unknown): Outcome<TeamJobEnd["result"]> {
  if (!isRecord(given)) return wrong("result is the handed-in result, or null");
  const { head, sha256 } = given;
  const bytes = toCount(given["bytes"], TEAM_JOB_LIMITS.resultBytes);
  if (typeof head !== "string" || !isCommitId(head)) return wrong("result.head is the id of a commit");
  if (typeof sha256 !== "string" || !/^[0-9a-f]{64}$/.test(sha256)) return wrong("result.sha256 is a hash");
  return bytes === null || bytes === 0 ? wrong("result.bytes is its length") : succeed({ head, bytes, sha256 });
}

function readObject(body: Buffer): Outcome<Fields> {
  const fields = parseObject(body.toString("utf8"));
  return fields === null ? wrong("the body is one object of JSON") : succeed(fields);
}

/** Returns an integer from 0 to `most`; null for anything else. */
export function toCount(value: unknown, most: number): number | null {
  return isCount(value) && value <= most ? value : null;
}

function toSandbox(value: unknown): TeamSandbox | null {
  return TEAM_SANDBOXES.find((known) => known === value) ?? null;
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "\0";
}

function isLine(value: unknown, maxChars: number): value is string {
  return typeof value === "string" && value.length <= maxChars && !/\p{Cc}/u.test(value);
}

function wrong(message: string): Outcome<never> {
  return fail("E_INVALID_ARGS", message);
}
