import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../base/environment.ts";
import { findProgram } from "../../base/find-program.ts";
import { plainGitEnv } from "../../base/plain-git.ts";
import { type ProgramResult, runProgram } from "../../base/subprocess/run-program.ts";
import { cutText, toOneLine } from "../../base/text.ts";
import { withTimeLimit } from "../../base/timers.ts";
import { fail, type Outcome, succeed } from "../../contract/faults.ts";
import { redact } from "../../safety/redact/redact.ts";

/** Settings for running git for a job. */
export interface JobGitCall {
  /** The worker's own environment, through which git finds its credentials for repositories. */
  readonly env: Environment;
  /** Folder of ours for this attempt alone. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Clone of a job: its work tree, and the commit it started from. */
export interface JobClone {
  readonly root: string;
  readonly base: string;
}

const FETCH_MS = 30 * 60_000;
const MAX_BYTES = 64 * 1024;
const MAX_REASON_CHARS = 300;
const COMMIT = /^[0-9a-f]{40}$/;

/** No program named by a repository, template or setting is run, and nothing is fetched beyond what was requested. */
const NEUTRAL = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.attributesFile=/dev/null",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  "push.recurseSubmodules=no",
  "push.gpgSign=false",
  "http.followRedirects=false",
  "protocol.version=2",
  "gc.auto=0",
  "maintenance.auto=false",
].flatMap((setting) => ["-c", setting]);

/**
 * Variables that redirect git to other locations: they may have been set for another repository when the worker was
 * started.
 */
const PLACES =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|TEMPLATE_DIR|SHALLOW_FILE|GRAFT_FILE|PREFIX|EXTERNAL_DIFF|TRACE.*)$/;
/** Protocols to which the worker's own settings may rewrite the address of a job, by scheme. */
const PROTOCOLS: Readonly<Record<string, string>> = {
  https: "https:ssh",
  ssh: "https:ssh",
  http: "http",
  file: "file",
};

/**
 * Fetches a revision and checks it out, detached, in a fresh folder. Contract: never throws; `repo` and `commit` have
 * passed `parseRepoUrl` and `isRevision`. The connection uses the worker's own settings; the checkout uses none: no
 * hook, filter or submodule runs.
 */
export async function cloneForJob(
  call: JobGitCall,
  { repo, commit }: { readonly repo: string; readonly commit: string },
): Promise<Outcome<JobClone>> {
  const root = join(call.folder, "repo");
  const made = await runPlain(call, ["init", "--quiet", "--template=", "--", root]);
  if (made.exitCode !== 0) return refused("git could not make a repository", made);
  const wanted = commit === "" ? "HEAD" : commit;
  const options = ["--quiet", "--no-tags", "--no-recurse-submodules", "--no-auto-maintenance"];
  const fetched = await runConnected(call, repo, root, ["fetch", ...options, "--", repo, wanted]);
  if (fetched.exitCode !== 0) return refused(`${repo} has no ${wanted} that could be fetched`, fetched);
  const found = await runPlain(call, ["-C", root, "rev-parse", "--verify", "--quiet", "FETCH_HEAD^{commit}"]);
  const base = found.stdout.trim();
  if (!COMMIT.test(base)) return refused(`${wanted} is not a commit of ${repo}`, found);
  const written = await runPlain(call, ["-C", root, "checkout", "--quiet", "--detach", base, "--"]);
  return written.exitCode === 0 ? succeed({ root, base }) : refused("its files could not be written", written);
}

/**
 * Makes a bundle of the commits since the job began, as one branch. Returns its path and size. Contract: reads nothing
 * of the clone but its objects.
 */
export async function bundleResult(
  call: JobGitCall,
  { root, base }: JobClone,
  { head, branch }: { readonly head: string; readonly branch: string },
): Promise<Outcome<{ readonly path: string; readonly bytes: number }>> {
  const out = outOf(call);
  const path = join(call.folder, "result.bundle");
  rmSync(path, { force: true });
  const ref = `refs/heads/${branch}`;
  const steps = [
    { args: ["init", "--quiet", "--bare", "--template=", "--", out], env: null },
    { args: ["update-ref", ref, head], env: objectsOf(call, root) },
    { args: ["bundle", "create", "--quiet", path, ref, `^${base}`], env: objectsOf(call, root) },
  ];
  for (const { args, env } of steps) {
    const done = await runPlain(call, args, env);
    if (done.exitCode !== 0) return refused("the result could not be put together", done);
  }
  return succeed({ path, bytes: statSync(path).size });
}

/** Pushes a result that `bundleResult` has bundled to a branch that does not exist yet. */
export async function pushResult(call: JobGitCall, root: string, repo: string, branch: string): Promise<Outcome<void>> {
  const ref = `refs/heads/${branch}`;
  const env = { GIT_DIR: outOf(call), GIT_OBJECT_DIRECTORY: join(root, ".git", "objects") };
  const push = ["push", "--quiet", "--no-verify", "--", repo, `${ref}:${ref}`];
  const pushed = await runConnected(call, repo, call.folder, push, env);
  return pushed.exitCode === 0 ? succeed(undefined) : refused(`${branch} could not be pushed`, pushed);
}

/** Our own bare repository beside the clone: changes to the settings of the clone do not affect it. */
function outOf({ folder }: JobGitCall): string {
  return join(folder, "out.git");
}

function objectsOf(call: JobGitCall, root: string): Environment {
  return plainGitEnv({ folder: outOf(call), objects: join(root, ".git", "objects"), shallow: null });
}

/** Runs git without system, user or template settings. */
function runPlain(call: JobGitCall, args: readonly string[], env: Environment | null = null): Promise<ProgramResult> {
  // Without GIT_DIR, git finds the clone by `-C`.
  const {
    GIT_DIR: _dir,
    GIT_OBJECT_DIRECTORY: _objects,
    ...plain
  } = plainGitEnv({ folder: call.folder, objects: "", shallow: null });
  return run(call, args, env ?? { ...plain, GIT_CEILING_DIRECTORIES: call.folder }, call.folder);
}

/** Runs git with the worker's own settings, which include its credentials. */
function runConnected(
  call: JobGitCall,
  repo: string,
  cwd: string,
  args: readonly string[],
  more: Environment = {},
): Promise<ProgramResult> {
  const own = Object.entries(call.env).filter(([name]) => !PLACES.test(name));
  const scheme = repo.slice(0, repo.indexOf(":"));
  const env = {
    ...Object.fromEntries(own),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ALLOW_PROTOCOL: PROTOCOLS[scheme] ?? "none",
    GIT_LFS_SKIP_SMUDGE: "1",
    ...more,
  };
  return run(call, args, env, cwd);
}

function run(
  { env: own, signal }: JobGitCall,
  args: readonly string[],
  env: Environment,
  cwd: string,
): Promise<ProgramResult> {
  const command = findProgram("git", own["PATH"] ?? "", null) ?? "git";
  const caps = { maxStdoutBytes: MAX_BYTES, maxStderrBytes: MAX_BYTES };
  return withTimeLimit(signal, FETCH_MS, (limited) =>
    runProgram({ command, args: ["--no-pager", ...NEUTRAL, ...args], cwd, env, stdin: "", signal: limited, ...caps }),
  );
}

function refused(what: string, { stderr, stdout, startError }: ProgramResult): Outcome<never> {
  const said = cutText(redact(toOneLine(stderr || stdout || startError)).text, MAX_REASON_CHARS).text;
  return fail("E_TOOL_UNAVAILABLE", said === "" ? what : `${what}: ${said}`);
}
