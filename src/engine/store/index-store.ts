import type { Database } from "../../base/sqlite.ts";
import type { ImportLine } from "../search/imports.ts";
import { closeBases, openBases } from "./bases.ts";
import { packNumbers, packPaths, unpackFloats, unpackInts, unpackPaths } from "./catalogue.ts";
import { CodeStore } from "./code-store.ts";
import { type Base, isForeign, Layer, LayeredRows, segmentsHere, setTimes } from "./layers.ts";
import { type Links, NO_LINKS } from "./links.ts";
import type { Meta } from "./meta.ts";
import { Records } from "./records.ts";
import { sealText, unseal, unsealText } from "./sealed.ts";
import type { Segment } from "./segment.ts";
import type { StoredSegment } from "./segment-table.ts";
import { type StampOf, Witness } from "./witness.ts";

/** Folders and the modification time of each folder's listing. */
export interface FolderStamps {
  readonly paths: readonly string[];
  readonly modifiedMs: Float64Array;
  /** Sensitive files and folders inside them, which are not indexed under any name. */
  readonly sensitive: readonly string[];
}

/** Stamps of an index without folders. */
export const NO_FOLDERS: FolderStamps = { paths: [], modifiedMs: new Float64Array(0), sensitive: [] };

/** Progress of an index. */
export interface IndexState {
  /** Real path of the repository; two repositories may share a folder by hash collision. */
  readonly root: string;
  /** The next phase; `done` if nothing is left to do. */
  readonly phase: "text" | "code" | "graph" | "done";
  readonly files: number;
  /** Time of the last write. */
  readonly atMs: number;
  /** What was wrong with the previous index, if this one replaced a damaged one. */
  readonly mended?: string;
}

/**
 * Reads and writes the contents of an index. Contract: every record has a checksum that is verified on reading, and a
 * missing required record is detected; both cause `IndexDamage`, as does any other error while reading. Every path of
 * the segments has a row in `outlines` and in `parsed`; a parsed file has facts, and also edges once the index is done.
 */
export class IndexStore {
  readonly records: Records;
  /** Parse results. */
  readonly code: CodeStore;
  readonly #opened: readonly Base[];
  readonly #top: Layer;
  /** Newest first. */
  readonly #bases: readonly Layer[];
  readonly #rows: LayeredRows;
  readonly #meta: Meta;

