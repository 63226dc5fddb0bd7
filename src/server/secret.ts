import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A token: its id, the hash of its secret, and the text that is handed out. */
export interface Secret {
  readonly id: string;
  readonly hash: Buffer;
  readonly written: string;
}

const ID_CHARS = "abcdefghijklmnopqrstuvwxyz012345";
const ID_LENGTH = 12;
const SECRET_BYTES = 32;
const WRITTEN = /^gwt_([a-z0-9]{12})_([A-Za-z0-9_-]{43})$/;
/** Placeholder that no known secret hashes to. */
const NO_HASH = Buffer.alloc(32);

/** Generates a token. */
export function makeSecret(): Secret {
  const id = Array.from(randomBytes(ID_LENGTH), (byte) => ID_CHARS[byte % ID_CHARS.length]).join("");
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  return { id, hash: toHash(secret), written: `gwt_${id}_${secret}` };
}

/** Parses a token; null if it is malformed. Contract: the id has only letters and digits. */
export function readSecret(written: string): Pick<Secret, "id" | "hash"> | null {
  const [, id, secret] = WRITTEN.exec(written) ?? [];
  return id === undefined || secret === undefined ? null : { id, hash: toHash(secret) };
}

/** Compares hashes of secrets. Contract: takes the same time for a right, wrong or missing hash. */
export function isSameHash(given: Buffer, known: unknown): boolean {
  return timingSafeEqual(given, known instanceof Uint8Array && known.length === given.length ? known : NO_HASH);
}

/** A plain hash suffices: secrets are random and too long to be guessed. */
function toHash(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
