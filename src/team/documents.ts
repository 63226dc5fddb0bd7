import type { KeyObject } from "node:crypto";
import { isCount, isRecord, parseObject } from "../base/text.ts";
import { isCommitId } from "../engine/history/git-folder.ts";
import { isSignedBy, publicKeyOf, signBytes } from "./keys.ts";

/** Format version of lists, manifests and the files that they name. */
export const FORMAT = 1;

/** A base that is named in a list. */
export interface ListedBase {
  /** Full id of the commit that the base indexes. */
  readonly commit: string;
  /** Hash of the signed manifest of the base. */
  readonly manifest: string;
}

/** The available bases, newest first. */
export interface BaseList {
  readonly format: number;
  /** Increases by one with every list, so that an outdated list is recognised. */
  readonly sequence: number;
  readonly bases: readonly ListedBase[];
}

/** A chunk of a base file as stored: compressed, named by the hash of the stored bytes. */
export interface Chunk {
  readonly sha256: string;
  /** Size as stored. */
  readonly bytes: number;
}

/** Compression methods for chunks. */
const PACKINGS = ["deflate", "brotli"] as const;
/** Compression method of a chunk. */
export type Packing = (typeof PACKINGS)[number];

/** A file of a base. */
export interface BaseFile {
  /** Uncompressed size of the file. */
  readonly bytes: number;
  readonly packing: Packing;
  readonly chunks: readonly Chunk[];
}

/** Contents of a base. */
export interface Manifest {
  readonly format: number;
  /** Schema version of the index, and hash of the grammars that it was parsed with. */
  readonly schema: number;
  readonly grammars: string;
  /** Ids of the root commits of the repository, sorted; empty if the publisher has a shallow clone. */
  readonly repository: readonly string[];
  readonly commit: string;
  /** Id of the commit's tree: lets anyone who has the commit check what the base was made of. */
  readonly tree: string;
  /** Hash over the paths and the text ids of all files, including those of the bases below. */
  readonly digest: string;
  readonly files: number;
  /** Hash of the manifest of the base below, on which this one is layered; null for the first base of a generation. */
  readonly below: string | null;
  readonly text: BaseFile;
  readonly code: BaseFile;
}

/** Maximum number of chunks of a file, 4 MB each. */
const MAX_CHUNKS = 20_000;
const MAX_BASES = 10_000;

/** Signs a document. */
export function signDocument(document: BaseList | Manifest, key: KeyObject): Buffer {
  const signed = JSON.stringify(document);
  const signature = signBytes(key, Buffer.from(signed, "utf8"));
  return Buffer.from(`${JSON.stringify({ signed, key: publicKeyOf(key), signature })}\n`, "utf8");
}

/**
 * Returns the content of a document, or the reason for its refusal. Contract: never throws; parses only what one of
 * `keys` has signed.
 */
function openSigned<T>(
  bytes: Uint8Array,
  keys: readonly string[],
  isValid: (value: unknown) => value is T,
): T | string {
  const { signed, key, signature } = parseObject(Buffer.from(bytes).toString("utf8")) ?? {};
  if (typeof signed !== "string" || typeof key !== "string" || typeof signature !== "string") return "is not signed";
  if (!keys.includes(key)) return OTHER_KEY;
  if (!isSignedBy(key, Buffer.from(signed, "utf8"), signature)) return "has a wrong signature";
  const document = parseObject(signed);
  const format = document?.["format"];
  if (typeof format === "number" && format > FORMAT) return TOO_NEW;
  return isValid(document) ? document : "is malformed";
}

/** Reason for refusing a document that is signed with an unknown key. */
export const OTHER_KEY = "is signed by a key that was not named";

/** Reason for refusing a document written by a newer version of the program. */
export const TOO_NEW = "is of a newer version of this program";

/** Opens a list. Contract: as `openSigned`. */
export function openList(bytes: Uint8Array, keys: readonly string[]): BaseList | string {
  return openSigned(bytes, keys, isList);
}

/** Opens a manifest. Contract: as `openSigned`. */
export function openManifest(bytes: Uint8Array, keys: readonly string[]): Manifest | string {
  return openSigned(bytes, keys, isManifest);
}

function isList(value: unknown): value is BaseList {
  if (!isRecord(value) || value["format"] !== FORMAT) return false;
  const { sequence, bases } = value;
  return isCount(sequence) && Array.isArray(bases) && bases.length <= MAX_BASES && bases.every(isListed);
}

function isListed(value: unknown): value is ListedBase {
  return isRecord(value) && isId(value["commit"]) && isSha256(value["manifest"]);
}

function isManifest(value: unknown): value is Manifest {
  if (!isRecord(value) || value["format"] !== FORMAT) return false;
  const { schema, grammars, repository, commit, tree, digest, files, below, text, code } = value;
  return (
    isCount(schema) &&
    isSha256(grammars) &&
    Array.isArray(repository) &&
    repository.every(isId) &&
    isId(commit) &&
    isId(tree) &&
    isSha256(digest) &&
    isCount(files) &&
    (below === null || isSha256(below)) &&
    isFile(text) &&
    isFile(code)
  );
}

function isFile(value: unknown): value is BaseFile {
  if (!isRecord(value)) return false;
  const { bytes, packing, chunks } = value;
  return (
    isCount(bytes) &&
    PACKINGS.some((one) => one === packing) &&
    Array.isArray(chunks) &&
    chunks.length <= MAX_CHUNKS &&
    chunks.every((chunk) => isRecord(chunk) && isSha256(chunk["sha256"]) && isCount(chunk["bytes"]))
  );
}

/** True for the id of a commit or a tree. */
function isId(value: unknown): boolean {
  return typeof value === "string" && isCommitId(value);
}

function isSha256(value: unknown): boolean {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}
