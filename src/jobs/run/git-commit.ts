import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lstatOrNull } from "../../base/file-facts.ts";
import type { ProgramResult } from "../../base/subprocess/run-program.ts";
import { cutText, toMessage, toOneLine } from "../../base/text.ts";
import { fail, type Outcome, succeed } from "../../contract/faults.ts";
import type { GitPlace } from "./git-place.ts";
import { type AskGit, type GitCall, runGit } from "./plain-git.ts";
import { COMMIT_FAULTS } from "./texts.ts";

/** A commit to be made. */
export interface CommitWish {
  readonly files: readonly string[];
  readonly message: string;
  /** The commit that is checked out; empty before the first. */
  readonly head: string;
}

/** What a commit contains. */
export interface CommitEnd {
  /** Files in the commit. */
  readonly files: readonly string[];
  /** Files with a filter configured by the repository; the filter is not run. */
  readonly filtered: readonly string[];
}

const MAX_REASON = 300;
/** Files that git keeps during an unfinished operation: a commit of ours would become part of it. */
const HALF_DONE = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"];

/**
 * Commits these files and no others, as `git commit --only` does: other staged changes stay staged. Contract: never
 * throws; runs nothing that the repository names; commits nothing but the paths and contents of these files.
 */
export async function commitPlainly(place: GitPlace, git: AskGit, wish: CommitWish): Promise<Outcome<CommitEnd>> {
  const held = findHold(place);
  if (held !== null) return failed(held);
  const split = await leaveOutFiltered(git, wish.files);
  if (!split.ok || split.value.files.length === 0) return split;
  let folder: string;
  try {
    folder = mkdtempSync(join(tmpdir(), "groundwork-commit-"));
  } catch (thrown) {
    return failed(toMessage(thrown));
  }
  try {
    const done = await commitTree(place, git, { ...wish, files: split.value.files }, join(folder, "index"));
    return done.ok ? split : done;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Commits the tree of HEAD with these files in their current state, then updates HEAD and the index. */
async function commitTree(place: GitPlace, git: AskGit, wish: CommitWish, index: string): Promise<Outcome<null>> {
  const { files, head } = wish;
  const message = wish.message.endsWith("\n") ? wish.message : `${wish.message}\n`;
  const update = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
  const stdin = toNulList(files);
  const read = head === "" ? null : await git(["read-tree", head], { index });
  if (read !== null && read.exitCode !== 0) return failed(said(read));
  const added = await git(update, { index, stdin });
  if (added.exitCode !== 0) return failed(said(added));
  const tree = await git(["write-tree"], { index });
  if (tree.exitCode !== 0) return failed(said(tree));
  const parents = head === "" ? [] : ["-p", head];
  const made = await git(["commit-tree", tree.stdout.trim(), ...parents, "-F", "-"], { index, stdin: message });
  if (made.exitCode !== 0) return failed(said(made));
  // In the repository itself, because refs are locked there; the only programs it could run here are hooks.
  const old = head === "" ? "0".repeat(place.isSha256 ? 64 : 40) : head;
  const log = `commit: ${cutText(toOneLine(message), MAX_REASON).text}`;
  const moved = await git(
    ["-c", "core.hooksPath=/dev/null", "update-ref", "-m", log, "HEAD", made.stdout.trim(), old],
    { env: { GIT_DIR: place.own } },
  );
  if (moved.exitCode !== 0) return failed(said(moved));
  const followed = await git(update, { stdin });
  return followed.exitCode === 0 ? succeed(null) : failed(COMMIT_FAULTS.staleIndex(said(followed)));
}

/** Commits with the user's own git and all settings of the repository: only if the user asked for it. */
export async function commitWithHooks(
  place: GitPlace,
  call: GitCall,
  { files, message }: CommitWish,
): Promise<Outcome<CommitEnd>> {
  const stdin = toNulList(files);
  const listed = ["--pathspec-from-file=-", "--pathspec-file-nul"];
  const git = (args: readonly string[]) => runGit(place, ["--literal-pathspecs", ...args], { ...call, stdin });
  // `commit --only` accepts only files that git knows: announce the new ones.
  const known = await git(["add", "--intent-to-add", ...listed]);
  if (known.exitCode !== 0 && !/did not match any files/.test(known.stderr)) return failed(said(known));
  const done = await git(["commit", "--quiet", "--only", "--message", message, ...listed]);
  return done.exitCode === 0 ? succeed({ files, filtered: [] }) : failed(said(done));
}

function failed(why: string): Outcome<never> {
  return fail("E_TOOL_UNAVAILABLE", why);
}

function toNulList(files: readonly string[]): string {
  return files.map((file) => `${file}\0`).join("");
}

function said({ stdout, stderr, startError }: ProgramResult): string {
  return cutText(toOneLine(stderr || stdout || startError) || COMMIT_FAULTS.silent, MAX_REASON).text;
}

/** Why nothing can be committed at the moment; null if it can. */
function findHold({ own }: GitPlace): string | null {
  const isThere = (name: string) => lstatOrNull(join(own, name)) !== null;
  const half = HALF_DONE.find(isThere);
  if (half !== undefined) return COMMIT_FAULTS.halfDone(half);
  return isThere("index.lock") ? COMMIT_FAULTS.locked : null;
}

/** Omits files with a filter: they would be committed unfiltered, and every other git would show them as changed. */
async function leaveOutFiltered(git: AskGit, files: readonly string[]): Promise<Outcome<CommitEnd>> {
  const asked = ["check-attr", "-z", "--stdin", "filter"];
  const { exitCode, cut, stdout } = await git(asked, { stdin: toNulList(files) });
  if (exitCode !== 0 || cut) return failed(COMMIT_FAULTS.noAttributes);
  const words = stdout.split("\0");
  const isFiltered = (_file: string, at: number) => !["unspecified", "unset"].includes(words[3 * at + 2] ?? "");
  return succeed({ files: files.filter((file, at) => !isFiltered(file, at)), filtered: files.filter(isFiltered) });
}
