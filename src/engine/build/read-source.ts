import { createHash } from "node:crypto";
import { extname, join } from "node:path";
import { readBytesInside } from "../../base/jail.ts";
import { entryOfEnding } from "../languages.ts";
import { UNSURE } from "../store/catalogue.ts";
import type { SourceFile } from "./segment-maker.ts";

/** Longer files are treated as data, regardless of their name; only their path is indexed. */
export const MAX_READ_BYTES = 512 * 1024;
/** True for data files that are indexed as text: their beginning is enough to tell what they contain. */
const isData = (path: string) => entryOfEnding(extname(path).toLowerCase())?.kind === "data";
const MAX_DATA_BYTES = 8 * 1024;
const HEAD_BYTES = 8_192;
/** Longer lines are generated: minified bundles, dumps. */
const MAX_LINE_BYTES = 5_000;
const LINES_LOOKED_AT = 200;
const NEWLINE = 10;
const UNSURE_MS = 50;

/** True if a file was modified so recently that another write might not change its modification time. */
export function isUnsure(modifiedMs: number, nowMs: number): boolean {
  return nowMs - modifiedMs < UNSURE_MS;
}

/** A file as it was read, and whether it has other names (hard links). */
export interface ReadSource extends SourceFile {
  /** The bytes read, text or not: the whole file or its beginning. */
  readonly read: Buffer;
  /** The same for every name of the file; null if it has only one name. */
  readonly sharedId: string | null;
}

/** Maximum number of bytes read from a file. */
export function readLimitOf(path: string): number {
  return isData(path) ? MAX_DATA_BYTES : MAX_READ_BYTES;
}

/** Reads a file for the index. Contract: null if it does not exist or must not be read; never throws. */
export function readSource(root: string, path: string, nowMs: number): ReadSource | null {
  const read = readBytesInside(root, join(root, path), readLimitOf(path));
  if (!read.ok) return null;
  const { bytes: content, sizeBytes, cut, modifiedMs, sharedId } = read.value;
  const isText = !content.subarray(0, HEAD_BYTES).includes(0);
  const isWhole = !cut || isData(path);
  return {
    path,
    read: content,
    content: isText && isWhole && !isMachineMade(content) ? content : null,
    bytes: sizeBytes,
    modifiedMs: isUnsure(modifiedMs, nowMs) ? UNSURE : modifiedMs,
    sharedId,
  };
}

/**
 * Identifies the text of a file, independent of place and time: the id of its git blob, if it was read to its end. For
 * a longer file it covers the size and the beginning, which is all that is read.
 */
export function textIdOf({ read, bytes }: Pick<ReadSource, "read" | "bytes">): string {
  return createHash("sha1").update(`blob ${bytes}\0`).update(read).digest("hex");
}

function isMachineMade(content: Buffer): boolean {
  let start = 0;
  for (let line = 0; line < LINES_LOOKED_AT && start < content.length; line++) {
    const next = content.indexOf(NEWLINE, start);
    const end = next < 0 ? content.length : next;
    if (end - start > MAX_LINE_BYTES) return true;
    start = end + 1;
  }
  return false;
}
