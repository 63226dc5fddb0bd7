import { closeSync, constants, fchmodSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { lstatOrNull } from "../../base/file-facts.ts";
import { removeQuietly } from "../../base/state-files.ts";
import { sliceBytes, toMessage } from "../../base/text.ts";
import { RUN_NOTES } from "./texts.ts";

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants;
const PRIVATE = 0o600;

/** Reports a problem to a person: one line of stderr. */
type Tell = (line: string) => void;

interface GrowingFile {
  readonly write: (text: string) => void;
  readonly close: () => void;
}

/**
 * Opens a file for appending. Contract: never throws; a write failure is reported once, its text is lost, and the next
 * write tries again. A symlink is followed only if the user named the file; while the file is not open yet, nothing is
 * written unless `mayOpen` returns true.
 */
export function openGrowing(
  path: string,
  { isNamed, tell, mayOpen = () => true }: { isNamed: boolean; tell: Tell; mayOpen?: () => boolean },
): GrowingFile {
  let file: number | null = null;
  let lost = 0;
  const open = () => openSync(path, O_WRONLY | O_CREAT | O_APPEND | (isNamed ? 0 : O_NOFOLLOW), PRIVATE);
  return {
    write: (text) => {
      if (file === null && !mayOpen()) return;
      try {
        file ??= open();
        if (lost > 0) writeAll(file, `${RUN_NOTES.lost(lost)}\n`);
        lost = 0;
        writeAll(file, text);
      } catch (thrown) {
        if (lost === 0) tell(RUN_NOTES.cannotWrite(path, toMessage(thrown)));
        lost += text.length;
      }
    },
    close: () => {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

/** Disk space reserved for a short text that is known only at the end. */
interface Reserved {
  readonly fill: (text: string) => void;
}

const ROOM_BYTES = 4_096;

/**
 * Reserves space for a text of at most 4 KiB, so that it can be written even if the disk is full. Contract: never
 * throws; until it is filled, the file contains only blanks.
 */
export function reserveFile(path: string, tell: Tell): Reserved {
  let file: number | null = null;
  try {
    removeQuietly(path);
    file = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, PRIVATE);
    writeAll(file, blanks(ROOM_BYTES));
    // Without it, some file systems allocate the space only when it is too late.
    fsyncSync(file);
  } catch (thrown) {
    tell(RUN_NOTES.cannotWrite(path, toMessage(thrown)));
  }
  return {
    fill: (text) => {
      if (file === null) return;
      const cut = sliceBytes(text, ROOM_BYTES - 1);
      try {
        // A single write in place: needs no new space, and no reader sees a partial text.
        const padded = `${cut}${blanks(ROOM_BYTES - Buffer.byteLength(cut))}`;
        writeSync(file, padded, 0);
        closeSync(file);
      } catch (thrown) {
        tell(RUN_NOTES.cannotWrite(path, toMessage(thrown)));
      }
      file = null;
    },
  };
}

/**
 * Reads the start of a text file that another program wrote for us, and makes it readable for its owner only; empty if
 * there is none. Contract: never throws, never blocks, follows no symlink.
 */
export function takeOver(path: string, maxBytes: number): string {
  return withPlainFile(path, "", (file) => {
    fchmodSync(file, PRIVATE);
    return readAt(file, 0, maxBytes).toString("utf8");
  });
}

function blanks(count: number): string {
  return `${" ".repeat(count - 1)}\n`;
}

function writeAll(file: number, text: string): void {
  let bytes = Buffer.from(text, "utf8");
  while (bytes.length > 0) bytes = bytes.subarray(writeSync(file, bytes));
}

/**
 * Opens a file in a place where anyone may have put something else: a pipe, a device, a symlink. Contract: never
 * throws, blocks or follows a symlink; anything but a plain file is not opened; null if there is none. The caller
 * closes it.
 */
export function openPlain(path: string, flags = constants.O_RDONLY): number | null {
  let file: number | null = null;
  try {
    if (entryKindOf(path) !== "file") return null;
    file = openSync(path, flags | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    // It may have been replaced in between.
    if (fstatSync(file).isFile()) return file;
  } catch {
    if (file === null) return null;
  }
  closeSync(file);
  return null;
}

/**
 * Does something with a file that is opened as by `openPlain`. Contract: never throws; `otherwise` if there is no such
 * file, or if `work` throws.
 */
export function withPlainFile<T>(path: string, otherwise: T, work: (file: number) => T, flags = constants.O_RDONLY): T {
  const file = openPlain(path, flags);
  if (file === null) return otherwise;
  try {
    return work(file);
  } catch {
    return otherwise;
  } finally {
    closeSync(file);
  }
}

/** Reads up to `length` bytes of an open file. Contract: throws if reading fails. */
export function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, position));
}

/** Reads the last `length` bytes of an open file, or all of a shorter one. Contract: as `readAt`. */
export function readTail(file: number, length: number): Buffer {
  return readAt(file, Math.max(0, fstatSync(file).size - length), length);
}

/**
 * Returns the kind of a directory entry, without following symlinks. Contract: never throws; an entry that cannot be
 * examined counts as missing.
 */
export function entryKindOf(path: string): "missing" | "folder" | "file" | "link" | "other" {
  const stats = lstatOrNull(path);
  if (stats === null) return "missing";
  return stats.isDirectory() ? "folder" : stats.isFile() ? "file" : stats.isSymbolicLink() ? "link" : "other";
}
