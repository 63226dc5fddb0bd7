/** The committed files: the tree of the checked-out commit. */
export interface Tree {
  /** Id of a file's content; null for a file that is not in the tree. */
  readonly blobOf: (path: string) => string | null;
  /** True for a path inside a submodule. */
  readonly isInSubmodule: (path: string) => boolean;
}

/** A tree as a list. */
export interface TreeEntries {
  /** Id of each file, by path. */
  readonly blobs: ReadonlyMap<string, string>;
  /** Folders that are submodules, with a trailing slash. */
  readonly submodules: readonly string[];
}

/** Parses the output of `git ls-tree -r -z`. Contract: accepts any text. */
export function parseTree(text: string): TreeEntries {
  const blobs = new Map<string, string>();
  const submodules: string[] = [];
  for (let at = 0, end = text.indexOf("\0"); end >= 0; at = end + 1, end = text.indexOf("\0", at)) {
    const tab = text.indexOf("\t", at);
    if (tab < 0 || tab > end) continue;
    const path = text.slice(tab + 1, end);
    const [, kind, id] = text.slice(at, tab).split(" ");
    if (kind === "commit") submodules.push(`${path}/`);
    else if (id !== undefined) blobs.set(path, id);
  }
  return { blobs, submodules };
}

/** Makes a tree that can be queried. */
export function toTree({ blobs, submodules }: TreeEntries): Tree {
  return { blobOf: (path) => blobs.get(path) ?? null, isInSubmodule: (path) => isBelow(path, submodules) };
}

/** True for a path in one of these folders, which end with a slash. */
export function isBelow(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path.startsWith(folder));
}
