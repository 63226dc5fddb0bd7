import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { listFolder } from "../../base/file-facts.ts";
import { readWhole, toInside } from "../../base/jail.ts";

/** The starting point of a repository's history, fully validated. */
export interface HistoryStart {
  /** As returned by `readHeadKey`. */
  readonly key: string;
  /** Id of the checked-out commit: 40 or 64 hex digits. */
  readonly commit: string;
  readonly objects: string;
  /** Path of the `shallow` file, which lists the commits at which a shallow clone ends; null for a full clone. */
  readonly shallow: string | null;
}

/** The git folder of this work tree, and the one that it shares with other work trees. */
interface GitFolder {
  readonly own: string;
  readonly common: string;
}

const MAX_SMALL_BYTES = 8 * 1024;
const MAX_CONFIG_BYTES = 64 * 1024;
const MAX_PACKED_REFS_BYTES = 4 * 1024 * 1024;
/** Maximum length of a chain of symbolic refs, the same as git's. */
const MAX_REF_STEPS = 5;
/** Maximum number of files examined in an object folder; git packs objects long before. */
const MAX_OBJECT_FILES = 50_000;
const COMMIT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const REF_NAME = /^refs\/(?!.*(?:\.\.|\/\/|\/\.|@\{|\/$))[^\u0000-\u0020\u007f~^:?*[\\]{1,500}$/;

/** True for the full id of a commit. */
export function isCommitId(text: string): boolean {
  return COMMIT_ID.test(text);
}

/**
 * A key for the state of a history: the same key means the same commits. Contract: for a full clone, the id of the
 * checked-out commit; null as for `findHistoryStart`, except that objects are not examined.
 */
export function readHeadKey(root: string): string | null {
  return findHead(root)?.key ?? null;
}

/**
 * Finds the checked-out commit and its objects, without running git and without reading the repository's configuration.
 * Contract: null for anything that git would not have created, including symlinks, pipes, objects borrowed from
 * elsewhere and a `.git` file whose target does not point back to this work tree; never throws.
 */
export function findHistoryStart(root: string): HistoryStart | null {
  const head = findHead(root);
  return head !== null && isPlainObjectFolder(head.objects) ? head : null;
}

function findHead(root: string): HistoryStart | null {
  const folder = findGitFolder(root);
  const commit = folder === null ? null : readHead(folder);
  if (folder === null || commit === null) return null;
  const objects = join(folder.common, "objects");
  const shallow = join(folder.common, "shallow");
  const kind = kindOf(shallow);
  if (kind === "none") return { key: commit, commit, objects, shallow: null };
  return kind === "file" ? { key: `${commit} ${stampOf(shallow)}`, commit, objects, shallow } : null;
}

/** Distinguishes states of a shallow clone: deepening it adds history while the same commit stays checked out. */
function stampOf(shallow: string): string {
  const stats = lstatSync(shallow, { throwIfNoEntry: false });
  return `${stats?.size ?? 0}:${stats?.mtimeMs ?? 0}`;
}

/**
 * Resolves a name to an id: a full id, `HEAD`, a branch, a tag or a remote branch. Contract: null if there is no such
 * name; for an annotated tag, returns the id of the tag.
 */
export function resolveCommit(root: string, name: string): string | null {
  const folder = findGitFolder(root);
  if (folder === null) return null;
  if (isCommitId(name)) return name;
  if (name === "HEAD") return readHead(folder);
  for (const ref of [name, `refs/heads/${name}`, `refs/tags/${name}`, `refs/remotes/${name}`]) {
    if (!REF_NAME.test(ref)) continue;
    const id = readSmall(folder.common, ref)?.trimEnd() ?? readPackedRef(folder.common, ref);
    if (isCommitId(id)) return id;
  }
  return null;
}

/** True if git would fetch objects on demand. */
export function isPartialClone(objects: string): boolean {
  return listFolder(join(objects, "pack")).some((name) => name.endsWith(".promisor"));
}

/**
 * The real path of the git folder that all work trees of a repository share; null if there is none or it is unusual.
 */
export function findCommonFolder(root: string): string | null {
  const common = findGitFolder(root)?.common;
  return common === undefined ? null : toReal(common);
}

/**
 * Roots of the other work trees of a repository. Contract: each points to the same git folder as this one, which points
 * back to it; never throws.
 */
export function listWorkTrees(root: string): string[] {
  const common = findGitFolder(root)?.common;
  if (common === undefined) return [];
  const named = listFolder(join(common, "worktrees"))
    .sort()
    .map((name) => {
      const place = readSmall(join(common, "worktrees", name), "gitdir")?.trimEnd() ?? "";
      return toReal(dirname(resolve(common, "worktrees", name, place)));
    });
  const isOther = (other: string | null): other is string =>
    other !== null && other !== root && findGitFolder(other)?.common === common;
  return [dirname(common), ...named].filter(isOther);
}

/** The git folders of a work tree; null if there are none, they are unusual, or ids are not 20 bytes long. */
export function findGitFolders(root: string): GitFolder | null {
  const folder = findGitFolder(root);
  return folder !== null && readHead(folder)?.length === 40 ? folder : null;
}

function findGitFolder(root: string): GitFolder | null {
  const place = join(root, ".git");
  const kind = kindOf(place);
  if (kind === "folder") return asWhole(place);
  if (kind !== "file") return null;
  const named = /^gitdir: ([^\n]{1,4000})\n?$/.exec(readSmall(root, ".git") ?? "")?.[1];
  const own = named === undefined ? null : toReal(resolve(root, named));
  return own === null ? null : (asWorkTree(root, own) ?? asSubmodule(root, own));
}

/** A self-contained git folder: one with a `commondir` would borrow from another. */
function asWhole(own: string): GitFolder | null {
  return kindOf(join(own, "commondir")) === "none" ? { own, common: own } : null;
}

/** `<main>/.git/worktrees/<name>`, which only the owner of the main repository can have pointed back here. */
function asWorkTree(root: string, own: string): GitFolder | null {
  const common = dirname(dirname(own));
  if (basename(dirname(own)) !== "worktrees" || basename(common) !== ".git") return null;
  const back = readSmall(own, "gitdir")?.trimEnd() ?? "";
  const shared = readSmall(own, "commondir")?.trimEnd() ?? "";
  if (toReal(resolve(own, back)) !== join(root, ".git") || resolve(own, shared) !== common) return null;
  return { own, common };
}

/** `<above>/.git/modules/<name>` of an enclosing repository, whose configuration points back here. */
function asSubmodule(root: string, own: string): GitFolder | null {
  const inner = `${sep}.git${sep}modules${sep}`;
  const at = own.lastIndexOf(inner);
  if (at < 0 || !toInside(own.slice(0, at), root)) return null;
  const back = /^[ \t]*worktree = "?([^"\n]{1,4000}?)"?[ \t]*$/m.exec(readWhole(own, "config", MAX_CONFIG_BYTES) ?? "");
  return back?.[1] !== undefined && toReal(resolve(own, back[1])) === root ? asWhole(own) : null;
}

