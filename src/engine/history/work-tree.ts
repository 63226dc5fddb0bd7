import { lstatSync } from "node:fs";
import { join } from "node:path";
import { readInside, readWhole } from "../../base/jail.ts";
import { findUncommitted } from "./freshness.ts";
import type { GitSettings } from "./git-objects.ts";
import { readCommitted } from "./read-history.ts";
import type { Tree } from "./tree.ts";

/** A file that differs from its committed version. */
interface WorkTreeChange {
  readonly path: string;
  readonly text: string;
  /** The committed text; null for a new file, or if it cannot be read. */
  readonly before: string | null;
}

/** The uncommitted changes of some files. */
export interface WorkTree {
  /** Most recently written file first. */
  readonly changes: readonly WorkTreeChange[];
  /** True if there were more files than could be examined. */
  readonly isCut: boolean;
}

/** Parameters of a search for changes. */
interface WorkTreeRequest {
  readonly root: string;
  /** Files to examine. */
  readonly paths: readonly string[];
  /** The committed files. */
  readonly tree: Tree;
  readonly settings: GitSettings;
  readonly signal: AbortSignal;
  readonly hasTime: () => boolean;
}

const MAX_BYTES = 512 * 1024;
/** Maximum number of changed files whose committed text is read: each starts a program. */
const MOST_CHANGES = 30;

/**
 * Finds files that differ from their committed version, and reads that version. Contract: files are compared by
 * content, most recently written first, because time may run out; never throws.
 */
export async function readWorkTree({
  root,
  paths,
  tree,
  settings,
  signal,
  hasTime,
}: WorkTreeRequest): Promise<WorkTree> {
  const timeOf = (path: string) => lstatSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const times = new Map(paths.map((path) => [path, timeOf(path)]));
  const newestFirst = paths.toSorted((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0));
  let isCut = false;
  const textOf = (path: string) => {
    if (!hasTime()) isCut = true;
    return isCut ? null : readWhole(root, path, MAX_BYTES);
  };
  const found = [...(await findUncommitted(tree, newestFirst, textOf))];
  const some = found.slice(0, MOST_CHANGES);
  const ids = some.flatMap(([, id]) => (id === null ? [] : [id]));
  const committed = await readCommitted(root, settings, { ids, signal });
  const changes = some.flatMap(([path, id]) => {
    const read = readInside(root, join(root, path), MAX_BYTES);
    const text = read.ok ? read.value.text : null;
    return text === null ? [] : [{ path, text, before: id === null ? null : (committed.get(id) ?? null) }];
  });
  return { changes, isCut: isCut || found.length > some.length };
}
