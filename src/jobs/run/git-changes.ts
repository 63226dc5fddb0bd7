import { lstatSync } from "node:fs";
import { join } from "node:path";
import { readInside } from "../../base/jail.ts";
import { entryKindOf } from "./files.ts";
import type { GitPlace } from "./git-place.ts";
import type { AskGit } from "./plain-git.ts";

/** A snapshot of a work tree. */
export interface GitState {
  /** The commit that is checked out; empty before the first. */
  readonly head: string;
  /** Files that differ from the commit, including staged and new ones, each with a stamp that changes with the file. */
  readonly dirty: ReadonlyMap<string, string>;
}

/** Changes of a work tree between two snapshots. */
export interface GitChanges {
  /** Files that have changed, committed or not. */
  readonly changed: readonly string[];
  /** Files that matched the commit before and do not now: all of their changes were made in between. */
  readonly fresh: readonly string[];
  /** Files that differed from the commit before and have been changed further: the changes cannot be told apart. */
  readonly mixed: readonly string[];
}

/** Where the runs themselves are stored: not Codex's work. */
const OWN_FOLDER = /^(?:.*\/)?\.codex-father\//;
const EMPTY_TREE = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
} as const;
const DIFF = ["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all"];

/** Takes a snapshot of a work tree. Contract: never throws; null if git cannot tell. Omits files of our own folder. */
export async function readGitState(place: GitPlace, git: AskGit, head: string): Promise<GitState | null> {
  const { root, common } = place;
  const exclude = join(common, "info", "exclude");
  const more = entryKindOf(exclude) === "file" ? [`--exclude-from=${exclude}`] : [];
  const lists = await Promise.all([
    listNames(git, DIFF),
    listNames(git, [...DIFF, "--cached", treeOf(place, { head })]),
    listNames(git, ["ls-files", "-z", "--others", ...more, "--exclude-standard"]),
  ]);
  const names = lists.flatMap((list) => list ?? []);
  return lists.includes(null) ? null : { head, dirty: new Map(names.map((name) => [name, stampOf(root, name)])) };
}

/** Compares two snapshots. Contract: never throws; null if git cannot tell; names are sorted by character code. */
export async function compareStates(
  place: GitPlace,
  git: AskGit,
  { before, after }: { readonly before: GitState; readonly after: GitState },
): Promise<GitChanges | null> {
  const isMoved = before.head !== after.head;
  const committed = isMoved ? await listNames(git, [...DIFF, treeOf(place, before), treeOf(place, after)]) : [];
  if (committed === null) return null;
  const isSame = (name: string) => before.dirty.get(name) === after.dirty.get(name);
  const dirty = [...after.dirty.keys()].sort();
  const ofCommits = new Set(committed);
  const all = [...committed, ...before.dirty.keys(), ...dirty];
  return {
    changed: [...new Set(all)].filter((name) => ofCommits.has(name) || !isSame(name)).sort(),
    fresh: dirty.filter((name) => !before.dirty.has(name)),
    mixed: dirty.filter((name) => before.dirty.has(name) && !isSame(name)),
  };
}

/**
 * A file that differs from the commit, with its numbers of added and removed lines; null for a file that is not text.
 */
interface FileDiff {
  readonly path: string;
  readonly added: number | null;
  readonly removed: number | null;
}

const MAX_NEW_BYTES = 1_000_000;

/**
 * Counts the changed lines of every file that differs from the commit. Contract: never throws; null if git cannot tell;
 * sorted by name.
 */
export async function readDiffStat(place: GitPlace, git: AskGit, head: string): Promise<readonly FileDiff[] | null> {
  const state = await readGitState(place, git, head);
  const told = await git([...DIFF.map((word) => word.replace("--name-only", "--numstat")), treeOf(place, { head })]);
  if (state === null || told.exitCode !== 0 || told.cut) return null;
  const counts = new Map(
    Array.from(told.stdout.matchAll(/(\d+|-)\t(\d+|-)\t([^\0]*)\0/g), ([, added = "", removed = "", path = ""]) => [
      path,
      { path, added: toCount(added), removed: toCount(removed) },
    ]),
  );
  return [...state.dirty.keys()].sort().map((path) => counts.get(path) ?? countNew(place.root, path));
}

function toCount(text: string): number | null {
  return text === "-" ? null : Number(text);
}

function countNew(root: string, path: string): FileDiff {
  const file = readInside(root, join(root, path), MAX_NEW_BYTES);
  const text = file.ok && !file.value.cut ? file.value.text : null;
  return { path, added: text === null ? null : text.split("\n").length - (text.endsWith("\n") ? 1 : 0), removed: 0 };
}

/** The committed tree; empty before the first commit. */
function treeOf({ isSha256 }: GitPlace, { head }: Pick<GitState, "head">): string {
  return head === "" ? EMPTY_TREE[isSha256 ? "sha256" : "sha1"] : head;
}

async function listNames(git: AskGit, args: readonly string[]): Promise<readonly string[] | null> {
  const { exitCode, stdout, cut } = await git(args);
  if (exitCode !== 0 || cut) return null;
  // A folder among new files is a nested repository.
  return stdout.split("\0").filter((name) => name !== "" && !name.endsWith("/") && !OWN_FOLDER.test(name));
}

/** Stamp of a file: unchanged as long as the file is not written to. */
function stampOf(root: string, name: string): string {
  try {
    const { mode, size, mtimeNs, ctimeNs, ino } = lstatSync(join(root, name), { bigint: true });
    return [mode, size, mtimeNs, ctimeNs, ino].join(":");
  } catch {
    return "gone";
  }
}