  /** Opens an index that is laid over `bases`, newest first. */
  constructor(database: Database, bases: readonly Base[] = []) {
    this.records = new Records(database);
    this.#opened = bases;
    this.#top = new Layer({ name: "", text: this.records, code: this.records }, false);
    this.#bases = bases.map((base) => new Layer(base, true));
    const layers = [this.#top, ...this.#bases];
    this.#rows = new LayeredRows(layers);
    this.#meta = this.#top.meta;
    this.code = new CodeStore(layers, this.records, () => this.state()?.phase === "done");
  }

  /**
   * Opens the index in a folder with the bases that it names; `hear` is called on the first damage. Contract: throws
   * `IndexDamage` if one of the bases cannot be read.
   */
  static over(database: Database, folder: string, hear: (why: string) => void = () => {}): IndexStore {
    const alone = new IndexStore(database);
    alone.records.onDamage(hear);
    const names = alone.baseNames();
    if (names.length === 0) return alone;
    const store = new IndexStore(
      database,
      alone.records.read(() => openBases(folder, names)),
    );
    store.records.onDamage(hear);
    return store;
  }

  /** Names of the bases recorded in the index, newest first. */
  baseNames(): readonly string[] {
    return this.#meta.getJson<string[]>(BASES) ?? [];
  }

  get database(): Database {
    return this.records.database;
  }

  /** Names of the open bases, newest first. */
  get bases(): readonly string[] {
    return this.#opened.map(({ name }) => name);
  }

  /** From now on, data of a base from elsewhere is returned only if it matches the files here. */
  confirmForeign(stampOf: StampOf): void {
    if (!this.bases.some(isForeign)) return;
    const root = this.state()?.root ?? "";
    for (const [at, { name, unconfirmed }] of this.#opened.entries()) {
      const base = this.#bases[at];
      if (base !== undefined && isForeign(name)) base.witness = new Witness(root, stampOf, unconfirmed);
    }
  }

  close(): void {
    closeBases(this.#opened);
    this.database.close();
  }

  /** Why the store can no longer be read; null if no damage has been found so far. */
  get damage(): string | null {
    const all = this.#opened.flatMap(({ text, code }) => [text.damage, code?.damage ?? null]);
    return [this.records.damage, ...all].find((why) => why !== null) ?? null;
  }

  /** All segments, oldest first. Those of bases come first. */
  segments(): StoredSegment[] {
    const below = this.#basesUp().flatMap((base) => segmentsHere(base, this.#meta));
    return [...below, ...this.#top.segments.all()];
  }

  /** Lays a new index over bases. Contract: atomic; the index must be reopened. */
  setBases(names: readonly string[]): void {
    this.records.write(() => this.#meta.setJson(BASES, names));
  }

  /** True if the index was laid over bases, but has not been compared with the files yet. */
  get isUnsettled(): boolean {
    return this.#bases.length > 0 && this.#meta.get("folders.paths") === null;
  }

  /** The segments of the bases, oldest first. */
  baseSegments(): StoredSegment[] {
    return this.#basesUp().flatMap(({ segments }) => segments.all());
  }

  /**
   * Records the modification time here of each file of the bases, by segment in the order of `baseSegments`: from now
   * on, these files belong to the index. A file without a sure time is read again. Contract: atomic.
   */
  settleBases(times: readonly Float64Array[], folders: FolderStamps, state: IndexState): void {
    this.records.write(() => {
      const left = times.values();
      for (const base of this.#basesUp())
        for (const segment of base.segments.all())
          setTimes(base, segment, this.#meta, left.next().value ?? new Float64Array(0));
      const modules = this.code.asked.modules();
      if (modules !== null) this.code.asked.settle(modules);
      this.#putFolders(folders);
      this.#putState(state);
    });
  }

  /** The paths of each base, newest base first. */
  pathsOfBases() {
    return this.#bases.map(({ name, segments }) => ({
      name,
      paths: segments.all().flatMap(({ catalogue }) => catalogue.paths),
    }));
  }

  /** The bases, oldest first. */
  #basesUp(): readonly Layer[] {
    return this.#bases.toReversed();
  }

  /** As `SegmentTable.statsWithoutTimes`, for the top. */
  statsWithoutTimes() {
    return this.#top.segments.statsWithoutTimes();
  }

  /** Removes segments that contain no live files. */
  dropSegments(dead: readonly number[]): void {
    if (dead.length === 0) return;
    this.records.write(() => this.#top.segments.drop(dead));
    this.#top.forgetFiles();
  }

  /**
   * Adds a segment as the newest. Files for which `isSame` is true have only moved here from an older segment, so their
   * stored definitions are kept. `moved` are the questions whose answers it changes. Contract: atomic.
   */
  addSegment(segment: Segment, isSame: (path: string) => boolean, moved: readonly number[]): void {
    const { catalogue, outlines, imports } = segment;
    this.records.write(() => {
      const other = catalogue.paths.filter((path) => !isSame(path));
      for (const path of other) this.code.bringUp(path);
      this.#top.segments.add(segment);
      const sql = "INSERT OR REPLACE INTO outlines (path, data, imports) VALUES (?, ?, ?)";
      for (const [slot, path] of catalogue.paths.entries()) {
        if (isSame(path)) continue;
        const [outline, brought] = [outlines[slot] ?? "[]", imports[slot] ?? "[]"];
        this.records.run(sql, path, sealText(`outline of ${path}`, outline), sealText(`imports of ${path}`, brought));
      }
      this.code.begin(other);
      for (const path of catalogue.removed) {
        this.records.run("DELETE FROM outlines WHERE path = ?", path);
        this.code.remove(path);
      }
      this.code.asked.addMoved(moved);
    });
    this.#top.forgetFiles();
  }

  /** The imports of each file, by path. */
  imports(): Map<string, readonly ImportLine[]> {
    const all = new Map<string, readonly ImportLine[]>();
    this.#rows.forEach("outlines", "path, imports", "1", ({ path, imports }) =>
      all.set(String(path), JSON.parse(unsealText(`imports of ${path}`, imports)) as ImportLine[]),
    );
    return all;
  }

  /** The packed definitions of a file, for comparison; null if they are not known. */
  packedOutline(path: string): string | null {
    return this.#rows.find("outlines", "data", path, (row) => unsealText(`outline of ${path}`, row["data"]));
  }

  /** The packed imports of a file, for comparison; null if they are not known. */
  packedImports(path: string): string | null {
    return this.#rows.find("outlines", "imports", path, (row) => unsealText(`imports of ${path}`, row["imports"]));
  }

  /** The first terms that start with the given letters, sorted, at most `most`, regardless of their segments. */
  termsFrom(letters: string, most: number): string[] {
    const found = new Set<string>();
    for (const { segments } of [this.#top, ...this.#bases]) segments.collectTerms(letters, most, found);
    return [...found].sort().slice(0, most);
  }

  links(): Links {
    const meta = this.#linkedMeta() ?? this.#meta;
    const paths = meta.get("links.paths");
    const starts = meta.get("links.starts");
    const targets = meta.get("links.targets");
    if (paths === null || starts === null || targets === null) return this.#withoutText("the links", NO_LINKS);
    return { paths: unpackPaths(paths), starts: unpackInts(starts), targets: unpackInts(targets) };
  }

  /** True if the import links between files have ever been computed. */
  hasLinks(): boolean {
    return this.#linkedMeta() !== null;
  }

  /** The newest layer that has links. */
  #linkedMeta(): Meta | null {
    return [this.#top, ...this.#bases].find(({ meta }) => meta.get("links.targets") !== null)?.meta ?? null;
  }

  setLinks({ paths, starts, targets }: Links): void {
    this.records.write(() => {
      this.#meta.set("links.paths", packPaths(paths));
      this.#meta.set("links.starts", packNumbers(starts));
      this.#meta.set("links.targets", packNumbers(targets));
    });
  }

  folders(): FolderStamps {
    const paths = this.#meta.get("folders.paths");
    const stamps = this.#meta.get("folders.stamps");
    const sensitive = this.#meta.get("folders.sensitive");
    if (paths === null || stamps === null || sensitive === null) return this.#withoutText("the folders", NO_FOLDERS);
    return { paths: unpackPaths(paths), modifiedMs: unpackFloats(stamps), sensitive: unpackPaths(sensitive) };
  }

  /** Fallback for data that must exist once all text has been read. */
  #withoutText<T>(what: string, nothing: T): T {
    const state = this.state();
    return state === null || state.phase === "text" ? nothing : this.records.miss(`${what} are missing`);
  }

  setFolders(folders: FolderStamps): void {
    this.records.write(() => this.#putFolders(folders));
  }

  #putFolders({ paths, modifiedMs, sensitive }: FolderStamps): void {
    this.#meta.set("folders.sensitive", packPaths(sensitive));
    this.#meta.set("folders.paths", packPaths(paths));
    this.#meta.set("folders.stamps", packNumbers(modifiedMs));
  }

  /** Progress of the index; null if no build has started. */
  state(): IndexState | null {
    const state = this.#meta.getJson<IndexState>("state");
    return state === null && this.#top.segments.isBegun() ? this.records.miss("the state is missing") : state;
  }

  setState(state: IndexState): void {
    this.records.write(() => this.#putState(state));
  }

  #putState(state: IndexState): void {
    this.#top.segments.begin();
    this.#meta.setJson("state", state);
  }

  /** Verifies all records of a file of the top. Contract: as for the class. */
  checkFile(path: string): void {
    const outline = this.records.get("SELECT data, imports FROM outlines WHERE path = ?", path);
    this.records.read(() => {
      unseal(`outline of ${path}`, outline?.["data"]);
      unseal(`imports of ${path}`, outline?.["imports"]);
    });
    this.code.check(path);
  }

  /** Verifies the segments of the top. Contract: as for the class. */
  verifySegments(): void {
    this.#top.segments.verify();
  }
}

/** Key of the names of the bases. */
const BASES = "bases";
