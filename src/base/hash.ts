import { sha256 } from "@noble/hashes/sha2.js";

/** Lower-case hex SHA-256 of the bytes alone, as `sha256sum` prints it; of a text: of its UTF-8. */
export function toSha256(bytes: Uint8Array | string): string {
  return Buffer.from(sha256(typeof bytes === "string" ? Buffer.from(bytes, "utf8") : bytes)).toString("hex");
}

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
