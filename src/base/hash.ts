import { sha256 } from "@noble/hashes/sha2.js";

/** Lower-case hex SHA-256 of the bytes, as `sha256sum` prints it; strings are hashed as UTF-8. */
export function toSha256(bytes: Uint8Array | string): string {
  return Buffer.from(sha256(typeof bytes === "string" ? Buffer.from(bytes, "utf8") : bytes)).toString("hex");
}

/**
 * First `length` lower-case hex digits of the SHA-256 of the parts. Contract: ["a","b"] and ["ab"] hash differently.
 * Uses a pure JavaScript implementation, because loading and unloading Node's own crypto module would cost the hook a
 * fifth of Node's whole startup time.
 */
export function hashHex(parts: readonly string[], length: number): string {
  const hash = sha256.create();
  for (const part of parts) {
    const bytes = Buffer.from(part, "utf8");
    hash.update(Buffer.from(`${bytes.length}:`)).update(bytes);
  }
  return Buffer.from(hash.digest()).toString("hex").slice(0, length);
}
