import { readFileSync } from "node:fs";

/** Weights of a linear model over named features. */
interface LinearModel {
  readonly bias: number;
  /** Weight of a feature. Contract: 0 for an unknown feature, except for a chance collision of one in 65,536. */
  readonly weightOf: (feature: string) => number;
  /** Weight of a feature, looked up by its hash. */
  readonly weightAt: (hash: number) => number;
}

/** Layout of the header before the tables: magic number, log2 of the number of slots, scale and bias. */
export const MODEL_HEADER = { bytes: 16, magic: 0x4d4c5747, exponentAt: 4, scaleAt: 8, biasAt: 12 } as const;

/**
 * Reads a model produced by `npm run train`: a header, a table of 16-bit fingerprints, a table of 8-bit weights. The
 * model is a binary file rather than source text because Node reads 200 kB in a third of a millisecond but would need
 * three milliseconds to parse them.
 */
export function readModel(path: string): LinearModel {
  const bytes = readFileSync(path);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MODEL_HEADER.magic) throw new Error(`${path} is not a model`);
  const slots = 2 ** view.getUint8(MODEL_HEADER.exponentAt);
  const scale = view.getFloat32(MODEL_HEADER.scaleAt, true);
  const weightsAt = MODEL_HEADER.bytes + 2 * slots;
  const weightAt = (hash: number): number => {
    const { slot, print } = placeOf(hash, slots);
    for (let at = slot; ; at = (at + 1) % slots) {
      const found = view.getUint16(MODEL_HEADER.bytes + 2 * at, true);
      if (found === 0) return 0;
      if (found === print) return view.getInt8(weightsAt + at) * scale;
    }
  };
  const weightOf = (feature: string) => weightAt(hashFeature(feature));
  return { bias: view.getFloat32(MODEL_HEADER.biasAt, true), weightOf, weightAt };
}

const SEED = 0x811c9dc5;

/** Hash of a feature. Its name may come in pieces: the kind, then words that are hashed as if separated by spaces. */
export function hashFeature(kind: string, first = "", second?: string, third?: string): number {
  let hash = hashText(first, hashText(kind, SEED));
  if (second !== undefined) hash = hashText(second, hashText(" ", hash));
  if (third !== undefined) hash = hashText(third, hashText(" ", hash));
  return hash;
}

function hashText(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/**
 * First slot to search for a feature, and its fingerprint. Contract: the fingerprint is never 0, which means empty. The
 * trainer imports it by this name.
 */
export function placeOf(hash: number, slots: number): { readonly slot: number; readonly print: number } {
  let mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  mixed = (mixed ^ (mixed >>> 15)) >>> 0;
  return { slot: mixed % slots, print: mixed >>> 16 || 1 };
}
