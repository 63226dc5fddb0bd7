import { createHash, type Hash } from "node:crypto";
import { closeSync, ftruncateSync, futimesSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { pushTo } from "../../base/maps.ts";
import type { GitObjects } from "../history/git-objects.ts";
import { hasEnding } from "../parse/script.ts";
import type { IndexedFile } from "../store/known-files.ts";
import type { DiskEntry, DiskStats, FileSource } from "./disk.ts";
import type { JobRunner } from "./pool.ts";
import { MAX_READ_BYTES, readLimitOf } from "./read-source.ts";
import { isIgnoreFile } from "./walker.ts";

const MAX_TREE_BYTES = 256 * 1024 * 1024;
const NEWLINE = 10;
/** Matches a regular file, but no symlink or submodule. */
const ENTRY = /^100(?:644|755) blob ([0-9a-f]{40,64}) +(\d+)\t([^\0]+)$/s;
/** Path components that would lead elsewhere (empty, `.`, `..`), or into data that git itself reads (`.git`). */
const BAD_PART = /^(?:\.{0,2}|\.git)$/i;
/** Module settings. Like ignore files, they are read outside of jobs, so they must be on disk from the start. */
const SETTINGS = /\.(?:json\w?|toml|mod)$/i;
/** Modification time given to every file; any time in the distant past would do. */
const WRITTEN_S = 1_000_000_000;

/** Input of `writeTree`. */
interface TreeWork {
  readonly git: GitObjects;
  /** Full id of the commit. */
  readonly commit: string;
  /** An empty folder. */
  readonly folder: string;
  /** Ids of the texts that are already known, by path; these files are written only when they are first read. */
  readonly known: ReadonlyMap<string, string>;
}

/** A file of a commit. */
interface TreeFile {
  readonly id: string;
  readonly path: string;
  readonly bytes: number;
}

/**
 * Writes the files of a commit to a folder: exactly the bytes of its blobs, regardless of the repository's attributes,
 * filters and line endings. Returns an error message if that is not possible. Contract: each blob is checked against
 * its id; writes only below the folder, and no links.
 */
export async function writeTree({ git, commit, folder, known }: TreeWork): Promise<CommitTree | string> {
  const listed = await git.ask(["ls-tree", "-r", "-z", "--long", "--full-tree", commit], MAX_TREE_BYTES);
  if (listed.exitCode !== 0) return `git cannot list the files of ${commit}`;
  if (listed.cut) return `${commit} has too many files`;
  const files = listed.stdout.split("\0").flatMap((line): TreeFile[] => {
    const [, id = "", bytes, path = ""] = ENTRY.exec(line) ?? [];
    return id === "" || path.split("/").some((part) => BAD_PART.test(part)) ? [] : [{ id, path, bytes: Number(bytes) }];
  });
  // Marks the folder as the top of a work tree, so that ignore files apply as they do there.
  mkdirSync(join(folder, ".git"));
  const tree = new CommitTree(git, folder, files);
  const isNeeded = ({ id, path }: TreeFile) =>
    known.get(path) !== id || isIgnoreFile(path) || SETTINGS.test(path) || !hasEnding(path);
  return (await tree.fill(files.filter(isNeeded).map(({ path }) => path))) ?? tree;
}

/** The files of a commit: listed as git knows them, and written to a folder before they are read. */
export class CommitTree implements FileSource {
  readonly folder: string;
  readonly #git: GitObjects;
  readonly #files: ReadonlyMap<string, TreeFile>;
  readonly #unwritten: Map<string, TreeFile>;
  readonly #folders = new Map<string, DiskEntry[]>();
  /** The last call of `fill`. Calls run one after the other, so that each returns with its files complete. */
  #last: Promise<string | null> = Promise.resolve(null);

  constructor(git: GitObjects, folder: string, files: readonly TreeFile[]) {
    this.folder = folder;
    this.#git = git;
    this.#files = new Map(files.map((file) => [file.path, file]));
    this.#unwritten = new Map(this.#files);
    for (const { path } of files) this.#add(path, true);
  }

  /** Adds an entry to its parent folder, and a new parent to its own parent. */
  #add(path: string, isFile: boolean): void {
    const at = path.lastIndexOf("/", path.length - 2) + 1;
    const [folder, name] = [path.slice(0, at), path.slice(at, isFile ? undefined : -1)];
    const isNew = !this.#folders.has(folder);
    pushTo(this.#folders, folder, { name, isFile: () => isFile, isDirectory: () => !isFile });
    if (isNew && folder !== "") this.#add(folder, false);
  }

  /** See `Disk`. */
  list(folder: string): readonly DiskEntry[] {
    return this.#folders.get(folder) ?? [];
  }

  /** See `Disk`. */
  lstat(path: string): DiskStats | undefined {
    const file = this.#files.get(path);
    if (file === undefined && !this.#folders.has(path)) return undefined;
    const isFile = () => file !== undefined;
    return { size: file?.bytes ?? 0, mtimeMs: WRITTEN_S * 1_000, isFile, isDirectory: () => !isFile() };
  }

  /** Paths of all files. */
  get paths(): readonly string[] {
    return [...this.#files.keys()];
  }

  /**
   * Writes the files that are not on disk yet; all of them by default. Returns an error message, or null on success.
   */
  fill(paths: Iterable<string> = this.#files.keys()): Promise<string | null> {
    this.#last = this.#last.then((problem) => problem ?? this.#fill([...paths]));
    return this.#last;
  }

  async #fill(paths: readonly string[]): Promise<string | null> {
    const files = paths.flatMap((path) => this.#unwritten.get(path) ?? []);
    if (files.length === 0) return null;
    const places = files.map(({ path }) => join(this.folder, path));
    for (const own of new Set(places.map((place) => dirname(place)))) mkdirSync(own, { recursive: true });
    const blobs = new BlobWriter(files.map(({ id }, at) => ({ id, place: places[at] ?? "" })));
    const ids = files.map(({ id }) => id);
    const exitCode = await this.#git.printObjects(ids, (chunk) => blobs.take(chunk)).finally(() => blobs.close());
    if (blobs.problem !== null) return blobs.problem;
    if (exitCode !== 0 || !blobs.isComplete) return "git cannot read all files of the commit";
    for (const { path } of files) this.#unwritten.delete(path);
    return null;
  }

  /** See `KnownTexts`; git knows the id of every file. */
  timeOf(path: string, id: string, bytes: number): number | null {
    const file = this.#files.get(path);
    return file?.id === id && file.bytes === bytes ? WRITTEN_S * 1_000 : null;
  }

  /** Wraps a runner so that the files of a job are written before the job reads them. */
  filling(runner: JobRunner): JobRunner {
    return {
      ...runner,
      run: async (job, threads, onFiles) => {
        const problem = await this.fill(job.paths);
        if (problem !== null) throw new Error(problem);
        return runner.run(job, threads, onFiles);
      },
    };
  }

  /** Returns the first file whose text in the index differs from the commit; null if all texts agree. */
  findOther(indexed: ReadonlyMap<string, IndexedFile>): string | null {
    for (const [path, { id, bytes }] of indexed) {
      const file = this.#files.get(path);
      // Ids are not comparable if the text is not read to its end, or if git uses longer ids (SHA-256).
      const isComparable = file?.id.length === id.length && bytes <= readLimitOf(path);
      if (file?.bytes !== bytes || (isComparable && file.id !== id)) return path;
    }
    return null;
  }
}

/** An expected blob, and the path to which it is written. */
interface Expected {
  readonly id: string;
  readonly place: string;
}

/** The blob that is being read. */
interface CurrentBlob {
  readonly id: string;
  readonly file: number;
  readonly size: number;
  readonly hash: Hash;
  /** Number of bytes received so far. */
  seen: number;
}

/** Writes blobs as `git cat-file --batch` prints them: a line with id, kind and size, the bytes, and a newline. */
class BlobWriter {
  /** The first problem found; nothing is written after it. */
  problem: string | null = null;
  readonly #expected: readonly Expected[];
  #next = 0;
  #header = "";
  #current: CurrentBlob | null = null;
  /** True if the newline after a blob comes next. */
  #isBetween = false;

  constructor(expected: readonly Expected[]) {
    this.#expected = expected;
  }

  get isComplete(): boolean {
    return this.#next === this.#expected.length && this.#current === null;
  }

  /** Must be called at the end of git's output, which may be in the middle of a blob. */
  close(): void {
    if (this.#current !== null) closeSync(this.#current.file);
  }

  take(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && this.problem === null; )
      at = this.#current === null ? this.#takeHeader(chunk, at) : this.#takeBytes(chunk, at, this.#current);
  }

  #takeHeader(chunk: Buffer, at: number): number {
    if (this.#isBetween) {
      this.#isBetween = false;
      if (chunk[at] !== NEWLINE) this.problem = "git printed something other than blobs";
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
    this.#current = { id, file: openSync(expected.place, "wx", 0o600), size: Number(size), hash, seen: 0 };
    if (size === "0") this.#finish(this.#current);
    return end + 1;
  }

  #takeBytes(chunk: Buffer, at: number, current: CurrentBlob): number {
    const end = Math.min(chunk.length, at + current.size - current.seen);
    const bytes = chunk.subarray(at, end);
    current.hash.update(bytes);
    // Content beyond this limit is never read, so the rest of a longer file is left as zeros.
    if (current.seen < MAX_READ_BYTES) writeSync(current.file, bytes);
    current.seen += bytes.length;
    if (current.seen === current.size) this.#finish(current);
    return end;
  }

  #finish({ id, file, size, hash }: CurrentBlob): void {
    ftruncateSync(file, size);
    futimesSync(file, WRITTEN_S, WRITTEN_S);
    closeSync(file);
    if (hash.digest("hex") !== id) this.problem = `the blob ${id} is damaged`;
    this.#current = null;
    this.#isBetween = true;
  }
}
