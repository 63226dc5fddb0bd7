import { sha256 } from "@noble/hashes/sha2.js";

/**
 * First `length` lower-case hex digits of the SHA-256 of the parts. Contract: ["a","b"] and ["ab"] differ. In plain
 * JavaScript, because loading and unloading Node's own crypto costs the hook a fifth of node's whole start.
 */
export function hashHex(parts: readonly string[], length: number): string {
  const hash = sha256.create();
  for (const part of parts) {
    const bytes = Buffer.from(part, "utf8");
    hash.update(Buffer.from(`${bytes.length}:`)).update(bytes);
  }
  return Buffer.from(hash.digest()).toString("hex").slice(0, length);
}
