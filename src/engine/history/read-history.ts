import { join } from "node:path";
import { findProgram } from "../../base/find-program.ts";
import { type ProgramResult, runProgram } from "../../base/subprocess.ts";
import { sliceWhole, toOneLine } from "../../base/text.ts";
import { findHistoryStart, type HistoryStart } from "./git-folder.ts";

/** One commit, as its author wrote it: untrusted text. */
export interface Commit {
  readonly id: string;
  readonly atMs: number;
  readonly author: string;
  readonly subject: string;
  /** Files that it changed; none for a merge, and for a commit of so many files that it says nothing about any. */
  readonly files: readonly string[];
}

/** How often and when a file was changed lately. */
interface FileChange {
  readonly commits: number;
  readonly lastAtMs: number;
}

/** What the last commits say about the files. */
export interface History {
  /** Newest first. */
  readonly commits: readonly Commit[];
  /** By path from the root, forward slashes. */
  readonly changes: ReadonlyMap<string, FileChange>;
  /** What is committed, as `git ls-tree -r -z` lists it; null where it was too long to list. */
  readonly tree: string | null;
}

/** What reading needs from outside. */
export interface HistorySettings {
  /** The user's PATH, in which git is looked for. */
  readonly path: string;
  /** Folder with the git directories `sha1` and `sha256`, whose configuration takes the place of the repository's. */
  readonly plainGit: string;
}

/** How much is read, and for how long. */
export interface HistoryBudget {
  readonly commits: number;
  readonly signal: AbortSignal;
}

const MAX_LOG_BYTES = 4 * 1024 * 1024;
const MAX_WINDOW_BYTES = 16 * 1024 * 1024;
const MAX_WINDOW_COMMITS = 5_000;
const MAX_BLOB_BYTES = 1024 * 1024;
const DAY_S = 24 * 60 * 60;
const MAX_TREE_BYTES = 16 * 1024 * 1024;
const MAX_SUBJECT_CHARS = 200;
const MAX_AUTHOR_CHARS = 80;
/** A commit that touches more files, a reformat or a rename, says nothing about any of them. */
const MAX_FILES_OF_COMMIT = 100;
const COMMIT_MARK = /^\u0001([0-9a-f]{40,64})$/;

/**
 * Reads the last commits with a git directory of our own that borrows nothing but the repository's objects: none of its
 * configuration, hooks, attributes or refs is ever opened by git. Contract: null where there is no git, no commit, no
 * time, or anything odd about `.git`; writes nothing; never throws.
 */
export async function readHistory(
  root: string,
  settings: HistorySettings,
  budget: HistoryBudget,
): Promise<History | null> {
  const git = findGit(root, settings, budget.signal);
  if (git === null) return null;
  const [log, tree] = await Promise.all([
    git.ask(logArgs(git.commit, ["-n", String(budget.commits)]), MAX_LOG_BYTES),
    git.ask(["ls-tree", "-r", "-z", "--full-tree", git.commit], MAX_TREE_BYTES),
  ]);
  if (log.exitCode !== 0 || tree.exitCode !== 0) return null;
  return { ...parseLog(log.stdout, log.cut), tree: tree.cut ? null : tree.stdout };
}

/** The commits of some days. */
export interface CommitWindow {
  /** Newest first. */
  readonly commits: readonly Commit[];
  /** When the newest commit of all was made, and where the window begins. */
  readonly untilMs: number;
  readonly fromMs: number;
  /** Whether there were more commits than could be read. */
  readonly isCut: boolean;
}

/**
 * Reads the commits of the last days, counted back from the newest commit, so that a repository that rests has hotspots,
 * too, and the same state gives the same answer on any day. Contract: as `readHistory`.
 */
export async function readWindow(
  root: string,
  settings: HistorySettings,
  { days, signal }: { readonly days: number; readonly signal: AbortSignal },
): Promise<CommitWindow | null> {
  const git = findGit(root, settings, signal);
  if (git === null) return null;
  const newest = await git.ask(["log", "-n", "1", "--no-show-signature", "--format=%ct", git.commit, "--"], 100);
  const untilS = Number(newest.stdout.trim());
  if (newest.exitCode !== 0 || newest.stdout.trim() === "" || !Number.isSafeInteger(untilS)) return null;
  const fromS = Math.max(0, untilS - days * DAY_S);
  const args = logArgs(git.commit, ["-n", String(MAX_WINDOW_COMMITS), `--max-age=${fromS}`]);
  const log = await git.ask(args, MAX_WINDOW_BYTES);
  if (log.exitCode !== 0) return null;
  const { commits } = parseLog(log.stdout, log.cut);
  const isCut = log.cut || commits.length >= MAX_WINDOW_COMMITS;
  return { commits, untilMs: untilS * 1_000, fromMs: fromS * 1_000, isCut };
}

