import { lstatSync, readdirSync } from "node:fs";

/** One entry of a folder. */
export interface DiskEntry {
  readonly name: string;
  readonly isFile: () => boolean;
  readonly isDirectory: () => boolean;
}

/** Metadata of a file or folder, available without opening it. */
export interface DiskStats {
  readonly size: number;
  readonly mtimeMs: number;
  readonly isFile: () => boolean;
  readonly isDirectory: () => boolean;
}

/** Files and folders below a root, by their paths. Folder paths end with a slash; that of the root is empty. */
export interface Disk {
  /** The entries of a folder; none if it cannot be read. */
  readonly list: (folder: string) => readonly DiskEntry[];
  /** Undefined if the path does not exist. Links are not followed. */
  readonly lstat: (path: string) => DiskStats | undefined;
}

/** Knowledge about files that is available without reading them. */
export interface KnownTexts {
  /** Modification time of a file if it is known to have the text with this id and size; null otherwise. */
  readonly timeOf: (path: string, id: string, bytes: number) => number | null;
}

/** Files of which not all are on disk, and what is known about their texts. */
export interface FileSource extends Disk, KnownTexts {}

/** The file system below a folder. */
export function diskAt(root: string): Disk {
  return {
    list: (folder) => {
      try {
        return readdirSync(`${root}/${folder}`, { withFileTypes: true });
      } catch {
        // Not readable, or removed since its parent was listed.
        return [];
      }
    },
    // String concatenation, because join() would take longer than the lstat itself.
    lstat: (path) => lstatSync(`${root}/${path}`, { throwIfNoEntry: false }),
  };
}
