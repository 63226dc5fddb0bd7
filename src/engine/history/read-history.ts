import { DAY_MS } from "../../base/duration.ts";
import { sliceWhole, toOneLine } from "../../base/text.ts";
import { isTimeUp, withTimeLimit } from "../../base/timers.ts";
import { isCommitId } from "./git-folder.ts";
import { type GitObjects, type GitSettings, openGitObjects } from "./git-objects.ts";
import { parseTree, type Tree, type TreeEntries, toTree } from "./tree.ts";

/** One commit; its text is untrusted. */
export interface Commit {
  readonly id: string;
  readonly atMs: number;
  readonly author: string;
  readonly subject: string;
  /**
   * Files that it changed; empty for a merge, and for a commit of so many files that it says nothing about any of them.
   */
  readonly files: readonly string[];
}

/** What the last commits say about the files. */
export interface History {
  /** Newest first. */
  readonly commits: readonly Commit[];
  /** Commits that changed a file, as far back as they are known. */
  readonly commitsOf: (path: string) => readonly Commit[];
  /** The committed files; null if there are too many to list. */
  readonly tree: Tree | null;
}

/** Limits on amount and time. */
interface HistoryBudget {
  readonly commits: number;
  readonly signal: AbortSignal;
}

const MAX_LOG_BYTES = 4 * 1024 * 1024;
const MAX_WINDOW_BYTES = 16 * 1024 * 1024;
const MAX_WINDOW_COMMITS = 5_000;
const MAX_BLOB_BYTES = 1024 * 1024;
/** With more commits than this between two states, everything is read again. */
const MOST_NEWS = 500;
const MAX_TREE_BYTES = 16 * 1024 * 1024;
const MAX_SUBJECT_CHARS = 200;
const MAX_AUTHOR_CHARS = 80;
/** A commit that touches more files (a reformat, a rename) says nothing about any of them. */
const MAX_FILES_OF_COMMIT = 100;
const COMMIT_MARK = /^\u0001([0-9a-f]{40,64})$/;

/**
 * Reads the last commits with our own git directory, which borrows only the repository's objects: git never opens the
 * repository's configuration, hooks, attributes or refs. Contract: null if there is no git, no commit, no time left, or
 * anything unusual about `.git`; writes nothing; never throws.
 */
export async function readHistory(root: string, settings: GitSettings, budget: HistoryBudget): Promise<History | null> {
  const git = openGitObjects(root, settings, budget.signal);
  if (git === null) return null;
  const [log, tree] = await Promise.all([
    git.ask(logArgs(git.start.commit, ["-n", String(budget.commits)]), MAX_LOG_BYTES),
    git.ask(treeArgs(git.start.commit), MAX_TREE_BYTES),
  ]);
  if (log.exitCode !== 0 || tree.exitCode !== 0) return null;
  const commits = parseLog(log.stdout, log.cut);
  return {
    commits,
    commitsOf: (path) => commits.filter(({ files }) => files.includes(path)),
    tree: tree.cut ? null : toTree(parseTree(tree.stdout)),
  };
}

/** The history to store, or its difference from what is stored. */
export interface HistoryUpdate {
  /** As `HistoryStart.key`. */
  readonly key: string;
  /** True if everything stored before must be discarded. */
  readonly isAnew: boolean;
  /** Commits to add, newest first, and ids of commits that are no longer part of the history. */
  readonly commits: readonly Commit[];
  readonly gone: ReadonlySet<string>;
  /** True if there are older commits that were not read. */
  readonly isCut: boolean;
  /** The whole tree. */
  readonly tree: TreeEntries;
}

/** Limits of an update. */
interface UpdateBudget {
  /** Key of the stored state; null if nothing is stored. */
  readonly since: string | null;
  /** Maximum number of commits that are stored. */
  readonly most: number;
  /** Time limit; what was read until then is used. */
  readonly ms: number;
  readonly signal: AbortSignal;
}

/**
 * Reads the history to store. Contract: only the difference from the stored state, if git can determine it and it is
 * small; otherwise as `readHistory`.
 */
export function readUpdate(root: string, settings: GitSettings, budget: UpdateBudget): Promise<HistoryUpdate | null> {
  return withTimeLimit(budget.signal, budget.ms, async (limited) => {
    const git = openGitObjects(root, settings, limited);
    return git === null ? null : readFrom(git, budget, () => isTimeUp(limited));
  });
}

async function readFrom(
  git: GitObjects,
  { since, most }: UpdateBudget,
  isTooLate: () => boolean,
): Promise<HistoryUpdate | null> {
  const { key, commit } = git.start;
  const listed = await git.ask(treeArgs(commit), MAX_TREE_BYTES);
  if (listed.exitCode !== 0 || listed.cut) return null;
  const tree = parseTree(listed.stdout);
  // The keys of a shallow clone are not commit ids, and its oldest commits may have changed.
  const news = since === null || key !== commit || !isCommitId(since) ? null : await readNews(git, since);
  if (news !== null) return { key, isAnew: false, ...news, isCut: false, tree };
  const log = await git.ask(logArgs(commit, ["-n", String(most)]), MAX_WINDOW_BYTES);
  const isLate = log.exitCode === null && isTooLate();
  if (log.exitCode !== 0 && !isLate) return null;
  const commits = parseLog(log.stdout, log.cut || isLate);
  if (commits.length === 0) return null;
  const isCut = log.cut || isLate || commits.length >= most;
  return { key, isAnew: true, commits, gone: new Set(), isCut, tree };
}

