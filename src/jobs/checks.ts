import { findProgram } from "../base/find-program.ts";
import { runProgram } from "../base/subprocess.ts";
import { cutText, toOneLine } from "../base/text.ts";
import { limitTime } from "../base/time-limit.ts";
import type { StartOptions } from "../contract/codex-jobs.ts";
import { RUN_NOTES, UNMET } from "../contract/codex-run-texts.ts";
import { makeGlobTest } from "./file-globs.ts";

/** The user's own git, in the folder that Codex works in. */
export interface Git {
  /** The commit that is checked out; empty where there is none yet. */
  readonly head: () => Promise<string>;
  /** Changed files since a commit, committed or not, those of our own folder left out. */
  readonly changedSince: (commit: string) => Promise<readonly string[]>;
  /** Changed files that are not committed. */
  readonly uncommitted: () => Promise<readonly string[]>;
  /** Commits these files. Contract: empty where it went well, else why not. */
  readonly commit: (files: readonly string[], message: string) => Promise<string>;
}

const TIMEOUT_MS = 120_000;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_REASON = 300;
/** Where the runs themselves are kept: no work of Codex. */
const OWN_FOLDER = /^(?:.*\/)?\.codex-father\//;
/** So many names at once fit into the arguments of a program. */
const FILES_AT_ONCE = 500;

/** Opens the work tree that holds a folder; null where there is none, or no git. */
export async function openGit(call: {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}): Promise<Git | null> {
  const program = findProgram("git", call.env["PATH"] ?? "", null);
  if (program === null) return null;
  const git = async (args: readonly string[], cwd = call.cwd) => {
    const { signal, release } = limitTime(call.signal, TIMEOUT_MS);
    const { env } = call;
    const caps = { maxStdoutBytes: MAX_BYTES, maxStderrBytes: MAX_BYTES };
    return runProgram({ command: program, args, cwd, env, stdin: "", signal, ...caps }).finally(release);
  };
  const top = await git(["rev-parse", "--show-toplevel"]);
  if (top.exitCode !== 0) return null;
  const root = top.stdout.replace(/\n$/, "");
  const names = async (args: readonly string[]) => {
    const { exitCode, stdout } = await git(args, root);
    return exitCode === 0 ? stdout.split("\0").filter((name) => name !== "" && !OWN_FOLDER.test(name)) : [];
  };
  const uncommitted = async () => {
    const known = await names(["diff", "--name-only", "-z", "--no-renames", "HEAD"]);
    // Before the first commit there is nothing to compare with.
    const staged = await names(["diff", "--name-only", "-z", "--no-renames", "--cached"]);
    const fresh = await names(["ls-files", "-z", "--others", "--exclude-standard"]);
    return [...new Set([...known, ...staged, ...fresh])];
  };
  return {
    head: async () => (await git(["rev-parse", "--verify", "--quiet", "HEAD"])).stdout.trim(),
    uncommitted,
    changedSince: async (commit) => {
      const committed = commit === "" ? [] : await names(["diff", "--name-only", "-z", "--no-renames", commit, "HEAD"]);
      return [...new Set([...committed, ...(await uncommitted())])];
    },
    commit: async (files, message) => {
      for (let at = 0; at < files.length; at += FILES_AT_ONCE) {
        const part = files.slice(at, at + FILES_AT_ONCE);
        const added = await git(["--literal-pathspecs", "add", "--all", "--", ...part], root);
        if (added.exitCode !== 0) return said(added);
      }
      const done = await git(["commit", "--quiet", "--message", message], root);
      return done.exitCode === 0 ? "" : said(done);
    },
  };
}

function said({ stdout, stderr, startError }: { stdout: string; stderr: string; startError: string }): string {
  return cutText(toOneLine(stderr || stdout || startError) || "no reason given", MAX_REASON).text;
}

/** What a finished task is held to. */
export type Requirements = Pick<
  StartOptions,
  "requireChangeIn" | "requireGitCommit" | "autoCommit" | "autoCommitMessage"
>;

/**
 * Holds a task that says it is done to what was required of it since a commit. Where committing was asked for, changed files
 * are committed first: those that match a required place, or all where none is required; never those of our own folder.
 * Contract: never throws; `why` is empty where everything is met.
 */
export async function checkDone(
  git: Git | null,
  before: string,
  required: Requirements,
): Promise<{ readonly why: string; readonly notes: readonly string[] }> {
  const { requireChangeIn, requireGitCommit, autoCommit, autoCommitMessage } = required;
  if (requireChangeIn.length === 0 && !requireGitCommit && !autoCommit) return { why: "", notes: [] };
  if (git === null) return { why: UNMET.noRepository, notes: [] };
  const places = requireChangeIn.map((place) => makeGlobTest(place.replace(/^\.\//, "")));
  const matching = (files: readonly string[]) =>
    places.length === 0 ? files : files.filter((file) => places.some((isThere) => isThere(file)));
  const notes: string[] = [];
  const toCommit = autoCommit ? matching(await git.uncommitted()) : [];
  if (toCommit.length > 0) {
    const trouble = await git.commit(toCommit, autoCommitMessage);
    notes.push(trouble === "" ? RUN_NOTES.committed(toCommit.length) : RUN_NOTES.commitFailed(trouble));
  }
  const missing: string[] = [];
  if (requireGitCommit && (await git.head()) === before) missing.push(UNMET.noCommit);
  if (places.length > 0 && matching(await git.changedSince(before)).length === 0) missing.push(UNMET.noChange);
  return { why: missing.join("；"), notes };
}
