import { type Catalogue, idAt } from "./catalogue.ts";
import type { SegmentReader } from "./segment.ts";

/** Size and modification time of a file when it was read. */
export interface FileStamp {
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** A file of an index. */
export interface IndexedFile extends FileStamp {
  /** Identifies its text. */
  readonly id: string;
}

/** A file of a segment. Its fields are decoded on access: there are many such files, and most are only counted. */
class SegmentFile implements IndexedFile {
  readonly #catalogue: Catalogue;
  readonly #slot: number;

  constructor(catalogue: Catalogue, slot: number) {
    this.#catalogue = catalogue;
    this.#slot = slot;
  }

  get bytes(): number {
    return this.#catalogue.stats[2 * this.#slot] ?? 0;
  }

  get modifiedMs(): number {
    return this.#catalogue.stats[2 * this.#slot + 1] ?? 0;
  }

  get id(): string {
    return idAt(this.#catalogue.ids, this.#slot);
  }
}

/** The files known to segments; for each path the newest segment counts. */
export function knownFiles(segments: readonly SegmentReader[]): Map<string, IndexedFile> {
  const files = new Map<string, IndexedFile>();
  for (const { catalogue } of segments) {
    const { paths, removed } = catalogue;
    paths.forEach((path, slot) => {
      files.set(path, new SegmentFile(catalogue, slot));
    });
    for (const path of removed) files.delete(path);
  }
  return files;
}