function readHead({ own, common }: GitFolder): string | null {
  let said = readSmall(own, "HEAD")?.trimEnd() ?? "";
  for (let step = 0; step < MAX_REF_STEPS; step++) {
    if (isCommitId(said)) return said;
    const ref = said.startsWith("ref: ") ? said.slice(5).trim() : "";
    if (!REF_NAME.test(ref)) return null;
    said = readSmall(common, ref)?.trimEnd() ?? readPackedRef(common, ref);
  }
  return null;
}

function readPackedRef(common: string, ref: string): string {
  const text = readWhole(common, "packed-refs", MAX_PACKED_REFS_BYTES) ?? "";
  for (let at = text.indexOf(` ${ref}\n`); at >= 0; at = text.indexOf(` ${ref}\n`, at + 1)) {
    const id = text.slice(text.lastIndexOf("\n", at) + 1, at);
    if (isCommitId(id)) return id;
  }
  return "";
}

/**
 * True if everything that git would open is a regular file in a regular folder. Objects borrowed through alternates or
 * symlinks would let a repository expose commits of another one whose ids its author knows; a pipe would block git.
 */
function isPlainObjectFolder(objects: string): boolean {
  if (kindOf(objects) !== "folder") return false;
  try {
    let files = 0;
    for (const entry of readdirSync(objects, { withFileTypes: true })) {
      if (entry.isFile()) continue;
      if (!entry.isDirectory()) return false;
      const inner = readdirSync(join(objects, entry.name), { withFileTypes: true });
      files += inner.length;
      if (files > MAX_OBJECT_FILES) return false;
      if (entry.name === "info") {
        if (inner.some(({ name }) => name === "alternates")) return false;
      } else if (!inner.every((file) => file.isFile())) return false;
    }
    return true;
  } catch {
    return false;
  }
}

function readSmall(folder: string, path: string): string | null {
  return readWhole(folder, path, MAX_SMALL_BYTES);
}

function kindOf(path: string): "none" | "file" | "folder" | "other" {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return "none";
    return stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other";
  } catch {
    return "other";
  }
}

function toReal(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
