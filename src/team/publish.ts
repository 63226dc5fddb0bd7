import type { KeyObject } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { toSha256 } from "../base/hash.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { digestOf, textsOfBases } from "../engine/build/base-files.ts";
import { type CommitTree, writeTree } from "../engine/build/commit-tree.ts";
import type { GitObjects } from "../engine/history/git-objects.ts";
import { BASE_FILES } from "../engine/store/bases.ts";
import { INDEX_FILES, openReader } from "../engine/store/database.ts";
import { exportBase } from "../engine/store/export-base.ts";
import { IndexStore } from "../engine/store/index-store.ts";
import { knownFiles } from "../engine/store/known-files.ts";
import { storeFile } from "./chunks.ts";
import { type BaseList, FORMAT, type Manifest, signDocument } from "./documents.ts";
import { type Chain, fetchBases, fetchChain, type Reads, type Source, storedBytes } from "./fetch-base.ts";
import { findAncestor } from "./find-ancestor.ts";
import { publicKeyOf } from "./keys.ts";
import { announce, fetchNewest } from "./newest-list.ts";
import { type ObjectStore, storeNames } from "./object-store.ts";

/** Maximum number of layered deltas; more are merged into one. */
const MOST_DELTAS = 8;
/** Maximum total size of the deltas relative to the generation's first base; beyond it a new generation begins. */
const DELTA_SHARE = 0.1;

/** Input of `publishBase`. */
export interface PublishWork {
  readonly git: GitObjects;
  /** Full id of the commit to publish. */
  readonly commit: string;
  readonly store: ObjectStore;
  readonly key: KeyObject;
  /** Public keys that this key replaces. */
  readonly replaced: readonly string[];
  readonly reads: Reads;
  /** An empty scratch folder, with room for the files and their index. */
  readonly scratch: string;
  /** Builds the index of a commit's files in `folder`, layered on bases. */
  readonly build: (tree: CommitTree, folder: string, bases: readonly string[]) => Promise<void>;
  /**
   * Also sends the index of the commit to the server that searches it; null if there is none or it has the index
   * already.
   */
  readonly share: ((index: IndexStore, tree: CommitTree) => Promise<Outcome<void>>) | null;
  readonly signal: AbortSignal;
  /** Reports the current step. */
  readonly say: (what: string) => void;
}

/** Result of `publishBase`. */
export interface Published {
  /** `there` if a base of that commit existed already. */
  readonly outcome: "published" | "there";
  readonly commit: string;
  readonly sequence: number;
  readonly files: number;
  /** Size of its chunks in the store, including chunks that existed already, and the number of bases below it. */
  readonly bytes: number;
  readonly over: number;
}

/**
 * Publishes the base of a commit, as a delta on the nearest base if there is one. Contract: readers of the store see
 * the old list or the new one; of two concurrent publishers one succeeds and the other fails.
 */
export async function publishBase(work: PublishWork): Promise<Outcome<Published>> {
  const { commit, store, key, reads, signal } = work;
  const source: Source = { store, keys: [publicKeyOf(key)], signal };
  const there = await store.open(signal);
  if (!there.ok) return there;
  const listed = await fetchNewest(source, work.replaced);
  if (!listed.ok) return listed;
  const list = listed.value;
  const known = list.bases.find((base) => base.commit === commit);
  if (known !== undefined) {
    const chain = await fetchChain(known.manifest, reads, source);
    if (chain.ok) {
      const shared = await sharePublished(work, chain.value, source);
      if (!shared.ok) return shared;
      const there = { outcome: "there", commit, sequence: list.sequence, bytes: 0 } as const;
      return succeed({ ...there, files: chain.value[0]?.manifest.files ?? 0, over: chain.value.length - 1 });
    }
  }
  const below = await chooseBelow(work, list, source);
  const over = await openPlace(work, below, source);
  if (!over.ok) return over;
  let place = over.value;
  const tree = await openTree(work, place);
  if (!tree.ok) return tree;
  let made = await makeBase(work, tree.value, place);
  if (!made.ok) return made;
  // A large delta is not worth having a base below: later bases would carry it along.
  if (below !== null && isTooLarge(made.value, below)) {
    const whole = await openPlace(work, null, source);
    if (!whole.ok) return whole;
    place = whole.value;
    made = await makeBase(work, tree.value, place);
    if (!made.ok) return made;
  }
  const announced = await listBase(work, list, made.value, place, source);
  if (!announced.ok) return announced;
  const shared = await shareIndex(work, tree.value, place);
  return shared.ok ? announced : shared;
}

/**
 * Sends the index of a commit whose base was published before: the index is layered on that base again, which needs no
 * parsing.
 */
async function sharePublished(work: PublishWork, chain: Chain, source: Source): Promise<Outcome<void>> {
  if (work.share === null) return succeed(undefined);
  const place = await openPlace(work, chain, source);
  if (!place.ok) return place;
  const tree = await openTree(work, place.value);
  if (!tree.ok) return tree;
  await work.build(tree.value, place.value.folder, place.value.bases);
  return shareIndex(work, tree.value, place.value);
}

async function shareIndex({ share }: PublishWork, tree: CommitTree, { folder }: BuildPlace): Promise<Outcome<void>> {
  if (share === null) return succeed(undefined);
  const index = openIndex(folder);
  if (!index.ok) return index;
  try {
    return await share(index.value, tree);
  } finally {
    index.value.close();
  }
}

