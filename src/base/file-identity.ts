import { lstatSync } from "node:fs";

/**
 * Distinguishes a file from any earlier or later one at the same path; null if there is none. Contract: never throws.
 */
export function identityOf(file: string): string | null {
  try {
    const { dev, ino, birthtimeNs } = lstatSync(file, { bigint: true });
    // A new file may get the inode number of a removed one.
    return `${dev}:${ino}:${birthtimeNs}`;
  } catch {
    return null;
  }
}
