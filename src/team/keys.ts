import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import { fail, type Outcome, succeed } from "../contract/faults.ts";

/** Text format of a public key: easy to paste and hard to mistake for anything else. */
const PUBLIC_KEY = /^groundwork-base-key:([A-Za-z0-9_-]{43})$/;
const PREFIX = "groundwork-base-key:";
const SIGNATURE_BYTES = 64;

/** Generates a key pair for publishing bases: the private key in PEM, the public key as one line of text. */
export function makeKeyPair(): { readonly privateKey: string; readonly publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicKey: toPublicText(publicKey),
  };
}

/** Reads a private key. */
export function readPrivateKey(pem: string): Outcome<KeyObject> {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === "ed25519") return succeed(key);
  } catch {
    // Reported below.
  }
  return fail("E_CONFIG", "this is not a private key for bases", "make one with: groundwork base keygen --out FILE");
}

/** True for a public key in the format of `makeKeyPair`. */
export function isPublicKey(text: unknown): text is string {
  return typeof text === "string" && PUBLIC_KEY.test(text);
}

/** Returns the public key of a private key. */
export function publicKeyOf(key: KeyObject): string {
  return toPublicText(createPublicKey(key));
}

function toPublicText(key: KeyObject): string {
  return `${PREFIX}${key.export({ format: "jwk" }).x ?? ""}`;
}

/** Signs bytes. Returns the signature in base64. */
export function signBytes(key: KeyObject, bytes: Uint8Array): string {
  return sign(null, bytes, key).toString("base64");
}

/** True if a signature was made with the private key of `publicKey`. Contract: never throws. */
export function isSignedBy(publicKey: string, bytes: Uint8Array, signature: string): boolean {
  const x = PUBLIC_KEY.exec(publicKey)?.[1];
  const given = Buffer.from(signature, "base64");
  if (x === undefined || given.length !== SIGNATURE_BYTES) return false;
  try {
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    return verify(null, bytes, key, given);
  } catch {
    return false;
  }
}
