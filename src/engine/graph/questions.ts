/**
 * Questions that resolving a file may ask about other files, as 32-bit hashes. A collision only causes a file to be
 * resolved again unnecessarily.
 */
export const question = {
  /** Which symbols have this name, in any file? */
  named: (name: string) => hash(name, 1),
  /** What does this name mean inside a unit (`unitKey`)? */
  inside: (unit: number, name: string) => hash(name, unit),
  /** Is there a file with this path, with or without its ending, or the main file of a module in this folder? */
  at: (path: string) => hash(path, 2),
  /** Which files have this name, in any folder? */
  fileNamed: (base: string) => hash(base, 3),
  /** Which files are in this folder? */
  folder: (folder: string) => hash(folder, 4),
  /** What does this settings file say? */
  text: (path: string) => hash(path, 5),
  /** Where is the package or module with this name? */
  module: (style: "script" | "python" | "go" | "rust", name: string) => hash(name, hash(style, 6)),
};

/** Key of the unit in which names are looked up: the file, or its folder if the language sees whole folders. */
export const unitKey = (path: string): number => hash(path, 7);

/** Pseudo-names for questions about a file as a whole; they cannot occur in code. */
export const WHOLE = { stars: "\0stars", dotted: "\0dotted", sources: "\0sources" } as const;

/** FNV-1a over UTF-16 code units. */
function hash(text: string, seed: number): number {
  let value = 0x811c9dc5 ^ Math.imul(seed, 0x9e3779b1);
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value ^ (value >>> 15);
}

/** An answer, and the questions that it depends on. */
export interface Recorded<T> {
  readonly answer: T;
  readonly asked: ReadonlySet<number>;
}

/** Records the questions that are asked while a file is resolved. */
export class Questions {
  #asked = new Set<number>();

  ask(key: number): void {
    this.#asked.add(key);
  }

  /** Computes an answer that is also cached for other files, with the questions that it depends on. */
  record<T>(find: () => T): Recorded<T> {
    const outer = this.#asked;
    const own = new Set<number>();
    this.#asked = own;
    try {
      return { answer: find(), asked: own };
    } finally {
      this.#asked = outer;
      this.#askAll(own);
    }
  }

  /** Returns a cached answer and records its questions for the current file. */
  reuse<T>({ answer, asked }: Recorded<T>): T {
    this.#askAll(asked);
    return answer;
  }

  /** Returns the questions asked since the last call, ascending. */
  take(): Int32Array {
    const asked = Int32Array.from(this.#asked).sort();
    this.#asked.clear();
    return asked;
  }

  #askAll(keys: ReadonlySet<number>): void {
    for (const key of keys) this.#asked.add(key);
  }
}
