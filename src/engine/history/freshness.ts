import { DAY_MS } from "../../base/duration.ts";
import { readWhole } from "../../base/jail.ts";
import type { Hit } from "../search/answer.ts";
import { RECENCY } from "../search/weights.ts";
import type { Commit, History } from "./read-history.ts";
import type { Tree } from "./tree.ts";

/** The bonus of a file for recent work on it. */
interface Freshness {
  /** At least 1; multiplied with a score. */
  readonly factor: number;
  /** For human readers; empty if not worth mentioning. */
  readonly reason: string;
}

/** The part of a file that matters here. */
interface FreshFile {
  readonly path: string;
  readonly text: string;
}

/** Enough to break ties, too little to promote files that do not match the question. */
const UNCOMMITTED_GAIN = 0.15;
const RECENT_GAIN = 0.08;
/** After this many days half of the bonus is left. */
const HALF_LIFE_DAYS = 14;
/** Below this share of the bonus, or after this many days, no reason is given. */
const WORTH_SAYING = { share: 0.25, days: 60 };
const MAX_BYTES = 512 * 1024;

/** Moves hits in recently changed files up. Contract: the same hits in another order, with the reason explained. */
export async function weighHits(root: string, hits: readonly Hit[], history: History, nowMs: number): Promise<Hit[]> {
  const files = hits.flatMap(({ file }) => {
    const text = readWhole(root, file, MAX_BYTES);
    return text === null ? [] : [{ path: file, text }];
  });
  const weighed = await weighFreshness(history, files, nowMs);
  return hits
    .map((hit) => {
      const freshness = weighed.get(hit.file);
      if (freshness === undefined) return hit;
      const reason = [hit.reason, freshness.reason].filter(Boolean).join("; ");
      return { ...hit, score: hit.score + RECENCY * (freshness.factor - 1), reason };
    })
    .sort((one, other) => other.score - one.score);
}

/**
 * Weighs files by recent work on them. Contract: files without a bonus are not in the result. The bonus depends only on
 * the repository: age is counted back from its newest commit, so that the same state ranks the same on any day; only
 * the text of the reason depends on the current date.
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

/** Time of each file's last change. */
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
 * Finds files that differ from the committed version or are not committed at all. Compares hashes of the content,
 * independent of git's index, timestamps and filters. Files that differ only in CRLF line endings count as equal. Files
 * without a text, that are not UTF-8, or that are in a submodule cannot be judged and are left out. Returns the id of
 * the committed content of each file; null for a new file.
 */
export async function findUncommitted(
  tree: Tree | null,
  paths: readonly string[],
  textOf: (path: string) => string | null,
): Promise<ReadonlyMap<string, string | null>> {
  if (tree === null) return new Map();
  // Loaded lazily, because a repository without history does not need it.
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