function openIndex(folder: string): Outcome<IndexStore> {
  const database = openReader(join(folder, INDEX_FILES.database));
  return database === null
    ? fail("E_UNKNOWN", "the index of the commit could not be built")
    : succeed(IndexStore.over(database, folder));
}

/** Writes out those files of the commit that the index cannot take from the bases at `place`. */
async function openTree({ git, commit, scratch, say }: PublishWork, place: BuildPlace): Promise<Outcome<CommitTree>> {
  say("writing out the files of the commit");
  const folder = join(scratch, "tree");
  await mkdir(folder);
  const tree = await writeTree({ git, commit, folder, known: textsOfBases(place.folder, place.bases) });
  return typeof tree === "string" ? fail("E_REPO_ROOT", tree) : succeed(tree);
}

/** Location where the index of a commit is built, and the bases below it. */
interface BuildPlace {
  readonly below: Chain | null;
  /** Folder of the index, and output folder of the base. */
  readonly folder: string;
  readonly out: string;
  /** Names of the bases, which are present locally. */
  readonly bases: readonly string[];
}

/** Creates a build location and fetches the base below into it. */
async function openPlace(
  { scratch, say }: PublishWork,
  below: Chain | null,
  source: Source,
): Promise<Outcome<BuildPlace>> {
  const state = join(scratch, below === null ? "whole" : "difference");
  const [folder, out, bases] = [join(state, "index", "of-commit"), join(state, "out"), join(state, "bases")];
  for (const made of [folder, out, bases]) await mkdir(made, { recursive: true });
  if (below === null) return succeed({ below, folder, out, bases: [] });
  say("reading the base below");
  const fetched = await fetchBases(below, bases, source, () => {});
  return fetched.ok ? succeed({ below, folder, out, bases: fetched.value }) : fetched;
}

/** Chooses the nearest base that a new one can be layered on; null for a new generation. */
async function chooseBelow({ git, commit, reads }: PublishWork, list: BaseList, source: Source) {
  const nearest = await findAncestor(git, commit, list.bases);
  if (nearest === null) return null;
  const chain = await fetchChain(nearest.manifest, reads, source);
  if (!chain.ok) return null;
  // Too many deltas are merged: the new one is layered directly on the first base of its generation.
  return chain.value.length <= MOST_DELTAS ? chain.value : chain.value.slice(-1);
}

/** Builds and stores a base that is not announced yet. */
async function makeBase(
  { git, commit, store, reads, build, signal, say }: PublishWork,
  tree: CommitTree,
  { below, folder, out, bases }: BuildPlace,
): Promise<Outcome<Manifest>> {
  say("building the index");
  await build(tree, folder, bases);
  const opened = openIndex(folder);
  if (!opened.ok) return opened;
  const index = opened.value;
  try {
    const other = tree.findOther(knownFiles(index.segments()));
    if (other !== null) return fail("E_UNKNOWN", `the index has another text of ${other} than the commit`);
    exportBase(index, join(folder, INDEX_FILES.database), out);
    say("storing the base");
    const packing = below === null ? "deflate" : "brotli";
    const text = await storeFile(join(out, BASE_FILES.text), packing, store, signal);
    if (!text.ok) return text;
    const code = await storeFile(join(out, BASE_FILES.code), packing, store, signal);
    if (!code.ok) return code;
    return succeed({
      format: FORMAT,
      ...reads,
      repository: await findRoots(git, commit),
      commit,
      tree: await askForId(git, `${commit}^{tree}`),
      ...digestOf(index.segments()),
      below: below?.[0]?.hash ?? null,
      text: text.value,
      code: code.value,
    });
  } finally {
    index.close();
  }
}

/** True if the deltas of a generation, including the new one, have become too large. */
function isTooLarge(made: Manifest, below: Chain): boolean {
  const sizes = below.map(({ manifest }) => storedBytes(manifest));
  const first = sizes.at(-1) ?? 0;
  const deltas = sizes.slice(0, -1).reduce((sum, size) => sum + size, storedBytes(made));
  return deltas > first * DELTA_SHARE;
}

async function listBase(
  { commit, store, key, signal }: PublishWork,
  list: BaseList,
  manifest: Manifest,
  { below }: BuildPlace,
  source: Source,
): Promise<Outcome<Published>> {
  const signed = signDocument(manifest, key);
  const hash = toSha256(signed);
  const put = await store.putNew(storeNames.object(hash), signed, signal);
  if (!put.ok) return put;
  const others = list.bases.filter((base) => base.commit !== commit);
  const announced = await announce([{ commit, manifest: hash }, ...others], list, key, source);
  if (!announced.ok) return announced;
  const { files } = manifest;
  const [bytes, over] = [storedBytes(manifest), below?.length ?? 0];
  return succeed({ outcome: "published", commit, sequence: announced.value, files, bytes, over });
}

async function findRoots(git: GitObjects, commit: string): Promise<readonly string[]> {
  if (git.start.shallow !== null) return [];
  const { exitCode, stdout } = await git.ask(["rev-list", "--max-parents=0", commit], 1024 * 1024);
  return exitCode === 0 ? stdout.split("\n").filter(Boolean).sort() : [];
}

async function askForId(git: GitObjects, name: string): Promise<string> {
  return (await git.ask(["rev-parse", "--verify", "--end-of-options", name], 200)).stdout.trim();
}
