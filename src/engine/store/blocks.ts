import { closeSeal, IndexDamage, SEAL_BYTES } from "./sealed.ts";
import type { Segment } from "./segment.ts";

/**
 * A block of a segment: terms and their postings, in term order, a few kilobytes in size. A list of the first terms of
 * all blocks determines which block must contain a term. This makes it possible to distinguish a term that does not
 * exist from a lost block, and one checksum per block is enough.
 */
interface PackedBlock {
  readonly number: number;
  /** The block's first term. */
  readonly first: string;
  /** Sealed bytes. */
  readonly data: Uint8Array;
}

/** Two blocks fit into one database page. A term with more data takes a block of its own. */
const BLOCK_BYTES = 4_000;
/** Size of a segment's range of block numbers. */
const PER_SEGMENT = 2 ** 24;

/** Row id of a block, unique across all segments. */
export function blockId(segment: number, number: number): number {
  return segment * PER_SEGMENT + number;
}

/** The label under which a block is sealed. */
export function blockLabel(segment: number, number: number): string {
  return `block ${segment}.${number}`;
}

/** Splits postings into blocks. Contract: `put` receives them in order. */
export function packBlocks(
  { terms, starts, postings }: Pick<Segment, "terms" | "starts" | "postings">,
  segment: number,
  put: (block: PackedBlock) => void,
): void {
  let room = Buffer.allocUnsafe(1 << 16);
  let length = 0;
  let number = 0;
  let first = "";
  const close = () => {
    if (length === 0) return;
    const data = closeSeal(blockLabel(segment, number), new Uint8Array(room.subarray(0, length + SEAL_BYTES)));
    put({ number, first, data });
    number++;
    length = 0;
  };
  for (const [at, term] of terms.entries()) {
    const [start, end] = [starts[at] ?? 0, starts[at + 1] ?? 0];
    // A UTF-16 code unit takes at most three bytes; the two length prefixes take up to five bytes each.
    const most = 3 * term.length + end - start + 10 + SEAL_BYTES;
    if (length > 0 && length + most > BLOCK_BYTES) close();
    if (length === 0) first = term;
    if (length + most > room.length) room = Buffer.concat([room], 2 * (length + most));
    const bytes = Buffer.byteLength(term, "utf8");
    length = putNumber(room, length, bytes);
    length += room.write(term, length, "utf8");
    length = putNumber(room, length, end - start);
    room.set(postings.subarray(start, end), length);
    length += end - start;
  }
  close();
}

function putNumber(room: Uint8Array, at: number, value: number): number {
  let rest = value;
  let to = at;
  for (; rest > 0x7f; rest >>>= 7) room[to++] = (rest & 0x7f) | 0x80;
  room[to++] = rest;
  return to;
}

/** The only block that can contain `term`: the last one whose first term is not greater; -1 if `term` precedes all. */
export function findBlock(firsts: readonly string[], term: string): number {
  let [low, high] = [0, firsts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((firsts[middle] ?? "") <= term) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Postings of a term in an unsealed block; null if the block does not contain the term. */
export function findInBlock(block: Uint8Array, term: string): Uint8Array | null {
  const wanted = Buffer.from(term, "utf8");
  let found: Uint8Array | null = null;
  walkBlock(block, (start, end, from, to) => {
    if (end - start !== wanted.length) return true;
    for (let at = 0; at < wanted.length; at++) if (block[start + at] !== wanted[at]) return true;
    found = block.subarray(from, to);
    return false;
  });
  return found;
}

/** The terms of a block with their postings, in their order. */
export function entriesOfBlock(block: Uint8Array): { readonly term: string; readonly postings: Uint8Array }[] {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  const entries: { readonly term: string; readonly postings: Uint8Array }[] = [];
  walkBlock(block, (start, end, from, to) => {
    entries.push({ term: bytes.toString("utf8", start, end), postings: block.subarray(from, to) });
    return true;
  });
  return entries;
}

/** Visits the terms of a block and their postings until `see` returns false. */
function walkBlock(block: Uint8Array, see: (start: number, end: number, from: number, to: number) => boolean): void {
  let at = 0;
  const next = () => {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = block[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return value >>> 0;
  };
  while (at < block.length) {
    const start = at;
    const termBytes = next();
    const term = at;
    at = term + termBytes;
    const dataBytes = next();
    const data = at;
    at = data + dataBytes;
    if (at > block.length || at <= start) throw new IndexDamage("a block of postings is truncated");
    if (!see(term, term + termBytes, data, at)) return;
  }
}
