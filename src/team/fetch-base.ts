import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Claim, claimOwn } from "../base/file-lock.ts";
import { toSha256 } from "../base/hash.ts";
import { sleep } from "../base/timers.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { BASE_FILES } from "../engine/store/bases.ts";
import { removeDatabase } from "../engine/store/database.ts";
import { fetchFile } from "./chunks.ts";
import { type BaseList, type Manifest, openList, openManifest, TOO_NEW } from "./documents.ts";
import { type ObjectStore, storeNames } from "./object-store.ts";

const MAX_LIST_BYTES = 4 * 1024 * 1024;
/** Far more than the manifest of the largest base. */
export const MAX_MANIFEST_BYTES = 8 * 1024 * 1024;
/** Maximum number of layered bases; publishers merge them long before. */
const MAX_DEPTH = 20;

/** What this program can read: its index schema version and the hash of its grammars. */
export interface Reads {
  readonly schema: number;
  readonly grammars: string;
}

/** A store, and the keys that are trusted for it. */
export interface Source {
  readonly store: ObjectStore;
  /** Public keys of trusted publishers. */
  readonly keys: readonly string[];
  readonly signal: AbortSignal;
}

/** A list, with the bytes that it was parsed from. */
interface ReadList {
  readonly list: BaseList;
  readonly bytes: Buffer;
}

/**
 * Reads a list, by default the newest one; null if there is none. Contract: refuses a list that none of the keys has
 * signed.
 */
export async function fetchList(
  { store, keys, signal }: Source,
  name: string = storeNames.list,
): Promise<Outcome<ReadList | null>> {
  const read = await store.get(name, MAX_LIST_BYTES, signal);
  if (!read.ok) return read;
  if (read.value === null) return succeed(null);
  const list = openList(read.value, keys);
  if (typeof list === "string") return refuse(`the list of bases in ${store.place} ${list}`, list);
  return succeed({ list, bytes: read.value });
}

/** A base in a chain. */
interface ChainedBase {
  readonly manifest: Manifest;
  /** Hash of the signed manifest. */
  readonly hash: string;
}

/** A base with the bases below it, newest first. */
export type Chain = readonly ChainedBase[];

/**
 * Reads the manifests of a base and of all bases below it. Contract: as `fetchList`; refuses what this program cannot
 * read.
 */
export async function fetchChain(hash: string, reads: Reads, { store, keys, signal }: Source): Promise<Outcome<Chain>> {
  const chain: ChainedBase[] = [];
  for (let next: string | null = hash; next !== null; ) {
    if (chain.length >= MAX_DEPTH) return refuse("the base has too many others below it");
    const read = await store.get(storeNames.object(next), MAX_MANIFEST_BYTES, signal);
    if (!read.ok) return read;
    if (read.value === null) return fail("E_TOOL_UNAVAILABLE", `a manifest is missing in ${store.place}`);
    if (toSha256(read.value) !== next) return refuse("a manifest does not match its name");
    const manifest = openManifest(read.value, keys);
    if (typeof manifest === "string") return refuse(`the manifest of a base ${manifest}`, manifest);
    if (manifest.schema > reads.schema) return refuse(`the base ${TOO_NEW}`, TOO_NEW);
    if (manifest.schema !== reads.schema || manifest.grammars !== reads.grammars)
      return refuse("the base was made by another version of this program");
    chain.push({ manifest, hash: next });
    next = manifest.below;
  }
  return succeed(chain);
}

/** Number of bytes that a base takes in a store, without its manifest. */
export function storedBytes({ text, code }: Manifest): number {
  return [...text.chunks, ...code.chunks].reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Name of a base's local folder. */
export function nameOfBase({ hash }: ChainedBase): string {
  return `base-${hash.slice(0, 40)}`;
}

/**
 * Fetches the files of a chain into the folder of bases. Returns their names, newest first. Contract: a base is present
 * with all its files, checked, or not at all; an interrupted fetch is resumed.
 */
export async function fetchBases(
  chain: Chain,
  folder: string,
  { store, signal }: Source,
  onBytes: (done: number, total: number) => void,
): Promise<Outcome<readonly string[]>> {
  const placeOf = (base: ChainedBase) => join(folder, nameOfBase(base));
  const missing = chain.filter((base) => !existsSync(placeOf(base)));
  const total = missing.reduce((sum, { manifest }) => sum + storedBytes(manifest), 0);
  let done = 0;
  const count = (bytes: number) => {
    done += bytes;
    onBytes(done, total);
  };
  for (const base of chain) {
    const place = placeOf(base);
    const claim = await claimBase(place, signal);
    if (claim === null) continue;
    const unfinished = unfinishedOf(place);
    const parts = join(unfinished, "parts");
    try {
      await mkdir(parts, { recursive: true, mode: 0o700 });
      for (const half of ["text", "code"] as const) {
        const path = join(unfinished, BASE_FILES[half]);
        const fetched = await fetchFile(base.manifest[half], path, { store, parts, signal, onBytes: count });
        if (!fetched.ok) return fetched;
      }
      await rm(parts, { recursive: true, force: true });
      await rename(unfinished, place);
    } finally {
      claim.release();
    }
    removeDatabase(join(place, LOCK));
  }
  return succeed(chain.map(nameOfBase));
}

const LOCK = "lock";
/** Interval of the checks whether another process has fetched the base. */
const LOOK_MS = 200;

/** Folder of a base until it is complete. */
function unfinishedOf(place: string): string {
  return `${place}.part`;
}

/**
 * Acquires the right to fetch a base into this folder, for which builders of several work trees may compete; null once
 * the base is present.
 */
async function claimBase(place: string, signal: AbortSignal): Promise<Claim | null> {
  while (!existsSync(place)) {
    await mkdir(unfinishedOf(place), { recursive: true, mode: 0o700 });
    const claim = claimIn(unfinishedOf(place));
    if (claim !== null && !existsSync(place)) return claim;
    claim?.release();
    // Another process finished in the meantime: the folder that was just created is an orphan.
    if (claim !== null) await rm(unfinishedOf(place), { recursive: true, force: true });
    if (signal.aborted) throw new Error("ended while another process brings the base");
    await sleep(LOOK_MS, signal);
  }
  return null;
}

/**
 * Acquires the lock of a folder; null if another process holds it, or has just renamed the folder to the finished base.
 */
function claimIn(folder: string): Claim | null {
  try {
    return claimOwn(join(folder, LOCK));
  } catch (thrown) {
    if (existsSync(folder)) throw thrown;
    return null;
  }
}

/** A refusal of a store's content; `detail` identifies the kind. */
function refuse(message: string, detail = "refused") {
  const { fault } = fail("E_PARSE", message);
  return { ok: false as const, fault: { ...fault, detail } };
}
