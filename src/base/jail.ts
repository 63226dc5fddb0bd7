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
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { isExcludedPath, isSensitivePath } from "./path-rules.ts";

/** A path inside the root, in absolute and relative form. */
interface InsidePath {
  /** Absolute path with symlinks resolved. */
  readonly real: string;
  /** Path relative to the root, with forward slashes. */
  readonly path: string;
}

/** Path relative to `root` with forward slashes, or null if `real` is not inside `root`. */
export function toInside(root: string, real: string): string | null {
  const path = relative(root, real);
  if (path === "") return "";
  if (path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path)) return null;
  return sep === "/" ? path : path.split(sep).join("/");
}

/**
 * Resolves an untrusted path. Contract: `..`, absolute paths and symlinks may only lead to places inside the root;
 * excluded and sensitive files are rejected by their real name, so a symlink with a harmless name does not help.
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

/** Text of a file and its metadata. */
interface FileText {
  /** Null for binary files. */
  readonly text: string | null;
  readonly sizeBytes: number;
  /** True if the file is longer than what was read. */
  readonly cut: boolean;
  /** Time of the last modification. */
  readonly modifiedMs: number;
  /** Identifier shared by all hard links to the file; null if it has only one name. */
  readonly sharedId: string | null;
}

/** The first bytes of a file and its metadata. */
export interface FileBytes extends Omit<FileText, "text"> {
  readonly bytes: Buffer;
}

/** Like `readBytesInside`, decoded as text. Contract: a file with a NUL byte in its first 8 KiB counts as binary. */
export function readInside(root: string, real: string, maxBytes: number): Outcome<FileText> {
  const read = readBytesInside(root, real, maxBytes);
  if (!read.ok) return read;
  const { bytes, ...facts } = read.value;
  return succeed({ text: toText(bytes), ...facts });
}

/** The text of a file; null if it is missing, binary or longer than that. Contract: `path` is relative to the root. */
export function readWhole(root: string, path: string, maxBytes: number): string | null {
  const read = readInside(root, join(root, path), maxBytes);
  return read.ok && !read.value.cut ? read.value.text : null;
}

/** Decodes the bytes of a file as UTF-8, or returns null if they are binary. */
export function toText(bytes: Buffer): string | null {
  return bytes.subarray(0, 8_192).includes(0) ? null : bytes.toString("utf8");
}

/**
 * Reads at most `maxBytes` of a regular file inside the root. Contract: checks the opened file, not only its name;
 * never blocks on a FIFO or a device.
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
    // The caller has checked the given name, but a folder on the path may have been replaced by a symlink since.
    if (opened !== real && (isSensitivePath(inside) || isExcludedPath(inside)))
      return fail("E_REPO_ROOT", "not what its name says");
    return succeed(readStart(fd, stats, maxBytes));
  } catch {
    return fail("E_REPO_ROOT", "not readable");
  } finally {
    closeSync(fd);
  }
}

/** Path of the open file: from /proc on Linux; elsewhere its name if that still leads to the same file, or null. */
function openedPath(fd: number, real: string, stats: Stats): string | null {
  try {
    if (process.platform === "linux") return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    // /proc is not available.
  }
  const path = realpathSync(real);
  const named = statSync(path);
  return named.ino === stats.ino && named.dev === stats.dev ? path : null;
}

/** Identifies a file regardless of its names. */
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
