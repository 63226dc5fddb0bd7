import { once } from "./once.ts";

/** Node's crypto module, loaded on first use: a prompt that is not about code does not need it. */
const loadCrypto = once(() => process.getBuiltinModule("node:crypto"));

/** Lower-case hex SHA-256 of the bytes, as `sha256sum` prints it; strings are hashed as UTF-8. */
export function toSha256(bytes: Uint8Array | string): string {
  return loadCrypto().createHash("sha256").update(bytes).digest("hex");
}

/**
 * First `length` lower-case hex digits of the SHA-256 of the parts. Contract: ["a","b"] and ["ab"] hash differently.
 */
export function hashHex(parts: readonly string[], length: number): string {
  const hash = loadCrypto().createHash("sha256");
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest("hex").slice(0, length);
}
