import { isAbsolute, join } from "node:path";
import { lstatOrNull } from "../base/file-facts.ts";
import { toSha256 } from "../base/hash.ts";
import { isRecord, parseObject } from "../base/text.ts";
import { doubtOfFolder, FOLDER_HINT, readOwnFile } from "./own-record.ts";
import { TRUST_FILE } from "./places.ts";

/** A file that the user has approved, identified by its content. */
export interface PinnedFile {
  /** Path relative to the repository root, with forward slashes. */
  readonly path: string;
  readonly sha256: string;
}

/** A repository whose settings may do more than restrict. */
export interface TrustedRepository {
  /** Real path of its root. */
  readonly root: string;
  /** All relevant files at the time of approval; none may have been changed, added or removed since. */
  readonly files: readonly PinnedFile[];
  /** Time of approval, ISO 8601. */
  readonly at: string;
}

/** Why the trust record is not usable, and what to do. */
export interface BookDamage {
  readonly why: string;
  readonly hint: string;
  /** True if replacing the record by a new one would help. */
  readonly isMovable: boolean;
}

/** The user's trust record. */
export interface TrustBook {
  readonly path: string;
  /** Empty if the record is damaged, so that nothing is trusted. */
  readonly repositories: readonly TrustedRepository[];
  /** Also set if there is no record yet but its folder is not safe for one. */
  readonly damage: BookDamage | null;
  readonly exists: boolean;
  /** Hash of the current file; null if there is none or it cannot be read. */
  readonly sha256: string | null;
}

/** Maximum size of a trust record. */
export const MAX_BOOK_BYTES = 1024 * 1024;

const FILE_HINT = `look at ~/${TRUST_FILE}; "groundwork trust --yes" moves it aside and starts a new one`;

/**
 * Reads the trust record in a home folder. Contract: never throws; never blocks; a record that others could have
 * written (through a symlink, of another owner, writable by group or world, or in such a folder) counts as damaged, and
 * so does an incomplete one.
 */
export function readTrustBook(home: string): TrustBook {
  const path = join(home, TRUST_FILE);
  const book = { path, repositories: [], damage: null, exists: lstatOrNull(path) !== null, sha256: null };
  const damaged = (why: string, isMovable: boolean, sha256: string | null = null): TrustBook => ({
    ...book,
    damage: { why, hint: isMovable ? FILE_HINT : FOLDER_HINT, isMovable },
    sha256,
  });
  const doubt = doubtOfFolder(home);
  if (doubt !== null) return damaged(doubt, false);
  if (!book.exists) return book;
  const read = readOwnFile(path, MAX_BOOK_BYTES);
  if (typeof read === "string") return damaged(`~/${TRUST_FILE} ${read}`, true);
  const repositories = parseBook(read.toString("utf8"));
  const sha256 = toSha256(read);
  if (repositories === null) return damaged(`~/${TRUST_FILE} is not a whole trust record of version 1`, true, sha256);
  return { ...book, repositories, sha256 };
}

/** Serialises a trust record. Contract: equal records give equal text; sorted by root. */
export function toBookText(repositories: readonly TrustedRepository[]): string {
  const sorted = repositories.toSorted((a, b) => (a.root < b.root ? -1 : 1));
  return `${JSON.stringify({ version: 1, repositories: sorted }, null, 2)}\n`;
}

function parseBook(text: string): TrustedRepository[] | null {
  const { version, repositories } = parseObject(text) ?? {};
  return version === 1 && Array.isArray(repositories) && repositories.every(isRepository) ? repositories : null;
}

function isRepository(value: unknown): value is TrustedRepository {
  if (!isRecord(value)) return false;
  const { root, files, at } = value;
  if (typeof root !== "string" || !isAbsolute(root) || root.includes("\0")) return false;
  if (typeof at !== "string" || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(at)) return false;
  return Array.isArray(files) && files.length > 0 && files.every(isPinned);
}

function isPinned(value: unknown): value is PinnedFile {
  if (!isRecord(value)) return false;
  const { path, sha256 } = value;
  return typeof path === "string" && path !== "" && typeof sha256 === "string" && /^[0-9a-f]{64}$/.test(sha256);
}
