import { createRequire } from "node:module";
import { join } from "node:path";
import { DamagedState } from "../../base/damaged-state.ts";
import { once } from "../../base/once.ts";
import { unpackText } from "./catalogue.ts";

/** Thrown if a record of an index is corrupt or missing. */
export class IndexDamage extends DamagedState {}

/** Bytes that `closeSeal` needs for the checksum. */
export const SEAL_BYTES = 4;

/** Loads `crc32` on first use: most prompts read no records. */
const loadSum = once(
  () => (createRequire(join(import.meta.dirname, "index.js"))("node:zlib") as typeof import("node:zlib")).crc32,
);

/**
 * CRC-32 of a text: the checksum of short texts that have a separate checksum column, and a hash that picks tree parts.
 */
export function checksumOf(text: string): number {
  return loadSum()(text);
}

function sumOf(label: string, bytes: Uint8Array): number {
  const sum = loadSum();
  return sum(bytes, sum(label));
}

/**
 * Appends a checksum to bytes. Contract: `label` names the table and the key, so that a record found under a different
 * key also counts as damaged.
 */
export function seal(label: string, bytes: Uint8Array): Uint8Array {
  const sealed = new Uint8Array(bytes.length + SEAL_BYTES);
  sealed.set(bytes);
  return closeSeal(label, sealed);
}

/** Writes the checksum into the last four bytes, which must be free. Contract: modifies and returns its argument. */
export function closeSeal(label: string, room: Uint8Array): Uint8Array {
  const end = room.length - SEAL_BYTES;
  const sum = sumOf(label, room.subarray(0, end));
  for (let at = 0; at < SEAL_BYTES; at++) room[end + at] = sum >>> (8 * at);
  return room;
}

/** Verifies and returns the bytes sealed by `seal`. Contract: throws `IndexDamage` for anything else. */
export function unseal(label: string, sealed: unknown): Uint8Array {
  if (!(sealed instanceof Uint8Array) || sealed.length < SEAL_BYTES) throw new IndexDamage(`${label} is not a record`);
  const end = sealed.length - SEAL_BYTES;
  const bytes = sealed.subarray(0, end);
  const sum = sumOf(label, bytes);
  for (let at = 0; at < SEAL_BYTES; at++)
    if (sealed[end + at] !== ((sum >>> (8 * at)) & 0xff)) throw new IndexDamage(`${label} has been altered`);
  return bytes;
}

/** Seals a text. */
export function sealText(label: string, text: string): Uint8Array {
  return seal(label, Buffer.from(text, "utf8"));
}

/** Verifies and returns the text sealed by `sealText`. Contract: as `unseal`. */
export function unsealText(label: string, sealed: unknown): string {
  return unpackText(unseal(label, sealed));
}
