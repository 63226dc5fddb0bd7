import { createHash } from "node:crypto";
import { knownFiles } from "../store/known-files.ts";
import type { SegmentReader } from "../store/segment.ts";
import type { ReadSource } from "./read-source.ts";

/**
 * Identifies the text of a file, independent of place and time: the id of its git blob, if it was read to its end. For
 * a longer file it covers the size and the beginning, which is all that is read.
 */
export function textIdOf({ read, bytes }: Pick<ReadSource, "read" | "bytes">): string {
  return createHash("sha1").update(`blob ${bytes}\0`).update(read).digest("hex");
}

/** Identifies all files of an index by their paths and texts, and counts them. */
export function digestOf(segments: readonly SegmentReader[]): { readonly files: number; readonly digest: string } {
  const files = knownFiles(segments);
  const hash = createHash("sha256");
  for (const path of [...files.keys()].sort()) hash.update(`${path}\0${files.get(path)?.id}\n`);
  return { files: files.size, digest: hash.digest("hex") };
}