/**
 * Reads what files were when they were committed, by the ids that a tree lists. Contract: as `readHistory`; what is
 * missing, too long or no UTF-8 is left out.
 */
export async function readCommitted(
  root: string,
  settings: HistorySettings,
  { ids, signal }: { readonly ids: readonly string[]; readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, string>> {
  const git = findGit(root, settings, signal);
  const texts = new Map<string, string>();
  if (git === null) return texts;
  await Promise.all(
    ids.map(async (id) => {
      const { exitCode, cut, stdout } = await git.ask(["cat-file", "blob", id], MAX_BLOB_BYTES);
      if (exitCode === 0 && !cut && !stdout.includes("\ufffd")) texts.set(id, stdout);
    }),
  );
  return texts;
}

/** Git with a configuration of our own, and the commit that is checked out. */
interface PlainGit {
  readonly commit: string;
  readonly ask: (args: readonly string[], maxStdoutBytes: number) => Promise<ProgramResult>;
}

function findGit(root: string, settings: HistorySettings, signal: AbortSignal): PlainGit | null {
  const program = findProgram("git", settings.path, root);
  const start = program === null ? null : findHistoryStart(root);
  if (program === null || start === null) return null;
  return {
    commit: start.commit,
    ask: (args, maxStdoutBytes) => runGit(program, args, start, settings.plainGit, { signal, maxStdoutBytes }),
  };
}

function logArgs(commit: string, which: readonly string[]): string[] {
  return [
    ...["log", ...which, "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv"],
    ...["--no-show-signature", "--no-mailmap", "--no-notes", "--no-decorate", "--no-color", "--encoding=UTF-8"],
    ...["--ignore-submodules=all", "--format=%x01%H%x00%ct%x00%an%x00%s", commit, "--"],
  ];
}

function runGit(
  program: string,
  args: readonly string[],
  { commit, objects, shallow }: HistoryStart,
  plainGit: string,
  limits: { readonly signal: AbortSignal; readonly maxStdoutBytes: number },
): Promise<ProgramResult> {
  const folder = join(plainGit, commit.length === 64 ? "sha256" : "sha1");
  return runProgram({
    command: program,
    args: ["--no-pager", "--no-replace-objects", "--literal-pathspecs", ...args],
    cwd: folder,
    // The whole environment: nothing is inherited, because GIT_* variables name directories and programs, too.
    env: {
      PATH: "/usr/bin:/bin",
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      LC_ALL: "C",
      GIT_DIR: folder,
      GIT_OBJECT_DIRECTORY: objects,
      ...(shallow === null ? {} : { GIT_SHALLOW_FILE: shallow }),
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_ATTR_NOSYSTEM: "1",
      GIT_GRAFT_FILE: "/dev/null",
      GIT_NO_REPLACE_OBJECTS: "1",
      GIT_NO_LAZY_FETCH: "1",
      GIT_OPTIONAL_LOCKS: "0",
      GIT_TERMINAL_PROMPT: "0",
      GIT_PAGER: "cat",
      GIT_ALLOW_PROTOCOL: "none",
    },
    stdin: "",
    isAlone: true,
    maxStderrBytes: 4_096,
    ...limits,
  });
}

/** Reads what our `git log` printed. Contract: takes anything; of output that was cut, the last commit is left out. */
export function parseLog(text: string, isCut: boolean): Omit<History, "tree"> {
  const tokens = text.split("\0");
  const commits: Commit[] = [];
  const changes = new Map<string, FileChange>();
  for (let at = 0; at < tokens.length; ) {
    const id = COMMIT_MARK.exec(tokens[at] ?? "")?.[1];
    const [time = "", author = "", subject = ""] = tokens.slice(at + 1, at + 4);
    at += id === undefined ? 1 : 4;
    const first = at;
    while (at < tokens.length && !COMMIT_MARK.test(tokens[at] ?? "")) at++;
    const atMs = Number(time) * 1_000;
    // Beyond this no date can be made of it.
    if (id === undefined || !(Math.abs(atMs) <= 8.64e15) || (isCut && at === tokens.length)) continue;
    const listed = tokens.slice(first, at).map((name) => name.replace(/^\n/, ""));
    const files = listed.length > MAX_FILES_OF_COMMIT ? [] : listed.filter((path) => path !== "");
    commits.push({
      id,
      atMs,
      author: toLine(author, MAX_AUTHOR_CHARS),
      subject: toLine(subject, MAX_SUBJECT_CHARS),
      files,
    });
    for (const path of files) {
      const known = changes.get(path);
      changes.set(path, { commits: (known?.commits ?? 0) + 1, lastAtMs: Math.max(known?.lastAtMs ?? atMs, atMs) });
    }
  }
  return { commits, changes };
}

function toLine(text: string, max: number): string {
  return sliceWhole(toOneLine(text.slice(0, max * 4)), max);
}
