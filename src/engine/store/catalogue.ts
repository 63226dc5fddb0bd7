/** Numbers that are kept of each file, one after the other. */
export const COLUMNS = ["lines", "traits", "body", "name", "path", "doc"] as const;

/** The files of one segment. */
export interface Catalogue {
  readonly paths: readonly string[];
  /** `COLUMNS` of each file. */
  readonly numbers: Int32Array;
  /** Size in bytes and time of the last change in milliseconds, of each file as it was when it was read. */
  readonly stats: Float64Array;
  /** Paths of an older segment that are no longer there. */
  readonly removed: readonly string[];
}

/** No path has it. */
const BETWEEN = "\0";

/** Paths as bytes. */
export function packPaths(paths: readonly string[]): Uint8Array {
  return Buffer.from(paths.join(BETWEEN), "utf8");
}

/** What `packPaths` packed. */
export function unpackPaths(bytes: Uint8Array): string[] {
  if (bytes.length === 0) return [];
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8").split(BETWEEN);
}

/** Numbers as bytes. */
export function packNumbers(numbers: Int32Array | Float64Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** Whole numbers that `packNumbers` packed; bytes that are no multiple of four are cut. */
export function unpackInts(bytes: Uint8Array): Int32Array {
  return new Int32Array(aligned(bytes), 0, bytes.byteLength >> 2);
}

/** Other numbers that `packNumbers` packed. */
export function unpackFloats(bytes: Uint8Array): Float64Array {
  return new Float64Array(aligned(bytes), 0, bytes.byteLength >> 3);
}

function aligned(bytes: Uint8Array): ArrayBuffer {
  return bytes.slice().buffer;
}
