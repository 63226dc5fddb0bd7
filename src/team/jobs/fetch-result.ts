import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../base/environment.ts";
import { findProgram } from "../../base/find-program.ts";
import { toSha256 } from "../../base/hash.ts";
import { findRepoRoot } from "../../base/repo-root.ts";
import { type ProgramResult, runProgram } from "../../base/subprocess/run-program.ts";
import { cutText, toOneLine } from "../../base/text.ts";
import { withTimeLimit } from "../../base/timers.ts";
import { fail, type Outcome, succeed } from "../../contract/faults.ts";
import { TEAM_JOB_LIMITS, type TeamJobResult } from "../../contract/team-jobs.ts";
import type { SubmittedJobs } from "./submitted-jobs.ts";

/** Destination of a result. */
interface FetchPlace {
  /** A folder inside the repository. */
  readonly folder: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

const TIME_MS = 5 * 60_000;
const MAX_BYTES = 64 * 1024;
const MAX_REASON_CHARS = 300;
/** No hooks, file system monitor or maintenance: the objects are only stored. Broken objects are refused. */
const NEUTRAL = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "fetch.fsckObjects=true",
  "fetch.recurseSubmodules=false",
  "gc.auto=0",
  "maintenance.auto=false",
].flatMap((setting) => ["-c", setting]);

/**
 * Fetches the accepted result of a job into a repository, as its own branch. Contract: never throws; work tree, index
 * and all other branches stay unchanged; anything but the bundle that the server described changes nothing.
 */
export async function fetchResult(
  jobs: Pick<SubmittedJobs, "status" | "result">,
  id: string,
  place: FetchPlace,
): Promise<Outcome<TeamJobResult>> {
  const job = await jobs.status(id);
  if (!job.ok) return job;
  const { result, state } = job.value;
  if (result === null)
    return fail("E_INVALID_ARGS", `${id} is ${state} and has no result`, "a job that has changed nothing has none");
  const bundle = await download(jobs, id, result);
  if (!bundle.ok) return bundle;
  const scratch = mkdtempSync(join(tmpdir(), "groundwork-result-"));
  try {
    const path = join(scratch, "result.bundle");
    writeFileSync(path, bundle.value, { mode: 0o600 });
    return await takeBundle(path, result, job.value.commit, place);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function download(
  jobs: Pick<SubmittedJobs, "result">,
  id: string,
  { bytes, sha256 }: TeamJobResult,
): Promise<Outcome<Buffer>> {
  if (bytes > TEAM_JOB_LIMITS.resultBytes) return fail("E_INVALID_ARGS", `the result of ${id} is too large`);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes; ) {
    const part = await jobs.result(id, at);
    if (!part.ok) return part;
    if (part.value.length === 0) break;
    parts.push(part.value);
    at += part.value.length;
  }
  const all = Buffer.concat(parts);
  return toSha256(all) === sha256
    ? succeed(all)
    : fail("E_INVALID_ARGS", `the result of ${id} does not match its hash`, "nothing was changed");
}

async function takeBundle(
  path: string,
  result: TeamJobResult,
  base: string,
  { folder, env, signal }: FetchPlace,
): Promise<Outcome<TeamJobResult>> {
  const { root, source } = findRepoRoot(folder);
  if (source !== "git") return fail("E_REPO_ROOT", `${folder} is not a git repository`, "name one with --repo");
  const program = findProgram("git", env["PATH"] ?? "", root);
  if (program === null) return fail("E_TOOL_UNAVAILABLE", "there is no git on the PATH");
  const plain = {
    PATH: env["PATH"] ?? "",
    HOME: env["HOME"] ?? "",
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ALLOW_PROTOCOL: "file",
  };
  const caps = { stdin: "", maxStdoutBytes: MAX_BYTES, maxStderrBytes: MAX_BYTES };
  const call = { command: program, cwd: root, env: plain, ...caps };
  const git = (args: readonly string[]) =>
    withTimeLimit(signal, TIME_MS, (limited) =>
      runProgram({ ...call, args: ["--no-pager", ...NEUTRAL, ...args], signal: limited }),
    );
  const ref = `refs/heads/${result.branch}`;
  const heads = await git(["bundle", "list-heads", path]);
  if (heads.exitCode !== 0 || heads.stdout.trim() !== `${result.head} ${ref}`)
    return refused("the result is not a bundle of this one branch", heads);
  const verified = await git(["bundle", "verify", "--quiet", path]);
  if (verified.exitCode !== 0)
    return refused(`${root} does not have commit ${base}, which the job began with; fetch it first`, verified);
  const options = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance"];
  const fetched = await git(["fetch", ...options, "--", path, `${ref}:${ref}`]);
  return fetched.exitCode === 0 ? succeed(result) : refused(`${result.branch} could not be brought here`, fetched);
}

function refused(what: string, { stderr, stdout, startError }: ProgramResult): Outcome<never> {
  const said = cutText(toOneLine(stderr || stdout || startError), MAX_REASON_CHARS).text;
  return fail("E_INVALID_ARGS", said === "" ? what : `${what}: ${said}`, "nothing was changed");
}
