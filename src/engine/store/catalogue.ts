/** The integers stored per file, in this order. */
export const COLUMNS = ["lines", "traits", "body", "name", "path", "doc"] as const;

/** The files of one segment. */
export interface Catalogue {
  readonly paths: readonly string[];
  /** The `COLUMNS` of each file. */
  readonly numbers: Int32Array;
  /** Size in bytes and modification time in milliseconds of each file when it was read. */
  readonly stats: Float64Array;
  /** Id of the text of each file, `ID_BYTES` each; all zeros if there is none. */
  readonly ids: Uint8Array;
  /** Paths of older segments that no longer exist. */
  readonly removed: readonly string[];
}

/** Length in bytes of the id of a text, which is the id of a git blob. */
export const ID_BYTES = 20;

/** Returns the id of the text of a file in hexadecimal. */
export function idAt(ids: Uint8Array, slot: number): string {
  return Buffer.from(ids.buffer, ids.byteOffset + slot * ID_BYTES, ID_BYTES).toString("hex");
}

/** Placeholder for an unreliable modification time; equals no file's time. */
export const UNSURE = -1;

/** Separator that cannot occur in a path. */
const BETWEEN = "\0";

/** Encodes paths as bytes. */
export function packPaths(paths: readonly string[]): Uint8Array {
  return Buffer.from(paths.join(BETWEEN), "utf8");
}

/** Reverses `packPaths`. */
export function unpackPaths(bytes: Uint8Array): string[] {
  if (bytes.length === 0) return [];
  return unpackText(bytes).split(BETWEEN);
}

/** Decodes UTF-8. */
export function unpackText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

/** Returns the bytes of an array of numbers. */
export function packNumbers(numbers: Int32Array | Float64Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** Decodes the integers packed by `packNumbers`; trailing bytes short of four are ignored. */
export function unpackInts(bytes: Uint8Array): Int32Array {
  return new Int32Array(aligned(bytes), 0, bytes.byteLength >> 2);
}

/** Decodes the floats packed by `packNumbers`. */
export function unpackFloats(bytes: Uint8Array): Float64Array {
  return new Float64Array(aligned(bytes), 0, bytes.byteLength >> 3);
}

function aligned(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