/** The commits added and removed between two commits; null if git cannot tell, or if there are too many. */
async function readNews(
  { ask, start }: GitObjects,
  since: string,
): Promise<Pick<HistoryUpdate, "commits" | "gone"> | null> {
  const most = String(MOST_NEWS + 1);
  const [came, went] = await Promise.all([
    ask(logArgs(start.commit, ["-n", most, `^${since}`]), MAX_LOG_BYTES),
    ask(["rev-list", "-n", most, `^${start.commit}`, since, "--"], MAX_LOG_BYTES),
  ]);
  if (came.exitCode !== 0 || went.exitCode !== 0 || came.cut || went.cut) return null;
  const commits = parseLog(came.stdout, false);
  const gone = new Set(went.stdout.split("\n").filter(Boolean));
  return commits.length > MOST_NEWS || gone.size > MOST_NEWS ? null : { commits, gone };
}

/** The commits of a number of days. */
export interface CommitWindow {
  /** Newest first. */
  readonly commits: readonly Commit[];
  /** Time of the newest commit of all, and the start of the window. */
  readonly untilMs: number;
  readonly fromMs: number;
  /** True if there were more commits than could be read. */
  readonly isCut: boolean;
}

/**
 * Reads the commits of the last days, counted back from the newest commit, so that a dormant repository has hotspots,
 * too, and the same state gives the same answer on any day. Contract: as `readHistory`.
 */
export async function readWindow(
  root: string,
  settings: GitSettings,
  { days, signal }: { readonly days: number; readonly signal: AbortSignal },
): Promise<CommitWindow | null> {
  const git = openGitObjects(root, settings, signal);
  if (git === null) return null;
  const { commit } = git.start;
  const newest = await git.ask(["log", "-n", "1", "--no-show-signature", "--format=%ct", commit, "--"], 100);
  const untilS = Number(newest.stdout.trim());
  if (newest.exitCode !== 0 || newest.stdout.trim() === "" || !Number.isSafeInteger(untilS)) return null;
  const untilMs = untilS * 1_000;
  const fromMs = startOfWindow(untilMs, days);
  const args = logArgs(commit, ["-n", String(MAX_WINDOW_COMMITS), `--max-age=${fromMs / 1_000}`]);
  const log = await git.ask(args, MAX_WINDOW_BYTES);
  if (log.exitCode !== 0) return null;
  const commits = parseLog(log.stdout, log.cut);
  const isCut = log.cut || commits.length >= MAX_WINDOW_COMMITS;
  return { commits, untilMs, fromMs, isCut };
}

/** Start of a window of a number of days. */
export function startOfWindow(untilMs: number, days: number): number {
  return Math.max(0, untilMs - days * DAY_MS);
}

/**
 * Reads the committed content of files, by the ids that a tree lists. Contract: as `readHistory`; content that is
 * missing, too long or not UTF-8 is left out.
 */
export async function readCommitted(
  root: string,
  settings: GitSettings,
  { ids, signal }: { readonly ids: readonly string[]; readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, string>> {
  const git = openGitObjects(root, settings, signal);
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

function treeArgs(commit: string): string[] {
  return ["ls-tree", "-r", "-z", "--full-tree", commit];
}

function logArgs(commit: string, which: readonly string[]): string[] {
  return [
    ...["log", ...which, "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv"],
    ...["--no-show-signature", "--no-mailmap", "--no-notes", "--no-decorate", "--no-color", "--encoding=UTF-8"],
    ...["--ignore-submodules=all", "--format=%x01%H%x00%ct%x00%an%x00%s", commit, "--"],
  ];
}

/**
 * Parses the output of our `git log`. Contract: accepts any text; if the output was cut, the last commit is left out.
 */
export function parseLog(text: string, isCut: boolean): Commit[] {
  const tokens = text.split("\0");
  const commits: Commit[] = [];
  for (let at = 0; at < tokens.length; ) {
    const id = COMMIT_MARK.exec(tokens[at] ?? "")?.[1];
    const [time = "", author = "", subject = ""] = tokens.slice(at + 1, at + 4);
    at += id === undefined ? 1 : 4;
    const first = at;
    while (at < tokens.length && !COMMIT_MARK.test(tokens[at] ?? "")) at++;
    const atMs = Number(time) * 1_000;
    // Outside the range of valid dates.
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
  }
  return commits;
}

function toLine(text: string, max: number): string {
  return sliceWhole(toOneLine(text.slice(0, max * 4)), max);
}
