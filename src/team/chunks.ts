import { type FileHandle, open, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants, deflateRaw, inflateRaw } from "node:zlib";
import { toSha256 } from "../base/hash.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import type { BaseFile, Chunk, Packing } from "./documents.ts";
import { type ObjectStore, storeNames } from "./object-store.ts";

/** Uncompressed size of a chunk. */
const CHUNK_BYTES = 4 * 1024 * 1024;
/** Maximum size of a compressed chunk; the margin is for chunks that do not compress. */
export const MAX_STORED_BYTES = CHUNK_BYTES + 64 * 1024;
/** Brotli quality; two levels more would take three times as long. */
const QUALITY = 9;
/** Number of chunks processed in parallel. */
const AT_ONCE = 4;

/**
 * Compression methods. Deflate output is an eighth larger but unpacks in less than half the time, which suits a whole
 * base; Brotli suits a delta, which everyone downloads.
 */
const WAYS = {
  deflate: { pack: (part: Buffer) => promisify(deflateRaw)(part), unpack: promisify(inflateRaw) },
  brotli: {
    pack: (part: Buffer) =>
      promisify(brotliCompress)(part, {
        params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: part.length },
      }),
    unpack: promisify(brotliDecompress),
  },
} satisfies Record<Packing, unknown>;

/** Stores a file in chunks, each named by its hash; chunks that already exist are not written again. */
export async function storeFile(
  path: string,
  packing: Packing,
  store: ObjectStore,
  signal: AbortSignal,
): Promise<Outcome<BaseFile>> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const chunks: Chunk[] = [];
    for (let at = 0; at < size; at += AT_ONCE * CHUNK_BYTES) {
      const parts: Buffer[] = [];
      for (let part = at; part < Math.min(size, at + AT_ONCE * CHUNK_BYTES); part += CHUNK_BYTES)
        parts.push(await readPart(file, part, Math.min(CHUNK_BYTES, size - part)));
      const stored = await Promise.all(parts.map((part) => storePart(part, packing, store, signal)));
      for (const chunk of stored) {
        if (!chunk.ok) return chunk;
        chunks.push(chunk.value);
      }
    }
    return succeed({ bytes: size, packing, chunks });
  } finally {
    await file.close();
  }
}

async function readPart(file: FileHandle, position: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes);
  for (let length = 0; length < bytes; ) {
    const { bytesRead } = await file.read(buffer, length, bytes - length, position + length);
    if (bytesRead === 0) throw new Error("a file became shorter while it was read");
    length += bytesRead;
  }
  return buffer;
}

async function storePart(
  part: Buffer,
  packing: Packing,
  store: ObjectStore,
  signal: AbortSignal,
): Promise<Outcome<Chunk>> {
  const packed = await WAYS[packing].pack(part);
  const chunk = { sha256: toSha256(packed), bytes: packed.length };
  const written = await store.putNew(storeNames.object(chunk.sha256), packed, signal);
  return written.ok ? succeed(chunk) : written;
}

/** Source of the chunks of a file. */
interface ChunkSource {
  readonly store: ObjectStore;
  /** Folder that keeps the chunks until the file is complete, so that an interrupted download can be resumed. */
  readonly parts: string;
  readonly signal: AbortSignal;
  /** Reports the bytes that came over the network. */
  readonly onBytes: (bytes: number) => void;
}

/**
 * Fetches the chunks of a file and assembles it. Contract: every chunk has the hash and the file the size that the
 * manifest states, otherwise no file is left behind.
 */
export async function fetchFile(
  { bytes, packing, chunks }: BaseFile,
  path: string,
  source: ChunkSource,
): Promise<Outcome<void>> {
  const file = await open(path, "w", 0o600);
  let written = 0;
  let outcome: Outcome<void> = succeed(undefined);
  try {
    for (let at = 0; at < chunks.length && outcome.ok; at += AT_ONCE) {
      const parts = await Promise.all(chunks.slice(at, at + AT_ONCE).map((chunk) => fetchPart(chunk, packing, source)));
      for (const part of parts) {
        if (!part.ok) {
          outcome = part;
          break;
        }
        written += part.value.length;
        // Stops early if a base is larger than the size that it states.
        if (written > bytes) break;
        await file.writeFile(part.value);
      }
    }
    if (outcome.ok && written !== bytes) outcome = fail("E_PARSE", "a file of the base does not match its manifest");
    if (outcome.ok) await file.sync();
  } finally {
    await file.close();
    if (!outcome.ok) await rm(path, { force: true });
  }
  return outcome;
}

async function fetchPart(
  { sha256, bytes }: Chunk,
  packing: Packing,
  { store, parts, signal, onBytes }: ChunkSource,
): Promise<Outcome<Buffer>> {
  const wrong = fail("E_PARSE", `the object ${sha256.slice(0, 12)} does not match its name`);
  if (bytes > MAX_STORED_BYTES) return wrong;
  const part = join(parts, sha256);
  let packed: Buffer | null = await readFile(part).catch(() => null);
  if (packed === null || toSha256(packed) !== sha256) {
    const read = await store.get(storeNames.object(sha256), MAX_STORED_BYTES, signal);
    if (!read.ok) return read;
    if (read.value === null)
      return fail("E_TOOL_UNAVAILABLE", `the object ${sha256.slice(0, 12)} is missing in ${store.place}`);
    packed = read.value;
    if (packed.length !== bytes || toSha256(packed) !== sha256) return wrong;
    onBytes(packed.length);
    // Need not be atomic: the hash of a chunk is checked when it is read.
    await writeFile(part, packed, { mode: 0o600 });
  }
  try {
    // In a single output buffer: the default chunk size would yield hundreds of pieces to be joined.
    return succeed(await WAYS[packing].unpack(packed, { maxOutputLength: CHUNK_BYTES, chunkSize: CHUNK_BYTES }));
  } catch {
    return wrong;
  }
}
