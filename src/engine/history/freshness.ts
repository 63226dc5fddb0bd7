import type { Commit, History } from "./read-history.ts";
import type { Tree } from "./tree.ts";

/** How much a file gains by having been worked on lately. */
export interface Freshness {
  /** At least 1; to be multiplied with a score. */
  readonly factor: number;
  /** For people; empty where it is not worth a word. */
  readonly reason: string;
}

/** A file as far as it matters here. */
interface FreshFile {
  readonly path: string;
  readonly text: string;
}

/** Enough to decide between equals, too little to bring up what the words of the question do not. */
const UNCOMMITTED_GAIN = 0.15;
const RECENT_GAIN = 0.08;
/** After so many days half of the gain is left. */
const HALF_LIFE_DAYS = 14;
/** Below this share of the gain, or after so many days, nobody needs to hear of it. */
const WORTH_SAYING = { share: 0.25, days: 60 };
const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Weighs files by what was done to them lately. Contract: files without a gain are not in the answer. The gain depends
 * on the repository alone: age is counted back from its newest commit, so that the same state ranks alike on any day;
 * only the words of the reason know what day it is.
 */
export async function weighFreshness(
  history: History,
  files: readonly FreshFile[],
  nowMs: number,
): Promise<ReadonlyMap<string, Freshness>> {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const uncommitted = await findUncommitted(history.tree, [...texts.keys()], (path) => texts.get(path) ?? null);
  const newestMs = history.commits.reduce((newest, { atMs }) => Math.max(newest, atMs), -Infinity);
  const lastAt = findLastChanges(history.commits);
  const weighed = new Map<string, Freshness>();
  for (const { path } of files) {
    const lastAtMs = lastAt.get(path);
    if (uncommitted.has(path)) weighed.set(path, { factor: 1 + UNCOMMITTED_GAIN, reason: "uncommitted change" });
    else if (lastAtMs !== undefined) {
      const share = 0.5 ** ((newestMs - lastAtMs) / DAY_MS / HALF_LIFE_DAYS);
      const reason = share < WORTH_SAYING.share ? "" : sayAge(nowMs - lastAtMs);
      weighed.set(path, { factor: 1 + RECENT_GAIN * share, reason });
    }
  }
  return weighed;
}

/** When each file was changed last. */
function findLastChanges(commits: readonly Commit[]): Map<string, number> {
  const lastAt = new Map<string, number>();
  for (const { atMs, files } of commits) {
    for (const path of files) lastAt.set(path, Math.max(lastAt.get(path) ?? atMs, atMs));
  }
  return lastAt;
}

function sayAge(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  if (days > WORTH_SAYING.days) return "";
  return `changed ${days < 1 ? "today" : days < 2 ? "yesterday" : `${days} days ago`}`;
}

/**
 * The files that differ from what is committed, or are not committed at all: by the hash of their content, so
 * that neither the index nor a time stamp nor a filter has a say. A file that would be the same with the other kind of
 * line ending is the same; one that is not UTF-8, or lies in a submodule, cannot be told from here and is left out, like
 * one without a text. Returns the id of what is committed for each, null for a file that is new.
 */
export async function findUncommitted(
  tree: Tree | null,
  paths: readonly string[],
  textOf: (path: string) => string | null,
): Promise<ReadonlyMap<string, string | null>> {
  if (tree === null) return new Map();
  // Loaded here, because a repository without history has no need of it.
  const { createHash } = await import("node:crypto");
  const isCommitted = (text: string, id: string) => {
    const bytes = Buffer.from(text, "utf8");
    const hash = createHash(id.length === 64 ? "sha256" : "sha1").update(`blob ${bytes.length}\0`);
    return hash.update(bytes).digest("hex") === id;
  };
  const changed = new Map<string, string | null>();
  for (const path of paths) {
    const text = tree.isInSubmodule(path) ? null : textOf(path);
    if (text === null || text.includes("\ufffd")) continue;
    const id = tree.blobOf(path);
    const isSame = id !== null && (isCommitted(text, id) || isCommitted(text.replaceAll("\r\n", "\n"), id));
    if (!isSame) changed.set(path, id);
  }
  return changed;
}
