/** Bytes that grow: small numbers take one byte, larger ones up to five. */
export class ByteWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor(room = 1 << 16) {
    this.#bytes = new Uint8Array(room);
  }

  get length(): number {
    return this.#length;
  }

  /** Adds a whole number from 0 to 2³²-1. */
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

  /** Forgets what was put and keeps the room. */
  clear(): void {
    this.#length = 0;
  }

  /** What was put, in a memory of its own. */
  take(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** How many bytes `ByteWriter.put` takes for a number. */
export function sizeOf(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5;
}
