import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A token as it is handed out: which one it is, and what only its holder knows. */
export interface Secret {
  readonly id: string;
  readonly hash: Buffer;
  readonly written: string;
}

const ID_CHARS = "abcdefghijklmnopqrstuvwxyz012345";
const ID_LENGTH = 12;
const SECRET_BYTES = 32;
const WRITTEN = /^gwt_([a-z0-9]{12})_([A-Za-z0-9_-]{43})$/;
/** The hash of no secret: nobody can know 32 bytes that have it. */
const NO_HASH = Buffer.alloc(32);

/** Makes a token. */
export function makeSecret(): Secret {
  const id = Array.from(randomBytes(ID_LENGTH), (byte) => ID_CHARS[byte % ID_CHARS.length]).join("");
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  return { id, hash: toHash(secret), written: `gwt_${id}_${secret}` };
}

/** Reads a token; null for what is none. Contract: the id has letters and digits alone. */
export function readSecret(written: string): Pick<Secret, "id" | "hash"> | null {
  const [, id, secret] = WRITTEN.exec(written) ?? [];
  return id === undefined || secret === undefined ? null : { id, hash: toHash(secret) };
}

/** True for the hash of the same secret. Contract: takes as long for a wrong one, or for none, as for the right one. */
export function isSameHash(given: Buffer, known: unknown): boolean {
  return timingSafeEqual(given, known instanceof Uint8Array && known.length === given.length ? known : NO_HASH);
}

/** Secrets are random and long, so that a plain hash cannot be turned back. */
function toHash(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
