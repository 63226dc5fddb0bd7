import { checksumOf, IndexDamage } from "./sealed.ts";

/** The stamp of a file that was not parsed. */
export const UNPARSED = "";

/**
 * Checksum of a stamp. The stamps of all files are read at once, and text with a separate number costs a third of what
 * sealed bytes would.
 */
export function sumOfStamp(path: string, stamp: string): number {
  return checksumOf(`${path}\0${stamp}`);
}

/** Verifies a row of stamps. Contract: throws `IndexDamage` for anything but what was written. */
export function checkStamp({ path, stamp, sum }: Readonly<Record<string, unknown>>): { path: string; stamp: string } {
  if (typeof path !== "string" || typeof stamp !== "string" || sumOfStamp(path, stamp) !== sum)
    throw new IndexDamage(`the stamp of ${path} has been altered`);
  return { path, stamp };
}
