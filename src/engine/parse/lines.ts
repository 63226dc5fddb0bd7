/** The line starts of a text. */
export class Lines {
  readonly #starts: number[] = [0];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.#starts.push(at + 1);
  }

  /** The line of an offset, from 1. */
  lineOf(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** Offset of a line's first character; lines count from 1. */
  startOf(line: number): number {
    return this.#starts[line - 1] ?? this.#text.length;
  }

  /** A trimmed line, cut to the length that a comment or a declaration needs. */
  trimmed(line: number): string {
    const start = this.startOf(line);
    const end = Math.min(this.startOf(line + 1), start + LINE_CHARS);
    return this.#text.slice(start, end).trim();
  }
}

/** Maximum number of characters read of a line, so that a line of megabytes costs nothing. */
const LINE_CHARS = 1_000;
