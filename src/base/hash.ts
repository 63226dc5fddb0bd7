/** First `length` lower-case hex digits of the SHA-256 of the parts. Contract: ["a","b"] and ["ab"] differ. */
export function hashHex(parts: readonly string[], length: number): string {
  // Asked for when needed: loading it costs a tenth of node's own start.
  const { createHash } = process.getBuiltinModule("node:crypto");
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest("hex").slice(0, length);
}
