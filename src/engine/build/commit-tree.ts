import { createHash, type Hash } from "node:crypto";
import { closeSync, ftruncateSync, futimesSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GitObjects } from "../history/git-objects.ts";
import { hasEnding } from "../parse/script.ts";
import type { IndexedFile } from "./changes.ts";
import type { DiskEntry, DiskStats, FileSource } from "./disk.ts";
import type { JobRunner } from "./pool.ts";
import { MAX_READ_BYTES, readLimitOf } from "./read-source.ts";
import { isIgnoreFile } from "./walker.ts";

const MAX_TREE_BYTES = 256 * 1024 * 1024;
const NEWLINE = 10;
/** A regular file; links and submodules are none. */
const ENTRY = /^100(?:644|755) blob ([0-9a-f]{40,64}) +(\d+)\t([^\0]+)$/s;
/** Parts of a path that would lead elsewhere, or to what git itself reads. */
const BAD_PART = /^(?:\.{0,2}|\.git)$/i;
/** Files that are read by themselves, whoever names them: what is ignored, and where modules are. */
const SETTINGS = /\.(?:json\w?|toml|mod)$/i;
/** Time of every file: any that is long past. */
const WRITTEN_S = 1_000_000_000;

/** Input of `writeTree`. */
interface TreeWork {
  readonly git: GitObjects;
  /** Full id of the commit. */
  readonly commit: string;
  /** An empty folder. */
  readonly folder: string;
  /** Ids of texts that are known already, by path: those files are not written before somebody reads them. */
  readonly known: ReadonlyMap<string, string>;
}

/** A file of a commit. */
interface TreeFile {
  readonly id: string;
  readonly path: string;
  readonly bytes: number;
}

/**
 * Writes the files of a commit below a folder: exactly the bytes of its blobs, whatever attributes, filters and line endings
 * the repository has. Returns why it is not possible, if it is not. Contract: each blob is compared with its id; writes
 * only below the folder, and no links.
 */
export async function writeTree({ git, commit, folder, known }: TreeWork): Promise<CommitTree | string> {
  const listed = await git.ask(["ls-tree", "-r", "-z", "--long", "--full-tree", commit], MAX_TREE_BYTES);
  if (listed.exitCode !== 0) return `git cannot list the files of ${commit}`;
  if (listed.cut) return `${commit} has too many files`;
  const files = listed.stdout.split("\0").flatMap((line): TreeFile[] => {
    const [, id = "", bytes, path = ""] = ENTRY.exec(line) ?? [];
    return id === "" || path.split("/").some((part) => BAD_PART.test(part)) ? [] : [{ id, path, bytes: Number(bytes) }];
  });
  // The top of a work tree: ignore files hold as they do there.
  mkdirSync(join(folder, ".git"));
  const tree = new CommitTree(git, folder, files);
  const isNeeded = ({ id, path }: TreeFile) =>
    known.get(path) !== id || isIgnoreFile(path) || SETTINGS.test(path) || !hasEnding(path);
  return (await tree.fill(files.filter(isNeeded).map(({ path }) => path))) ?? tree;
}

/** The files of a commit: listed as git knows them, and written below a folder when they are read. */
export class CommitTree implements FileSource {
  readonly folder: string;
  readonly #git: GitObjects;
  readonly #files: ReadonlyMap<string, TreeFile>;
  readonly #unwritten: Map<string, TreeFile>;
  readonly #folders = new Map<string, DiskEntry[]>();
  /** The last call of `fill`: one after the other, so that each leaves its files complete. */
  #last: Promise<string | null> = Promise.resolve(null);

  constructor(git: GitObjects, folder: string, files: readonly TreeFile[]) {
    this.folder = folder;
    this.#git = git;
    this.#files = new Map(files.map((file) => [file.path, file]));
    this.#unwritten = new Map(this.#files);
    for (const { path } of files) this.#add(path, true);
  }

  /** Adds an entry to the folder that it is in, and that folder to its own. */
  #add(path: string, isFile: boolean): void {
    const at = path.lastIndexOf("/", path.length - 2) + 1;
    const [folder, name] = [path.slice(0, at), path.slice(at, isFile ? undefined : -1)];
    const known = this.#folders.get(folder);
    const entry = { name, isFile: () => isFile, isDirectory: () => !isFile };
    if (known !== undefined) known.push(entry);
    else this.#folders.set(folder, [entry]);
    if (known === undefined && folder !== "") this.#add(folder, false);
  }

  /** As `Disk`. */
  list(folder: string): readonly DiskEntry[] {
    return this.#folders.get(folder) ?? [];
  }

  /** As `Disk`. */
  lstat(path: string): DiskStats | undefined {
    const file = this.#files.get(path);
    if (file === undefined && !this.#folders.has(path)) return undefined;
    const isFile = () => file !== undefined;
    return { size: file?.bytes ?? 0, mtimeMs: WRITTEN_S * 1_000, isFile, isDirectory: () => !isFile() };
  }

  /** Number of files. */
  get size(): number {
    return this.#files.size;
  }

  /** Paths of all files. */
  get paths(): readonly string[] {
    return [...this.#files.keys()];
  }

  /** Writes files that are not there yet; all, if none is named. Returns why that is not possible, else null. */
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
    const exitCode = await this.#git.printObjects(
      files.map(({ id }) => id),
      (chunk) => blobs.take(chunk),
    );
    if (blobs.problem !== null) return blobs.problem;
    if (exitCode !== 0 || !blobs.isComplete) return "git cannot read all files of the commit";
    for (const { path } of files) this.#unwritten.delete(path);
    return null;
  }

  /** As `KnownTexts`: git knows the id of every file. */
  timeOf(path: string, id: string, bytes: number): number | null {
    const file = this.#files.get(path);
    return file?.id === id && file.bytes === bytes ? WRITTEN_S * 1_000 : null;
  }

  /** A runner that reads no file before it is there. */
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

  /** The first file of an index that has another text there than in the commit; null if all agree. */
  findOther(indexed: ReadonlyMap<string, IndexedFile>): string | null {
    for (const [path, { id, bytes }] of indexed) {
      const file = this.#files.get(path);
      // The id of a text that is not read to its end is another one, as are all ids where git uses longer ones.
      const isComparable = file?.id.length === id.length && bytes <= readLimitOf(path);
      if (file?.bytes !== bytes || (isComparable && file.id !== id)) return path;
    }
    return null;
  }
}

/** A blob that is expected, and where it is to be written. */
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
    this.#current = { id, file: openSync(expected.place, "wx", 0o600), size: Number(size), hash, seen: 0 };
    if (size === "0") this.#finish(this.#current);
    return end + 1;
  }

  #takeBytes(chunk: Buffer, at: number, current: CurrentBlob): number {
    const end = Math.min(chunk.length, at + current.size - current.seen);
    const bytes = chunk.subarray(at, end);
    current.hash.update(bytes);
    // More is never read; the rest of a longer file stays empty.
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
