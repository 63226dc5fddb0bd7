import { createRequire } from "node:module";
import { join } from "node:path";
import { DamagedState } from "../../base/damaged-state.ts";
import { once } from "../../base/once.ts";

/** Thrown where a record of an index is not what was written, or not there. */
export class IndexDamage extends DamagedState {}

const SUM_BYTES = 4;

/** Loaded with the first record: most prompts read none. */
const loadSum = once(
  () => (createRequire(join(import.meta.dirname, "index.js"))("node:zlib") as typeof import("node:zlib")).crc32,
);

/** A number that is the same for the same text: the checksum of a record that is a short text in a column of its own. */
export function numberOf(text: string): number {
  return loadSum()(text);
}

function sumOf(label: string, bytes: Uint8Array): number {
  const sum = loadSum();
  return sum(bytes, sum(label));
}

/**
 * Bytes with a checksum behind them. Contract: `label` names the table and the key, so that a record that turns up under
 * another key is no less damaged than one whose bytes changed.
 */
export function seal(label: string, bytes: Uint8Array): Uint8Array {
  const sealed = new Uint8Array(bytes.length + SUM_BYTES);
  sealed.set(bytes);
  return closeSeal(label, sealed);
}

/** Writes the checksum into the last four bytes, which are free. Contract: changes and returns what it is given. */
export function closeSeal(label: string, room: Uint8Array): Uint8Array {
  const end = room.length - SUM_BYTES;
  const sum = sumOf(label, room.subarray(0, end));
  for (let at = 0; at < SUM_BYTES; at++) room[end + at] = sum >>> (8 * at);
  return room;
}

/** Room that `closeSeal` needs beside the bytes. */
export const SEAL_BYTES = SUM_BYTES;

/** What `seal` sealed. Contract: throws `IndexDamage` for everything else. */
export function unseal(label: string, sealed: unknown): Uint8Array {
  if (!(sealed instanceof Uint8Array) || sealed.length < SUM_BYTES) throw new IndexDamage(`${label} is no record`);
  const end = sealed.length - SUM_BYTES;
  const bytes = sealed.subarray(0, end);
  const sum = sumOf(label, bytes);
  for (let at = 0; at < SUM_BYTES; at++)
    if (sealed[end + at] !== ((sum >>> (8 * at)) & 0xff)) throw new IndexDamage(`${label} is not what was written`);
  return bytes;
}

/** A text, sealed. */
export function sealText(label: string, text: string): Uint8Array {
  return seal(label, Buffer.from(text, "utf8"));
}

/** What `sealText` sealed. Contract: as `unseal`. */
export function unsealText(label: string, sealed: unknown): string {
  const { buffer, byteOffset, byteLength } = unseal(label, sealed);
  return Buffer.from(buffer, byteOffset, byteLength).toString("utf8");
}
