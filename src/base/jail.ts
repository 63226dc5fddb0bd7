import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { isExcludedPath, isSensitivePath } from "./path-rules.ts";

/** A path that lies inside the root, both ways of writing it. */
export interface InsidePath {
  /** Real path in the file system. */
  readonly real: string;
  /** Relative to the root, forward slashes. */
  readonly path: string;
}

/** Relative path with forward slashes, or null where `real` is not inside `root`. */
export function toInside(root: string, real: string): string | null {
  const path = relative(root, real);
  if (path === "") return "";
  if (path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path)) return null;
  return sep === "/" ? path : path.split(sep).join("/");
}

/**
 * Resolves a path that somebody else wrote. Contract: `..`, absolute paths and links may only lead to places inside the
 * root; excluded and sensitive files are refused by their real name, so a link with a harmless name does not help.
 */
export function resolveInside(root: string, path: string): Outcome<InsidePath> {
  const refuse = (why: string) => fail("E_REPO_ROOT", `${path}: ${why}`);
  if (path.includes("\0")) return refuse("not a path");
  if (toInside(root, resolve(root, path)) === null) return refuse("outside the repository");
  let real: string;
  try {
    real = realpathSync(resolve(root, path));
  } catch {
    return fail("E_REPO_ROOT", `${path}: no such file`);
  }
  const inside = toInside(root, real);
  if (inside === null) return refuse("outside the repository");
  if (isSensitivePath(path) || isSensitivePath(inside)) return refuse("may hold secrets");
  if (isExcludedPath(inside)) return refuse("excluded");
  return succeed({ real, path: inside });
}

/** A file's text, or the facts that stand in for it. */
export interface FileText {
  /** Null for binary files. */
  readonly text: string | null;
  readonly sizeBytes: number;
  /** True where the file is longer than what was read. */
  readonly cut: boolean;
  /** When it was written last. */
  readonly modifiedMs: number;
  /** The same for every name that the file has; null where it has only one. */
  readonly sharedId: string | null;
}

/** The beginning of a file. */
export interface FileBytes extends Omit<FileText, "text"> {
  readonly bytes: Buffer;
}

/** Reads text as `readBytesInside` reads bytes. Contract: a file with a NUL byte in its first 8 KiB is binary. */
export function readInside(root: string, real: string, maxBytes: number): Outcome<FileText> {
  const read = readBytesInside(root, real, maxBytes);
  if (!read.ok) return read;
  const { bytes, ...facts } = read.value;
  return succeed({ text: toText(bytes), ...facts });
}

/** What the bytes of a file say, or null where it is binary. */
export function toText(bytes: Buffer): string | null {
  return bytes.subarray(0, 8_192).includes(0) ? null : bytes.toString("utf8");
}

/**
 * Reads at most `maxBytes` of a regular file inside the root. Contract: checks the file that was opened, not only its
 * name; never blocks on a FIFO or a device.
 */
export function readBytesInside(root: string, real: string, maxBytes: number): Outcome<FileBytes> {
  let fd: number;
  try {
    fd = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch {
    return fail("E_REPO_ROOT", "not readable");
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return fail("E_REPO_ROOT", "not a regular file");
    const opened = openedPath(fd, real, stats);
    const inside = opened === null ? null : toInside(root, opened);
    if (inside === null) return fail("E_REPO_ROOT", "outside the repository");
    // Whoever asked has judged the name that was given; a folder on the way may have become a link since.
    if (opened !== real && (isSensitivePath(inside) || isExcludedPath(inside)))
      return fail("E_REPO_ROOT", "not what its name says");
    return succeed(readStart(fd, stats, maxBytes));
  } catch {
    return fail("E_REPO_ROOT", "not readable");
  } finally {
    closeSync(fd);
  }
}

/** Where the open file lies: as Linux says, elsewhere by its name if that still leads to it, else null. */
function openedPath(fd: number, real: string, stats: Stats): string | null {
  try {
    if (process.platform === "linux") return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    // No /proc here.
  }
  const path = realpathSync(real);
  const named = statSync(path);
  return named.ino === stats.ino && named.dev === stats.dev ? path : null;
}

/** What tells files apart whatever their names are. */
export function toFileId({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

function readStart(fd: number, stats: Stats, maxBytes: number): FileBytes {
  const buffer = Buffer.allocUnsafe(Math.min(stats.size, maxBytes));
  let length = 0;
  while (length < buffer.length) {
    const got = readSync(fd, buffer, length, buffer.length - length, null);
    if (got === 0) break;
    length += got;
  }
  return {
    bytes: buffer.subarray(0, length),
    sizeBytes: stats.size,
    cut: stats.size > length,
    modifiedMs: stats.mtimeMs,
    sharedId: stats.nlink > 1 ? toFileId(stats) : null,
  };
}
