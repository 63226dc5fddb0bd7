import { lstatSync } from "node:fs";
import { join } from "node:path";
import { readInside } from "../../base/jail.ts";
import { kindOf } from "./files.ts";
import type { GitPlace } from "./git-place.ts";
import type { AskGit } from "./plain-git.ts";

/** A work tree at one moment. */
export interface GitState {
  /** The commit that is checked out; empty before the first. */
  readonly head: string;
  /** Files that are not as they are committed, staged ones and new ones among them, and what tells a change of each. */
  readonly dirty: ReadonlyMap<string, string>;
}

/** What happened to a work tree between two moments. */
export interface GitChanges {
  /** Files that are not what they were, committed or not. */
  readonly changed: readonly string[];
  /** Those that were as committed before, and are not now: all that is new in them came in between. */
  readonly fresh: readonly string[];
  /** Those that were not as committed before, and have been changed further: nobody can tell whose change is whose. */
  readonly mixed: readonly string[];
}

/** Where the runs themselves are kept: no work of Codex. */
const OWN_FOLDER = /^(?:.*\/)?\.codex-father\//;
const EMPTY_TREE = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
} as const;
const DIFF = ["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all"];

/** Looks at a work tree. Contract: never throws; null where git cannot tell. Files of our own folder are left out. */
export async function readGitState(place: GitPlace, git: AskGit, head: string): Promise<GitState | null> {
  const { root, common } = place;
  const exclude = join(common, "info", "exclude");
  const more = kindOf(exclude) === "file" ? [`--exclude-from=${exclude}`] : [];
  const lists = await Promise.all([
    listNames(git, DIFF),
    listNames(git, [...DIFF, "--cached", treeOf(place, { head })]),
    listNames(git, ["ls-files", "-z", "--others", ...more, "--exclude-standard"]),
  ]);
  const names = lists.flatMap((list) => list ?? []);
  return lists.includes(null) ? null : { head, dirty: new Map(names.map((name) => [name, stampOf(root, name)])) };
}

/** Tells two moments apart. Contract: never throws; null where git cannot tell; names in the order of their characters. */
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

/** A file that is not as it is committed, with the lines of it that are new and gone; null for what is no text. */
export interface FileDiff {
  readonly path: string;
  readonly added: number | null;
  readonly removed: number | null;
}

/** Longest new file whose lines are counted. */
const MAX_NEW_BYTES = 1_000_000;

/** How much differs from what is committed. Contract: never throws; null where git cannot tell; in the order of names. */
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

/** What is committed; before the first commit that is nothing. */
function treeOf({ isSha256 }: GitPlace, { head }: Pick<GitState, "head">): string {
  return head === "" ? EMPTY_TREE[isSha256 ? "sha256" : "sha1"] : head;
}

async function listNames(git: AskGit, args: readonly string[]): Promise<readonly string[] | null> {
  const { exitCode, stdout, cut } = await git(args);
  if (exitCode !== 0 || cut) return null;
  // A folder among new files is a repository of its own.
  return stdout.split("\0").filter((name) => name !== "" && !name.endsWith("/") && !OWN_FOLDER.test(name));
}

/** The same as long as nobody writes to the file. */
function stampOf(root: string, name: string): string {
  try {
    const { mode, size, mtimeNs, ctimeNs, ino } = lstatSync(join(root, name), { bigint: true });
    return [mode, size, mtimeNs, ctimeNs, ino].join(":");
  } catch {
    return "gone";
  }
}
