import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { findProgram } from "../../base/find-program.ts";
import { readInside } from "../../base/jail.ts";
import { findRepoRoot } from "../../base/repo-root.ts";

/** Access to the history of a work tree without its configuration. */
export interface GitSource {
  /** The commit that is checked out and its objects, fully validated; null if there is none. */
  readonly findStart: (root: string) => {
    readonly commit: string;
    readonly objects: string;
    readonly shallow: string | null;
  } | null;
  /** Folder with the git directories `sha1` and `sha256`, whose configuration replaces the repository's. */
  readonly plainGit: string;
}

/** A work tree and its git directories. */
export interface GitPlace {
  /** The git in the user's PATH; never one inside the work tree. */
  readonly program: string;
  /** Real path of the work tree's root. */
  readonly root: string;
  /** Git directory of this work tree, with HEAD and index. */
  readonly own: string;
  /** Git directory shared with other work trees, with configuration and refs. */
  readonly common: string;
  readonly objects: string;
  readonly shallow: string | null;
  readonly isSha256: boolean;
  /** The git directory that replaces the repository's own. */
  readonly folder: string;
}

const MAX_SMALL_BYTES = 8 * 1024;
const MAX_CONFIG_BYTES = 256 * 1024;

/**
 * Finds the work tree that contains a folder. Contract: never throws, runs no program; null if there is none, if git is
 * missing, or if `.git` is nothing that git itself would have created.
 */
export function findGitPlace(cwd: string, path: string, source: GitSource): GitPlace | null {
  try {
    const { root, source: found } = findRepoRoot(cwd);
    const program = findProgram("git", path, root);
    if (found !== "git" || program === null) return null;
    const start = source.findStart(root) ?? findUnborn(root);
    const own = start === null ? null : findOwn(root);
    if (start === null || own === null) return null;
    const common = dirname(start.objects);
    const isSha256 = start.commit === "" ? saysSha256(common) : start.commit.length === 64;
    const folder = join(source.plainGit, isSha256 ? "sha256" : "sha1");
    return { program, root, own, common, objects: start.objects, shallow: start.shallow, isSha256, folder };
  } catch {
    return null;
  }
}

/** Returns the commit that is checked out; empty before the first. */
export function readHead({ root }: GitPlace, { findStart }: GitSource): string {
  return findStart(root)?.commit ?? "";
}

/** Recognises a repository before its first commit: nothing is checked out, and its objects are its own. */
function findUnborn(root: string): ReturnType<GitSource["findStart"]> {
  const git = join(root, ".git");
  const objects = join(git, "objects");
  if (!lstatSync(git).isDirectory() || !lstatSync(objects).isDirectory()) return null;
  const ref = /^ref: (refs\/heads\/[\w./-]+)\n$/.exec(readSmall(git, "HEAD"))?.[1];
  const isBorrowing = lstatSync(join(objects, "info", "alternates"), { throwIfNoEntry: false }) !== undefined;
  const isBorn = ref === undefined || lstatSync(join(git, ref), { throwIfNoEntry: false }) !== undefined;
  return isBorn || isBorrowing ? null : { commit: "", objects, shallow: null };
}

/**
 * Returns the folder of HEAD and index. `findStart` has already checked that a `.git` file and its target refer to each
 * other.
 */
function findOwn(root: string): string | null {
  const git = join(root, ".git");
  if (lstatSync(git).isDirectory()) return git;
  const named = /^gitdir: ([^\n]+)\n?$/.exec(readSmall(root, ".git"))?.[1];
  return named === undefined ? null : realpathSync(resolve(root, named));
}

function saysSha256(common: string): boolean {
  const config = readInside(common, join(common, "config"), MAX_CONFIG_BYTES);
  return config.ok && /^\s*objectformat\s*=\s*sha256\s*$/im.test(config.value.text ?? "");
}

function readSmall(folder: string, name: string): string {
  const file = readInside(folder, join(folder, name), MAX_SMALL_BYTES);
  return file.ok && !file.value.cut ? (file.value.text ?? "") : "";
}
