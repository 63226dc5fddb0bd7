import { extname, join } from "node:path";
import { readBytesInside } from "../../base/jail.ts";
import { entryOfEnding } from "../languages.ts";
import type { SourceFile } from "./segment-maker.ts";

/** Longer files are data, whatever they are called: they are known by their path. */
const MAX_BYTES = 512 * 1024;
/** Data that is kept as text: its beginning says what it is. */
const isData = (path: string) => entryOfEnding(extname(path).toLowerCase())?.kind === "data";
const MAX_DATA_BYTES = 8 * 1024;
const HEAD_BYTES = 8_192;
/** Lines that nobody wrote: minified bundles, dumps. */
const MAX_LINE_BYTES = 5_000;
const LINES_LOOKED_AT = 200;
const NEWLINE = 10;
const UNSURE_MS = 50;
/** Stands for a time of which nothing is known: it equals no file's. */
export const UNSURE = -1;

/** True for what was written so shortly before it was read that it may be written again without a new time. */
export function isUnsure(modifiedMs: number, nowMs: number): boolean {
  return nowMs - modifiedMs < UNSURE_MS;
}

/** A file as it was read, and whether it has other names. */
export interface ReadSource extends SourceFile {
  /** The same for every name that the file has; null where it has only one. */
  readonly sharedId: string | null;
}

/** Reads a file for the index. Contract: null where it is not there or not ours to read; never throws. */
export function readSource(root: string, path: string, nowMs: number): ReadSource | null {
  const read = readBytesInside(root, join(root, path), isData(path) ? MAX_DATA_BYTES : MAX_BYTES);
  if (!read.ok) return null;
  const { bytes: content, sizeBytes, cut, modifiedMs, sharedId } = read.value;
  const isText = !content.subarray(0, HEAD_BYTES).includes(0);
  const isWhole = !cut || isData(path);
  return {
    path,
    content: isText && isWhole && !isMachineMade(content) ? content : null,
    bytes: sizeBytes,
    modifiedMs: isUnsure(modifiedMs, nowMs) ? UNSURE : modifiedMs,
    sharedId,
  };
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
