const HAN = /\p{Script=Han}+/gu;

const LETTER = 1;
const DIGIT = 2;
/** A byte of a non-ASCII character. */
const WIDE = 3;
/** The kind of each byte within an identifier. */
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80) return WIDE;
  const character = String.fromCharCode(byte);
  return /[A-Za-z_$]/.test(character) ? LETTER : /[0-9]/.test(character) ? DIGIT : 0;
});

/** Only this many bytes of a line are read; more is data. */
const MAX_LINE = 2_000;
const NEWLINE = 10;
const DOT = 46;
/** Length range of numbers that may be meaningful. */
const NUMBER = { shortest: 3, longest: 10 };
/** Maximum load factor before the table grows. */
const FULL = 0.6;

/** The words of a text in order. Contract: array entries beyond `count` are undefined. */
interface ScannedWords {
  readonly count: number;
  /** Number of each word in the table. */
  readonly words: Int32Array;
  /** Line of each word, 1-based. */
  readonly lines: Int32Array;
  /** Byte offset at which each word starts. */
  readonly starts: Int32Array;
  readonly lineCount: number;
  /** True if the ends of some lines were not read. */
  readonly isCut: boolean;
}

/**
 * Assigns numbers to the words of texts: identifiers, numbers that may be meaningful, and runs of Chinese, the same as
 * `wordsOf` finds line by line. Every text of a repository passes through here, so it works on bytes and creates a
 * string only for new words.
 */
export class WordTable {
  /** Open-addressing hash table of word numbers; -1 marks a free slot. */
  #slots = new Int32Array(1 << 16).fill(-1);
  #hashes = new Int32Array(1 << 15);
  /** Offset of each word's bytes in `#pool`; one entry more than there are words. */
  #starts = new Int32Array((1 << 15) + 1);
  #pool = new Uint8Array(1 << 19);
  #count = 0;
  /** The words of the current text. */
  #words = new Int32Array(1 << 12);
  #lines = new Int32Array(1 << 12);
  #places = new Int32Array(1 << 12);
  #seen = 0;
  readonly #onNew: (word: string) => void;

  /** `onNew` is called for every new word, in the order of their numbers. */
  constructor(onNew: (word: string) => void) {
    this.#onNew = onNew;
  }

  /** Scans a text. Contract: the returned arrays are valid until the next scan. */
  scan(bytes: Uint8Array): ScannedWords {
    const end = bytes.length;
    let line = 1;
    let lineEnd = MAX_LINE;
    let isCut = false;
    this.#seen = 0;
    for (let at = 0; at < end; ) {
      const byte = bytes[at] ?? 0;
      const kind = KINDS[byte];
      if (kind === LETTER) {
        if (at >= lineEnd) {
          isCut = true;
          const next = bytes.indexOf(NEWLINE, at);
          at = next < 0 ? end : next;
          continue;
        }
        const start = at;
        let hash = 0x811c9dc5;
        const stop = Math.min(end, lineEnd);
        for (; at < stop; at++) {
          const own = bytes[at] ?? 0;
          const is = KINDS[own];
          if (is !== LETTER && is !== DIGIT) break;
          hash = Math.imul(hash ^ own, 0x01000193);
        }
        this.#note(this.#find(bytes, start, at, hash), line, start);
      } else if (byte === NEWLINE) {
        line++;
        at++;
        lineEnd = at + MAX_LINE;
      } else if (kind === DIGIT) {
        const start = at;
        let hash = 0x811c9dc5;
        const stop = Math.min(end, lineEnd);
        for (; at < stop && KINDS[bytes[at] ?? 0] === DIGIT; at++)
          hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
        const isCut = at === start || KINDS[bytes[at] ?? 0] === LETTER || bytes[start - 1] === DOT;
        const length = at - start;
        if (!isCut && length >= NUMBER.shortest && length <= NUMBER.longest)
          this.#note(this.#find(bytes, start, at, hash), line, start);
        // Past the length limit of a line: step over the digit; the next letter skips the rest of the line.
        if (at === start) at++;
      } else if (kind === WIDE) at = this.#scanWide(bytes, at, at < lineEnd ? line : 0);
      else at++;
    }
    return { count: this.#seen, words: this.#words, lines: this.#lines, starts: this.#places, lineCount: line, isCut };
  }

  #note(word: number, line: number, start: number): void {
    const at = this.#seen++;
    if (at === this.#words.length) {
      this.#words = grown(this.#words, new Int32Array(at * 2));
      this.#lines = grown(this.#lines, new Int32Array(at * 2));
      this.#places = grown(this.#places, new Int32Array(at * 2));
    }
    this.#words[at] = word;
    this.#lines[at] = line;
    this.#places[at] = start;
  }

  /** Scans a run of non-ASCII bytes and returns its end. Only Chinese counts; line 0 means the run is ignored. */
  #scanWide(bytes: Uint8Array, start: number, line: number): number {
    let end = start;
    while (end < bytes.length && (bytes[end] ?? 0) >= 0x80) end++;
    // A Chinese character takes at least three bytes; two bytes are, for example, accented or Greek letters.
    if (line === 0 || end - start < 3) return end;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("utf8");
    for (const [run] of text.matchAll(HAN)) {
      const own = Buffer.from(run, "utf8");
      let hash = 0x811c9dc5;
      for (const byte of own) hash = Math.imul(hash ^ byte, 0x01000193);
      this.#note(this.#find(own, 0, own.length, hash), line, start);
    }
    return end;
  }

  #find(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const word = this.#slots[slot] ?? -1;
      if (word < 0) break;
      if (this.#hashes[word] === hash && this.#equals(word, bytes, start, end)) return word;
      slot = (slot + 1) & mask;
    }
    return this.#add(bytes, start, end, hash, slot);
  }

  #equals(word: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.#starts[word] ?? 0;
    if ((this.#starts[word + 1] ?? 0) - from !== end - start) return false;
    const pool = this.#pool;
    for (let at = start, own = from; at < end; at++, own++) if (bytes[at] !== pool[own]) return false;
    return true;
  }

  #add(bytes: Uint8Array, start: number, end: number, hash: number, slot: number): number {
    const word = this.#count++;
    const from = this.#starts[word] ?? 0;
    const length = end - start;
    if (from + length > this.#pool.length)
      this.#pool = grown(this.#pool, new Uint8Array(2 * this.#pool.length + length));
    this.#pool.set(bytes.subarray(start, end), from);
    if (word + 2 > this.#starts.length) {
      this.#starts = grown(this.#starts, new Int32Array(this.#starts.length * 2));
      this.#hashes = grown(this.#hashes, new Int32Array(this.#hashes.length * 2));
    }
    this.#starts[word + 1] = from + length;
    this.#hashes[word] = hash;
    this.#slots[slot] = word;
    if (this.#count > this.#slots.length * FULL) this.#rehash();
    this.#onNew(Buffer.from(bytes.buffer, bytes.byteOffset + start, length).toString("utf8"));
    return word;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2).fill(-1);
    const mask = slots.length - 1;
    for (let word = 0; word < this.#count; word++) {
      const hash = this.#hashes[word] ?? 0;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while ((slots[slot] ?? -1) >= 0) slot = (slot + 1) & mask;
      slots[slot] = word;
    }
    this.#slots = slots;
  }
}

function grown<T extends Uint8Array | Int32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}
