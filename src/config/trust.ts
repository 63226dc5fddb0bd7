import { opendirSync } from "node:fs";
import { toSha256 } from "../base/hash.ts";
import { resolveInside, toInside } from "../base/jail.ts";
import { HOOK_FOLDERS, REPOSITORY_FILE, TRUST_FILE } from "./places.ts";
import { MAX_SMALL_BYTES, readSmallFile } from "./small-file.ts";
import { type BookDamage, type PinnedFile, readTrustBook, type TrustBook } from "./trust-book.ts";

/** Whether a repository's settings may do more than restrict. */
export type Trust =
  | { readonly kind: "none" }
  /** "changed": it was trusted, but its relevant files are no longer the same. */
  | { readonly kind: "trusted" | "changed"; readonly since: string }
  | { readonly kind: "damaged"; readonly why: string };

/** A file of a repository as read by the caller. */
export interface SeenFile {
  readonly path: string;
  readonly bytes: Buffer;
}

/** The files of a repository that trust covers. */
interface Pinnable {
  readonly files: readonly PinnedFile[];
  /** Why they cannot be pinned; null if they can. */
  readonly obstacle: string | null;
}

const MAX_HOOK_FILES = 256;
const PLAIN_JSON_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.json$/;

/**
 * Looks up a repository in the user's trust record. Contract: "trusted" only if the user has approved exactly the files
 * that exist now, including `seen` with exactly these bytes: a caller that is about to use a file passes the bytes that
 * it read, so that nothing can change between check and use. Never throws; environment variables have no influence.
 */
export function judgeTrust(home: string | null, root: string, seen: readonly SeenFile[] = []): Trust {
  if (home === null) return { kind: "none" };
  const book = readTrustBook(home);
  // A user who has never trusted a repository need not be told about an unsafe folder.
  if (book.damage !== null && book.exists) return { kind: "damaged", why: book.damage.why };
  const entry = book.repositories.find((repository) => repository.root === root);
  if (entry === undefined) return { kind: "none" };
  const damage = damageFor(book, root);
  if (damage !== null) return { kind: "damaged", why: damage.why };
  const { files, obstacle } = findPinnable(root, seen);
  return { kind: obstacle === null && isSame(entry.files, files) ? "trusted" : "changed", since: entry.at };
}

/**
 * Returns why the record is invalid for this repository, or null. A repository that contains the record could trust
 * itself.
 */
export function damageFor(book: TrustBook, root: string): BookDamage | null {
  if (book.damage !== null || toInside(root, book.path) === null) return book.damage;
  return {
    why: `~/${TRUST_FILE} is inside the repository that it is about`,
    hint: "a repository around your home folder cannot be trusted",
    isMovable: false,
  };
}

/**
 * Lists the relevant files (the settings file and the hook files) with their hashes. Contract: ignores anything that is
 * not a regular file inside the repository; fixed order; bounded, whatever the repository contains.
 */
export function findPinnable(root: string, seen: readonly SeenFile[] = []): Pinnable {
  const found = new Map<string, string>();
  let obstacle: string | null = null;
  const paths = [REPOSITORY_FILE];
  for (const folder of HOOK_FOLDERS) {
    const names = listHookFiles(root, folder);
    if (names === null) obstacle = `${folder} holds more than ${MAX_HOOK_FILES} files`;
    else paths.push(...names.map((name) => `${folder}/${name}`));
  }
  for (const path of paths) {
    if (seen.some((file) => file.path === path)) continue;
    const file = readSmallFile(root, path);
    if (file?.cut) obstacle = `${path} is larger than ${MAX_SMALL_BYTES} bytes`;
    else if (file !== null) found.set(path, toSha256(file.bytes));
  }
  for (const { path, bytes } of seen) found.set(path, toSha256(bytes));
  const files = [...found].map(([path, sha256]) => ({ path, sha256 }));
  return { files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)), obstacle };
}

function isSame(pinned: readonly PinnedFile[], now: readonly PinnedFile[]): boolean {
  const hashes = new Map(pinned.map(({ path, sha256 }) => [path, sha256]));
  return hashes.size === now.length && now.every(({ path, sha256 }) => hashes.get(path) === sha256);
}

/** Names of the hook files in a folder; null if it has too many entries. */
export function listHookFiles(root: string, folder: string): string[] | null {
  const place = resolveInside(root, folder);
  if (!place.ok) return [];
  try {
    const names: string[] = [];
    const entries = opendirSync(place.value.real);
    try {
      for (let count = 0; ; count++) {
        const entry = entries.readSync();
        if (entry === null) return names;
        if (count === MAX_HOOK_FILES) return null;
        if (PLAIN_JSON_NAME.test(entry.name)) names.push(entry.name);
      }
    } finally {
      entries.closeSync();
    }
  } catch {
    return [];
  }
}
