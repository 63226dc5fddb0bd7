import { lstatSync } from "node:fs";
import { join } from "node:path";
import { readBytesInside, readInside } from "../../base/jail.ts";
import { findGitFolders } from "./git-folder.ts";

/** A file that git has compared with its blob: as long as these values are unchanged, so is its text. */
interface CleanFile {
  readonly id: string;
  readonly bytes: number;
  /** In milliseconds, as in Node's `Stats`. */
  readonly modifiedMs: number;
  readonly changedMs: number;
  /** The low 32 bits of its inode number. */
  readonly inode: number;
}

const MAX_INDEX_BYTES = 256 * 1024 * 1024;
const MAX_ATTRIBUTES_BYTES = 256 * 1024;
const HEADER_BYTES = 12;
/** Number of bytes before the name of an entry, in a repository with ids of 20 bytes. */
const FIXED_BYTES = 62;
const ID_AT = 40;
const FLAGS_AT = 60;
const FLAG = { assumed: 0x8000, extended: 0x4000, stage: 0x3000 } as const;
const REGULAR = 0o100000;
/** Attributes that may make the text of a file differ from that of its blob, although both have the same size. */
const CONVERTS = /(?:^|\s)(?:filter|working-tree-encoding)\s*=/m;

/**
 * Knows from git's own index which files have the text of a blob, without reading them. Contract: never throws; makes
 * no statement about a file if in doubt.
 */
export class GitIndex {
  readonly #root: string;
  readonly #files: ReadonlyMap<string, CleanFile>;

  constructor(root: string) {
    this.#root = root;
    this.#files = readFiles(root);
  }

  /**
   * Modification time of a file if it has the text of a blob with this id and size; null if that is not known. (A file
   * of another size is a conversion of the blob: other line endings, or the content that a pointer stands for.)
   */
  timeOf(path: string, id: string, bytes: number): number | null {
    const file = this.#files.get(path);
    if (file?.id !== id || file.bytes !== bytes) return null;
    try {
      const stats = lstatSync(`${this.#root}/${path}`);
      const isSame =
        stats.isFile() &&
        // A file with several names (hard links) may be a sensitive one.
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
    // The index is truncated, or of a later format.
    return none;
  }
}

/** Parses the entries of an index. Contract: throws if it is damaged. */
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
    // Extended flags mark files that are not here, or not committed. A file that was written while git compared it may
    // have changed since.
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

/** Reads a time in milliseconds, to a quarter of a microsecond. */
function readTime(bytes: Buffer, at: number): number {
  return bytes.readUInt32BE(at) * 1_000 + bytes.readUInt32BE(at + 4) / 1_000_000;
}

/** Reads a full name, after which zeros pad the entry to a multiple of eight bytes. */
function readName(bytes: Buffer, start: number, entry: number) {
  const end = bytes.indexOf(0, start);
  if (end < 0) throw new Error("an entry is truncated");
  return { name: bytes.subarray(start, end), next: entry + (Math.floor((end - entry) / 8) + 1) * 8 };
}

/** Reads a name that is stored as its difference from the previous one. */
function readShortened(bytes: Buffer, start: number, before: Buffer) {
  let at = start;
  let byte = bytes.readUInt8(at++);
  let dropped = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = bytes.readUInt8(at++);
    dropped = ((dropped + 1) << 7) | (byte & 0x7f);
  }
  const end = bytes.indexOf(0, at);
  if (end < 0) throw new Error("an entry is truncated");
  return { name: Buffer.concat([before.subarray(0, before.length - dropped), bytes.subarray(at, end)]), next: end + 1 };
}
