import { lstatSync } from "node:fs";
import { join } from "node:path";
import { readBytesInside, readInside } from "../../base/jail.ts";
import { findGitFolders } from "./git-folder.ts";

/** A file that git has compared with its blob: as long as these are the same, so is its text. */
interface CleanFile {
  readonly id: string;
  readonly bytes: number;
  /** In milliseconds, as node counts them. */
  readonly modifiedMs: number;
  readonly changedMs: number;
  /** The last 32 bits of its number on the disk. */
  readonly inode: number;
}

const MAX_INDEX_BYTES = 256 * 1024 * 1024;
const MAX_ATTRIBUTES_BYTES = 256 * 1024;
const HEADER_BYTES = 12;
/** What stands before the name of an entry, in a repository with ids of 20 bytes. */
const FIXED_BYTES = 62;
const ID_AT = 40;
const FLAGS_AT = 60;
const FLAG = { assumed: 0x8000, extended: 0x4000, stage: 0x3000 } as const;
const REGULAR = 0o100000;
/** Attributes by which the text of a file may be another one than that of its blob, though both have the same size. */
const CONVERTS = /(?:^|\s)(?:filter|working-tree-encoding)\s*=/m;

/**
 * Knows from git's own index which files have the text of a blob, without reading them. Contract: never throws; says nothing where
 * it is not sure.
 */
export class GitIndex {
  readonly #root: string;
  readonly #files: ReadonlyMap<string, CleanFile>;

  constructor(root: string) {
    this.#root = root;
    this.#files = readFiles(root);
  }

  /**
   * The time of a file if it has the text of a blob of so many bytes; null if that is not known. (Another size means that the file
   * here is a conversion of it: other line endings, or what a pointer stands for.)
   */
  timeOf(path: string, id: string, bytes: number): number | null {
    const file = this.#files.get(path);
    if (file?.id !== id || file.bytes !== bytes) return null;
    try {
      const stats = lstatSync(`${this.#root}/${path}`);
      const isSame =
        stats.isFile() &&
        // One with several names may be a sensitive one.
        stats.nlink === 1 &&
        stats.size === bytes &&
        stats.mtimeMs === file.modifiedMs &&
        stats.ctimeMs === file.changedMs &&
        stats.ino % 2 ** 32 === file.inode;
      return isSame ? stats.mtimeMs : null;
    } catch {
      return null;
    }
  }
}

function readFiles(root: string): ReadonlyMap<string, CleanFile> {
  const none = new Map<string, CleanFile>();
  const folders = findGitFolders(root);
  if (folders === null) return none;
  const file = join(folders.own, "index");
  const read = readBytesInside(folders.own, file, MAX_INDEX_BYTES);
  if (!read.ok || read.value.cut) return none;
  try {
    const { files, attributes } = parseIndex(read.value.bytes, lstatSync(file).mtimeMs);
    const told = [...attributes.map((path) => join(root, path)), join(folders.common, "info", "attributes")];
    const isConverted = told.some((path, at) => {
      const text = readInside(at < attributes.length ? root : folders.common, path, MAX_ATTRIBUTES_BYTES);
      return text.ok && (text.value.cut || CONVERTS.test(text.value.text ?? ""));
    });
    return isConverted ? none : files;
  } catch {
    // It ends too early, or is of a kind that came later.
    return none;
  }
}

/** Reads the entries of an index. Contract: throws where it is damaged. */
function parseIndex(bytes: Buffer, writtenMs: number) {
  const files = new Map<string, CleanFile>();
  const attributes: string[] = [];
  const version = bytes.readUInt32BE(4);
  if (bytes.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4) return { files, attributes };
  let at = HEADER_BYTES;
  let name: Buffer = Buffer.alloc(0);
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const flags = bytes.readUInt16BE(at + FLAGS_AT);
    const isExtended = (flags & FLAG.extended) !== 0;
    const start = at + FIXED_BYTES + (isExtended ? 2 : 0);
    const found = version === 4 ? readShortened(bytes, start, name) : readName(bytes, start, at);
    name = found.name;
    const path = name.toString("utf8");
    if (path === ".gitattributes" || path.endsWith("/.gitattributes")) attributes.push(path);
    const modifiedMs = readTime(bytes, at + 8);
    // Extended flags say that a file is not here, or not committed. One that was written in the moment of git's own look may be another.
    const isSure = (flags & (FLAG.assumed | FLAG.stage)) === 0 && !isExtended && modifiedMs < writtenMs;
    if (isSure && (bytes.readUInt32BE(at + 24) & 0o170000) === REGULAR)
      files.set(path, {
        id: bytes.toString("hex", at + ID_AT, at + FLAGS_AT),
        bytes: bytes.readUInt32BE(at + 36),
        modifiedMs,
        changedMs: readTime(bytes, at),
        inode: bytes.readUInt32BE(at + 20),
      });
    at = found.next;
  }
  return { files, attributes };
}

/** A time, to a quarter of a microsecond. */
function readTime(bytes: Buffer, at: number): number {
  return bytes.readUInt32BE(at) * 1_000 + bytes.readUInt32BE(at + 4) / 1_000_000;
}

/** A whole name, after which zeros fill up to a multiple of eight. */
function readName(bytes: Buffer, start: number, entry: number) {
  const end = bytes.indexOf(0, start);
  if (end < 0) throw new Error("an entry without end");
  return { name: bytes.subarray(start, end), next: entry + (Math.floor((end - entry) / 8) + 1) * 8 };
}

/** A name by what it does not share with the one before. */
function readShortened(bytes: Buffer, start: number, before: Buffer) {
  let at = start;
  let byte = bytes.readUInt8(at++);
  let dropped = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = bytes.readUInt8(at++);
    dropped = ((dropped + 1) << 7) | (byte & 0x7f);
  }
  const end = bytes.indexOf(0, at);
  if (end < 0) throw new Error("an entry without end");
  return { name: Buffer.concat([before.subarray(0, before.length - dropped), bytes.subarray(at, end)]), next: end + 1 };
}
