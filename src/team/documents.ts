import type { KeyObject } from "node:crypto";
import { isRecord, parseObject } from "../base/text.ts";
import { isSignedBy, publicKeyOf, signBytes } from "./keys.ts";

/** Version of these documents and of what they name. */
export const FORMAT = 1;

/** A base that a list names. */
export interface ListedBase {
  /** Full id of the commit that it is the index of. */
  readonly commit: string;
  /** Hash of its signed manifest. */
  readonly manifest: string;
}

/** Which bases there are, newest first. */
export interface BaseList {
  readonly format: number;
  /** Grows by one with every list, so that an older one is known as such. */
  readonly sequence: number;
  readonly bases: readonly ListedBase[];
}

/** A part of a file of a base, as it is stored: compressed, named by the hash of what is stored. */
export interface Chunk {
  readonly sha256: string;
  /** Size as stored. */
  readonly bytes: number;
}

/** How parts are compressed. */
const PACKINGS = ["deflate", "brotli"] as const;
/** One of them. */
export type Packing = (typeof PACKINGS)[number];

/** A file of a base. */
export interface BaseFile {
  /** Size of the file itself. */
  readonly bytes: number;
  readonly packing: Packing;
  readonly chunks: readonly Chunk[];
}

/** What a base consists of. */
export interface Manifest {
  readonly format: number;
  /** Version of the index, and hash of the grammars that it was parsed with. */
  readonly schema: number;
  readonly grammars: string;
  /** Ids of the first commits of the repository, sorted; empty where the publisher has a shallow clone. */
  readonly repository: readonly string[];
  readonly commit: string;
  /** Id of the commit's tree: whoever has the commit knows what the base must be of. */
  readonly tree: string;
  /** Hash over the paths and the ids of the texts of all files, those of the bases below included. */
  readonly digest: string;
  readonly files: number;
  /** Hash of the manifest of the base that this one is laid over; null for the first of a generation. */
  readonly below: string | null;
  readonly text: BaseFile;
  readonly code: BaseFile;
}

/** Most chunks of a file: 4 MB each. */
const MAX_CHUNKS = 20_000;
const MAX_BASES = 10_000;
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** Signs a document. */
export function signDocument(document: BaseList | Manifest, key: KeyObject): Buffer {
  const signed = JSON.stringify(document);
  const signature = signBytes(key, Buffer.from(signed, "utf8"));
  return Buffer.from(`${JSON.stringify({ signed, key: publicKeyOf(key), signature })}\n`, "utf8");
}

/** What a document says, or why it is refused. Contract: never throws; only what one of `keys` has signed is looked at. */
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
  return isValid(document) ? document : "is not what its signer should have written";
}

/** What is said of a document that somebody else has signed. */
export const OTHER_KEY = "is signed by a key that was not named";

/** What is said of a document of a newer program. */
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
  return isRecord(value) && matches(COMMIT, value["commit"]) && matches(SHA256, value["manifest"]);
}

function isManifest(value: unknown): value is Manifest {
  if (!isRecord(value) || value["format"] !== FORMAT) return false;
  const { schema, grammars, repository, commit, tree, digest, files, below, text, code } = value;
  return (
    isCount(schema) &&
    matches(SHA256, grammars) &&
    Array.isArray(repository) &&
    repository.every((id) => matches(COMMIT, id)) &&
    matches(COMMIT, commit) &&
    matches(COMMIT, tree) &&
    matches(SHA256, digest) &&
    isCount(files) &&
    (below === null || matches(SHA256, below)) &&
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
    chunks.every((chunk) => isRecord(chunk) && matches(SHA256, chunk["sha256"]) && isCount(chunk["bytes"]))
  );
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function matches(pattern: RegExp, value: unknown): value is string {
  return typeof value === "string" && pattern.test(value);
}
