import type { StartOptions } from "../../contract/codex-jobs.ts";
import { countOf } from "../../contract/count-of.ts";
import { type Outcome, succeed } from "../../contract/faults.ts";
import { makeGlobTest } from "./file-globs.ts";
import { compareStates, type GitChanges, type GitState, readGitState } from "./git-changes.ts";
import { type CommitEnd, type CommitWish, commitPlainly, commitWithHooks } from "./git-commit.ts";
import { findGitPlace, type GitSource, readHead } from "./git-place.ts";
import { type GitCall, openPlainGit } from "./plain-git.ts";
import { toShown } from "./start-option-table.ts";
import { RUN_NOTES, UNMET } from "./texts.ts";

/** The work tree in which Codex works, when it was opened and now. */
export interface Git {
  /**
   * The commit that was checked out when it was opened; `head` returns the current one; empty before the first commit.
   */
  readonly headBefore: string;
  readonly head: () => string;
  /** Changes since it was opened; null if git cannot tell. */
  readonly changes: () => Promise<GitChanges | null>;
  /** Commits the given files and no others. */
  readonly commit: (wish: Omit<CommitWish, "head"> & { readonly withHooks: boolean }) => Promise<Outcome<CommitEnd>>;
}

/**
 * Opens the work tree that contains a folder. Contract: never throws; null if there is no work tree, no git, or git
 * cannot determine its state; runs nothing that the repository names, except hooks in a commit `withHooks`.
 */
export async function openGit(
  call: GitCall & { readonly cwd: string; readonly gitSource: GitSource },
): Promise<Git | null> {
  const { gitSource } = call;
  const place = findGitPlace(call.cwd, call.env["PATH"] ?? "", gitSource);
  if (place === null) return null;
  const git = await openPlainGit(place, call);
  const look = (): Promise<GitState | null> => readGitState(place, git, readHead(place, gitSource));
  const before = await look();
  if (before === null) return null;
  return {
    headBefore: before.head,
    head: () => readHead(place, gitSource),
    changes: async () => {
      const after = await look();
      return after === null ? null : compareStates(place, git, { before, after });
    },
    commit: ({ files, message, withHooks }) => {
      const wish = { files, message, head: readHead(place, gitSource) };
      return withHooks ? commitWithHooks(place, call, wish) : commitPlainly(place, git, wish);
    },
  };
}

/** Requirements on a finished task. */
type Requirements = Pick<
  StartOptions,
  "requireChangeIn" | "requireGitCommit" | "autoCommit" | "autoCommitMessage" | "commitHooks"
>;

/**
 * Checks a task that claims to be done against what was required of it since its work tree was opened. If committing
 * was requested, first commits the run's changes: those that match a required place, or all if none is required; never
 * anything that was changed or staged before, and never our own folder. Contract: never throws; `why` is empty if all
 * requirements are met; every file that is left out is reported.
 */
export async function checkDone(
  git: Git | null,
  required: Requirements,
): Promise<{ readonly why: string; readonly notes: readonly string[] }> {
  const { requireChangeIn, requireGitCommit, autoCommit } = required;
  if (requireChangeIn.length === 0 && !requireGitCommit && !autoCommit) return { why: "", notes: [] };
  if (git === null) return { why: UNMET.noRepository, notes: [] };
  const places = requireChangeIn.map((place) => makeGlobTest(place.replace(/^\.\//, "")));
  const matching = (files: readonly string[]) =>
    places.length === 0 ? files : files.filter((file) => places.some((isThere) => isThere(file)));
  const changes = await git.changes();
  if (changes === null) return { why: UNMET.unreadable, notes: [] };
  const notes = autoCommit
    ? await commitFresh(git, { fresh: matching(changes.fresh), mixed: matching(changes.mixed) }, required)
    : [];
  const missing: string[] = [];
  if (requireGitCommit && git.head() === git.headBefore) missing.push(UNMET.noCommit);
  if (places.length > 0 && matching(changes.changed).length === 0) missing.push(UNMET.noChange);
  return { why: missing.join("；"), notes };
}

async function commitFresh(
  git: Git,
  { fresh, mixed }: Pick<GitChanges, "fresh" | "mixed">,
  { autoCommitMessage: message, commitHooks: withHooks }: Requirements,
): Promise<readonly string[]> {
  const nothing = succeed<CommitEnd>({ files: [], filtered: [] });
  const done = fresh.length === 0 ? nothing : await git.commit({ files: fresh, message, withHooks });
  const { files, filtered } = done.ok ? done.value : nothing.value;
  return [
    ...(done.ok ? [] : [RUN_NOTES.commitFailed(done.fault.message)]),
    ...(files.length === 0 ? [] : [RUN_NOTES.committed(files.length)]),
    ...(mixed.length === 0 ? [] : [RUN_NOTES.notMine(countOf(mixed.length, "file"), mixed.map(toShown))]),
    ...(filtered.length === 0 ? [] : [RUN_NOTES.filtered(countOf(filtered.length, "file"), filtered.map(toShown))]),
  ];
}
