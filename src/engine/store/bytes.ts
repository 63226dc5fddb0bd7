/** A growing byte buffer of variable-length integers: small numbers take one byte, larger ones up to five. */
export class ByteWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor(room = 1 << 16) {
    this.#bytes = new Uint8Array(room);
  }

  get length(): number {
    return this.#length;
  }

  /** Appends an integer from 0 to 2³²-1. */
  put(value: number): void {
    if (this.#length + 5 > this.#bytes.length) this.#grow();
    const bytes = this.#bytes;
    let rest = value;
    let at = this.#length;
    while (rest > 0x7f) {
      bytes[at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    bytes[at++] = rest;
    this.#length = at;
  }

  /** Empties the buffer and keeps its capacity. */
  clear(): void {
    this.#length = 0;
  }

  /** Returns a copy of the bytes written so far. */
  take(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Number of bytes `ByteWriter.put` uses for a number. */
export function sizeOf(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5;
}
