import { createHash, type Hash } from "node:crypto";
import { closeSync, ftruncateSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GitObjects } from "../history/git-objects.ts";

/** More of a file is never read; the rest of a longer one is left empty, so that its size is right. */
const MAX_BYTES = 512 * 1024;
const MAX_TREE_BYTES = 256 * 1024 * 1024;
const NEWLINE = 10;
/** A regular file; links and submodules are none. */
const ENTRY = /^100(?:644|755) blob ([0-9a-f]{40,64})\t([^\0]+)$/s;
/** Parts of a path that would lead elsewhere, or to what git itself reads. */
const BAD_PART = /^(?:\.{0,2}|\.git)$/i;

/** Input of `writeTree`. */
interface TreeWork {
  readonly git: GitObjects;
  /** Full id of the commit. */
  readonly commit: string;
  /** An empty folder. */
  readonly folder: string;
}

/**
 * Writes the files of a commit below a folder: exactly the bytes of its blobs, whatever attributes, filters and line endings
 * the repository has. Returns how many they are, or why it is not possible. Contract: each blob is compared with its id; writes
 * only below the folder, and no links.
 */
export async function writeTree({ git, commit, folder }: TreeWork): Promise<number | string> {
  const listed = await git.ask(["ls-tree", "-r", "-z", "--full-tree", commit], MAX_TREE_BYTES);
  if (listed.exitCode !== 0) return `git cannot list the files of ${commit}`;
  if (listed.cut) return `${commit} has too many files`;
  const entries = listed.stdout.split("\0").flatMap((line) => {
    const [, id, path] = ENTRY.exec(line) ?? [];
    return id === undefined || path === undefined || path.split("/").some((part) => BAD_PART.test(part))
      ? []
      : [{ id, path }];
  });
  // The top of a work tree: ignore files hold as they do there.
  mkdirSync(join(folder, ".git"));
  const folders = new Set<string>();
  const place = (path: string) => {
    const own = dirname(join(folder, path));
    if (!folders.has(own)) mkdirSync(own, { recursive: true });
    folders.add(own);
    return join(folder, path);
  };
  const blobs = new BlobWriter(entries.map(({ id, path }) => ({ id, place: () => place(path) })));
  const exitCode = await git.printObjects(
    entries.map(({ id }) => id),
    (chunk) => blobs.take(chunk),
  );
  if (blobs.problem !== null) return blobs.problem;
  return exitCode === 0 && blobs.isComplete ? entries.length : "git cannot read all files of the commit";
}

/** A blob that is expected, and where it is to be written. */
interface Expected {
  readonly id: string;
  readonly place: () => string;
}

/** The blob that is being read. */
interface CurrentBlob {
  readonly id: string;
  readonly file: number;
  readonly size: number;
  readonly hash: Hash;
  /** Bytes that have come. */
  seen: number;
}

/** Writes blobs as `git cat-file --batch` prints them: a line with id, kind and size, the bytes, and a newline. */
class BlobWriter {
  /** What was wrong first; nothing is written after that. */
  problem: string | null = null;
  readonly #expected: readonly Expected[];
  #next = 0;
  #header = "";
  #current: CurrentBlob | null = null;
  /** Whether the newline after a blob is due. */
  #isBetween = false;

  constructor(expected: readonly Expected[]) {
    this.#expected = expected;
  }

  get isComplete(): boolean {
    return this.#next === this.#expected.length && this.#current === null;
  }

  take(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && this.problem === null; )
      at = this.#current === null ? this.#takeHeader(chunk, at) : this.#takeBytes(chunk, at, this.#current);
  }

  #takeHeader(chunk: Buffer, at: number): number {
    if (this.#isBetween) {
      this.#isBetween = false;
      if (chunk[at] !== NEWLINE) this.problem = "git printed something else than blobs";
      return at + 1;
    }
    const end = chunk.indexOf(NEWLINE, at);
    this.#header += chunk.toString("latin1", at, end < 0 ? chunk.length : end);
    if (end < 0) return chunk.length;
    const expected = this.#expected[this.#next++];
    const [id, kind, size] = this.#header.split(" ");
    this.#header = "";
    if (expected === undefined || id !== expected.id || kind !== "blob" || !/^\d+$/.test(size ?? "")) {
      this.problem = `git has no blob ${expected?.id ?? ""}`;
      return chunk.length;
    }
    const hash = createHash(id.length === 64 ? "sha256" : "sha1").update(`blob ${size}\0`);
    this.#current = { id, file: openSync(expected.place(), "wx", 0o600), size: Number(size), hash, seen: 0 };
    if (size === "0") this.#finish(this.#current);
    return end + 1;
  }

  #takeBytes(chunk: Buffer, at: number, current: CurrentBlob): number {
    const end = Math.min(chunk.length, at + current.size - current.seen);
    const bytes = chunk.subarray(at, end);
    current.hash.update(bytes);
    if (current.seen < MAX_BYTES) writeSync(current.file, bytes);
    current.seen += bytes.length;
    if (current.seen === current.size) this.#finish(current);
    return end;
  }

  #finish({ id, file, size, hash }: CurrentBlob): void {
    ftruncateSync(file, size);
    closeSync(file);
    if (hash.digest("hex") !== id) this.problem = `the blob ${id} is damaged`;
    this.#current = null;
    this.#isBetween = true;
  }
}
