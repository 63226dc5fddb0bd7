import { type ByteWriter, sizeOf } from "./bytes.ts";

/** Flags of a place, which is encoded as `line * PLACE.unit + flags`; without flags it is a word of the body. */
export const PLACE = {
  /** In the body, inside a comment. */
  doc: 1,
  /** In the name of a definition; the same word also counts in the body. */
  name: 2,
  /** In the path, which has no line. */
  path: 4,
  unit: 8,
} as const;

/** Places of terms in the files of one segment, sorted by term, then slot, then line. */
export interface CollectedPlaces {
  readonly slots: Int32Array;
  readonly places: Int32Array;
}

/**
 * Postings of a term in one segment. All columns have the same length, except `lineStarts`, which has one more entry.
 */
export interface DecodedPostings {
  readonly slots: Int32Array;
  readonly body: Int32Array;
  readonly name: Int32Array;
  readonly path: Int32Array;
  readonly doc: Int32Array;
  /** Offsets into `bytes`. */
  readonly lineStarts: Int32Array;
  readonly bytes: Uint8Array;
}

const HAS_NAME = 1;
const HAS_PATH = 2;
const HAS_DOC = 4;
const FLAGS = 8;

/**
 * Writes the postings of the term whose places are in `start` to `end`: first the slot, counts and byte length of the
 * lines for every file, then all lines, so that a reader that only needs counts never touches the lines.
 */
export function writePostings(collected: CollectedPlaces, start: number, end: number, out: ByteWriter): void {
  const { slots, places } = collected;
  let files = 0;
  for (let at = start; at < end; at++) if (at === start || slots[at] !== slots[at - 1]) files++;
  out.put(files);
  let before = -1;
  for (let at = start; at < end; ) {
    const slot = slots[at] ?? 0;
    let [body, name, path, doc, bytes, last] = [0, 0, 0, 0, 0, 0];
    for (; at < end && slots[at] === slot; at++) {
      const place = places[at] ?? 0;
      if ((place & PLACE.name) !== 0) name++;
      else if ((place & PLACE.path) !== 0) path++;
      else {
        body++;
        doc += place & PLACE.doc;
        const line = Math.floor(place / PLACE.unit);
        if (line === last) continue;
        bytes += sizeOf(line - last);
        last = line;
      }
    }
    const flags = (name > 0 ? HAS_NAME : 0) | (path > 0 ? HAS_PATH : 0) | (doc > 0 ? HAS_DOC : 0);
    out.put((slot - before - 1) * FLAGS + flags);
    out.put(body);
    if (name > 0) out.put(name);
    if (path > 0) out.put(path);
    if (doc > 0) out.put(doc);
    out.put(bytes);
    before = slot;
  }
  writeLines(collected, start, end, out);
}

function writeLines({ slots, places }: CollectedPlaces, start: number, end: number, out: ByteWriter): void {
  let last = 0;
  for (let at = start; at < end; at++) {
    if (slots[at] !== slots[at - 1]) last = 0;
    const place = places[at] ?? 0;
    const line = Math.floor(place / PLACE.unit);
    if ((place & (PLACE.name | PLACE.path)) !== 0 || line === last) continue;
    out.put(line - last);
    last = line;
  }
}

/**
 * Reads what `writePostings` wrote. Contract: damaged bytes yield wrong numbers, never an endless loop or an exception.
 */
export function readPostings(bytes: Uint8Array): DecodedPostings {
  const reader = new Reader(bytes);
  const files = Math.min(reader.next(), bytes.length);
  const columns = {
    slots: new Int32Array(files),
    body: new Int32Array(files),
    name: new Int32Array(files),
    path: new Int32Array(files),
    doc: new Int32Array(files),
    lineStarts: new Int32Array(files + 1),
  };
  const { slots, body, name, path, doc, lineStarts } = columns;
  let slot = -1;
  let bytesBefore = 0;
  for (let file = 0; file < files; file++) {
    const head = reader.next();
    slot += (head >>> 3) + 1;
    slots[file] = slot;
    body[file] = reader.next();
    if ((head & HAS_NAME) !== 0) name[file] = reader.next();
    if ((head & HAS_PATH) !== 0) path[file] = reader.next();
    if ((head & HAS_DOC) !== 0) doc[file] = reader.next();
    lineStarts[file] = bytesBefore;
    bytesBefore += reader.next();
  }
  lineStarts[files] = bytesBefore;
  for (let file = 0; file <= files; file++) lineStarts[file] = (lineStarts[file] ?? 0) + reader.at;
  return { ...columns, bytes };
}

/** The lines of the file at `position` in the postings, ascending. */
export function readLines({ bytes, lineStarts }: DecodedPostings, position: number): number[] {
  const reader = new Reader(bytes, lineStarts[position] ?? 0);
  const end = Math.min(lineStarts[position + 1] ?? 0, bytes.length);
  const lines: number[] = [];
  let line = 0;
  while (reader.at < end) {
    line += reader.next();
    lines.push(line);
  }
  return lines;
}

class Reader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  next(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.at++] ?? 0;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    for (let shift = 7; shift < 35; shift += 7) {
      byte = bytes[this.at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return value >>> 0;
  }
}
