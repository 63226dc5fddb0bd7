import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { readInside, toInside } from "../../base/jail.ts";

/** Where the history of a repository begins, all of it checked. */
export interface HistoryStart {
  /** As `readHeadKey` gives it. */
  readonly key: string;
  /** Id of the commit that is checked out: 40 or 64 hex digits. */
  readonly commit: string;
  readonly objects: string;
  /** The list of commits at which a shallow clone ends; null for a whole one. */
  readonly shallow: string | null;
}

/** The folder of this work tree, and the one that it shares with others. */
interface GitFolder {
  readonly own: string;
  readonly common: string;
}

const MAX_SMALL_BYTES = 8 * 1024;
const MAX_CONFIG_BYTES = 64 * 1024;
const MAX_PACKED_REFS_BYTES = 4 * 1024 * 1024;
/** Refs that only name another ref are followed so often; git itself stops at five. */
const MAX_REF_STEPS = 5;
/** Files of an object folder that are looked at; git packs long before. */
const MAX_OBJECT_FILES = 50_000;
const COMMIT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const REF_NAME = /^refs\/(?!.*(?:\.\.|\/\/|\/\.|@\{|\/$))[^\u0000-\u0020\u007f~^:?*[\\]{1,500}$/;

/** True for the id of a commit, as git writes it in full. */
export function isCommitId(text: string): boolean {
  return COMMIT_ID.test(text);
}

/**
 * Tells one state of a history from others: two that have the same key have the same commits. Contract: a whole clone's
 * is the id of the commit that is checked out; null as for `findHistoryStart`, but objects are not looked at.
 */
export function readHeadKey(root: string): string | null {
  return findHead(root)?.key ?? null;
}

/**
 * Finds the commit that is checked out and the objects it is made of, without running git and without reading the
 * repository's configuration. Contract: null for everything that git would not have made, among it links, pipes,
 * objects borrowed from elsewhere and a `.git` file whose target does not name this work tree in return; never throws.
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

/** A clone that was deepened has more history with the same commit checked out. */
function stampOf(shallow: string): string {
  const stats = lstatSync(shallow, { throwIfNoEntry: false });
  return `${stats?.size ?? 0}:${stats?.mtimeMs ?? 0}`;
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

/** A folder that is complete in itself: one with a `commondir` would borrow from another. */
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

/** `<above>/.git/modules/<name>` of a repository around this one, whose configuration points back here. */
function asSubmodule(root: string, own: string): GitFolder | null {
  const inner = `${sep}.git${sep}modules${sep}`;
  const at = own.lastIndexOf(inner);
  if (at < 0 || !toInside(own.slice(0, at), root)) return null;
  const back = /^[ \t]*worktree = "?([^"\n]{1,4000}?)"?[ \t]*$/m.exec(readText(own, "config", MAX_CONFIG_BYTES) ?? "");
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
  const text = readText(common, "packed-refs", MAX_PACKED_REFS_BYTES) ?? "";
  for (let at = text.indexOf(` ${ref}\n`); at >= 0; at = text.indexOf(` ${ref}\n`, at + 1)) {
    const id = text.slice(text.lastIndexOf("\n", at) + 1, at);
    if (isCommitId(id)) return id;
  }
  return "";
}

/**
 * True where everything that git would open is a plain file in a plain folder. Objects borrowed from elsewhere, by
 * alternates or by links, would let a repository show the commits of another whose ids its author knows; a pipe would
 * make git wait.
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
  return readText(folder, path, MAX_SMALL_BYTES);
}

function readText(folder: string, path: string, maxBytes: number): string | null {
  const file = readInside(folder, join(folder, path), maxBytes);
  return file.ok && !file.value.cut ? file.value.text : null;
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
