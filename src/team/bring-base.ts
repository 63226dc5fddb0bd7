import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { sayError } from "../base/text.ts";
import { isTimeUp, withTimeLimit } from "../base/timers.ts";
import type { Join } from "../config/join-book.ts";
import type { Fault } from "../contract/faults.ts";
import { isPartialClone } from "../engine/history/git-folder.ts";
import type { GitObjects } from "../engine/history/git-objects.ts";
import { BASE_FILES } from "../engine/store/bases.ts";
import { readMark } from "../engine/store/database.ts";
import type { LaidBase } from "./base-status.ts";
import { TOO_NEW } from "./documents.ts";
import { type Chain, fetchBases, fetchChain, fetchList, nameOfBase, type Reads } from "./fetch-base.ts";
import { findAncestor } from "./find-ancestor.ts";
import type { ObjectStore } from "./object-store.ts";

/** State of a repository with respect to the bases of its store. */
export type BaseState =
  | "none"
  | "waiting"
  | "downloading"
  | "attached"
  | "refused"
  | "unreachable"
  | "too_new"
  | "no_ancestor";

/** Result of `bringBase`. */
export interface Brought {
  readonly state: BaseState;
  /** A sentence for the user; empty if all is well. */
  readonly reason: string;
  /**
   * The base to layer an index on, with the names of its chain, newest first; null if there is none or none is needed.
   */
  readonly base: (LaidBase & { readonly names: readonly string[] }) | null;
}

/** Input of `bringBase`. */
export interface BringWork {
  /** The repository; null if its objects cannot be read. */
  readonly git: GitObjects | null;
  readonly join: Join;
  readonly store: ObjectStore;
  readonly reads: Reads;
  /** Folder that holds all bases. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** True if an available base is to be fetched; otherwise only the state is reported. */
  readonly isWanted: () => boolean;
  /** Time limit for fetching. */
  readonly limitMs?: number;
  /** Reports the bytes fetched so far and their total. */
  readonly onBytes: (done: number, total: number) => void;
  /** Reports the sequence of every accepted list. */
  readonly onSequence: (sequence: number) => void;
}

/**
 * Time limit for fetching: with a slower store, a local index is ready sooner; fetched chunks are kept for the next
 * try.
 */
const FETCH_MS = 5 * 60_000;

const NO_GIT = "git did not answer; it is asked again with the next build";
const UNUSUAL =
  "bases are not used where git's objects are not all in the repository's own git folder: partial clones, borrowed objects, work trees of bare repositories";

/**
 * Asks the store for the base of the checked-out commit's nearest ancestor and fetches it. Contract: never throws;
 * accepts nothing that is not signed with a pinned key, and no list older than one seen before; the base is of a commit
 * that this repository has, with the tree that it has here.
 */
export async function bringBase(work: BringWork): Promise<Brought> {
  const { git, join: joined, store, reads, folder, signal } = work;
  if (git === null || isPartialClone(git.start.objects)) return none("no_ancestor", UNUSUAL);
  const source = { store, keys: joined.keys, signal };
  const listed = await fetchList(source);
  if (!listed.ok) return failedBy(listed.fault);
  if (listed.value === null) return none("waiting", `nothing is published in ${store.place} yet`);
  const { sequence, bases } = listed.value.list;
  if (sequence < joined.highest)
    return none(
      "refused",
      `the list of bases in ${store.place} is older than one seen before (${sequence} after ${joined.highest}); if that is meant, join again`,
    );
  work.onSequence(sequence);
  const nearest = await findAncestor(git, git.start.commit, bases);
  if (nearest === null) return none("no_ancestor", "no published commit is an ancestor of the one that is checked out");
  const chain = await fetchChain(nearest.manifest, reads, source);
  if (!chain.ok) return failedBy(chain.fault);
  const wrong = await whyNotHere(git, nearest.commit, chain.value);
  if (wrong !== null) return wrong;
  const names = chain.value.map(nameOfBase);
  const mark = findMark(folder, names);
  if (mark !== null) return none("refused", `the base was put aside: ${mark}`);
  if (!work.isWanted()) return none("attached", "");
  const failed = await fetchInTime(work, chain.value);
  if (failed !== null) return failed;
  return {
    state: "attached",
    reason: "",
    base: { names, commit: nearest.commit, sequence, madeMs: await askTime(git, nearest.commit) },
  };
}

/** Fetches the files of a base within the time limit; null on success. */
async function fetchInTime(work: BringWork, chain: Chain): Promise<Brought | null> {
  const { folder, store, join: joined, onBytes, limitMs = FETCH_MS } = work;
  return withTimeLimit(work.signal, limitMs, async (signal) => {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const fetched = await fetchBases(chain, folder, { store, keys: joined.keys, signal }, onBytes);
      if (fetched.ok) return null;
      if (!isTimeUp(signal)) return failedBy(fetched.fault);
      return none(
        "unreachable",
        `${store.place} is too slow; the downloaded part is kept, and the next try continues from there`,
      );
    } catch (thrown) {
      return none("waiting", `the base cannot be written here (${sayError(thrown)})`);
    }
  });
}

/** Commit time in milliseconds; 0 if it cannot be read. */
async function askTime(git: GitObjects, commit: string): Promise<number> {
  const { stdout } = await git.ask(["show", "--no-patch", "--format=%ct", "--end-of-options", commit], 200);
  return (Number(stdout.trim()) || 0) * 1_000;
}

/** Result if a chain does not belong to this repository; null if it does. */
async function whyNotHere(git: GitObjects, commit: string, chain: Chain): Promise<Brought | null> {
  const newest = chain[0]?.manifest;
  const tree = await git.ask(["rev-parse", "--verify", "--end-of-options", `${commit}^{tree}`], 200);
  if (tree.exitCode !== 0) return none("waiting", NO_GIT);
  if (newest?.commit !== commit || newest.tree !== tree.stdout.trim())
    return none("refused", "the base is not of the commit that it names");
  if (newest.repository.length === 0 || git.start.shallow !== null) return null;
  const roots = await git.ask(["rev-list", "--max-parents=0", git.start.commit], 1024 * 1024);
  if (roots.exitCode !== 0) return none("waiting", NO_GIT);
  const own = new Set(roots.stdout.split("\n"));
  const isHere = newest.repository.some((root) => own.has(root));
  return isHere ? null : none("refused", "the base is of another repository");
}

/** Reason why one of these bases was rejected before; null if none was. */
function findMark(folder: string, names: readonly string[]): string | null {
  for (const name of names) {
    const mark = readMark(join(folder, name, BASE_FILES.text));
    if (mark !== null) return mark;
  }
  return null;
}

function none(state: BaseState, reason: string): Brought {
  return { state, reason, base: null };
}

function failedBy({ code, detail, message, hint }: Fault): Brought {
  const state = detail === TOO_NEW ? "too_new" : code === "E_TOOL_UNAVAILABLE" ? "unreachable" : "refused";
  return none(state, hint === undefined ? message : `${message}; ${hint}`);
}
