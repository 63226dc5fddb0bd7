import { toSha256 } from "../base/hash.ts";
import type { TeamServerPlace } from "../config/team-server.ts";
import { type Outcome, succeed } from "../contract/faults.ts";
import type { CommitTree } from "../engine/build/commit-tree.ts";
import { readSource } from "../engine/build/read-source.ts";
import { COLUMNS, packNumbers } from "../engine/store/catalogue.ts";
import type { IndexStore } from "../engine/store/index-store.ts";
import { packDefinitions } from "../engine/store/segment.ts";
import type { StoredSegment } from "../engine/store/segment-table.ts";
import { redact } from "../safety/redact/redact.ts";
import { askTeamFor, askTeamServer } from "./ask-server.ts";
import { Batch, type Post } from "./batch.ts";
import { readPackages } from "./declared-packages.ts";
import type { Reads } from "./fetch-base.ts";
import { shareCode } from "./share-code.ts";
import { SharedState } from "./shared-index.ts";

/** Input of `shareIndex`. */
interface ShareWork {
  /** The complete index of the commit, and the commit's files. */
  readonly index: IndexStore;
  readonly tree: CommitTree;
  readonly commit: string;
  readonly reads: Reads;
  readonly server: TeamServerPlace;
  /** Name of the repository on the server, and the state that the server has of it. */
  readonly repo: string;
  readonly there: SharedState;
  readonly nowMs: number;
  readonly signal: AbortSignal;
  readonly say: (what: string) => void;
}

/**
 * State that a team's server has of a repository; null if it is no team server, or has no such repository for this
 * token.
 */
export async function readShared(
  server: TeamServerPlace,
  repo: string,
  signal: AbortSignal,
): Promise<SharedState | null> {
  // A plain file server does not have this path.
  const there = await askTeamFor(SharedState, server, { method: "GET", path: pathOf(repo), signal });
  return there.ok ? there.value : null;
}

function pathOf(repo: string): string {
  return `/v1/index/${repo}`;
}

/**
 * Sends the data by which a team's server searches a repository: words, definitions, and the text of its files with
 * secrets redacted. Segments that the server has are not sent again. Returns the number of files sent. Contract: until
 * the last message has arrived, searches see the old state.
 */
export async function shareIndex(work: ShareWork): Promise<Outcome<number>> {
  const { index, server, signal, repo, there, say, commit, tree } = work;
  const segments = index.segments().map((segment, number) => ({ segment, number, name: nameOf(segment, work.reads) }));
  const post: Post = (part, message) =>
    askTeamServer(server, { method: "POST", path: `${pathOf(repo)}/${part}`, body: message, signal });
  const isLive = findLive(index.segments());
  let files = 0;
  const known = new Set(there.segments);
  const unsent = segments.filter(({ name }) => !known.has(name));
  if (unsent.length > 0)
    say("sending words, definitions and lines that may be quoted, without secrets, to the team's server");
  for (const { segment, number, name } of unsent) {
    const { paths, removed, numbers } = segment.catalogue;
    const head = { name, paths, removed, numbers: toBase64(packNumbers(numbers)) };
    const steps = [
      () => post("segments", head),
      () => sendPostings(segment, name, post),
      () => sendFiles(segment, name, (slot) => isLive(number, slot), work, post),
    ];
    for (const step of steps) {
      const done = await step();
      if (!done.ok) return done;
    }
    files += paths.length;
  }
  const graph = there.graph === undefined ? succeed(undefined) : await shareCode(index, there.graph, post);
  if (!graph.ok) return graph;
  const packages = await readPackages(tree);
  const names = segments.map(({ name }) => name);
  const state = await post("state", { commit, segments: names, ...packages, graph: graph.value });
  return state.ok ? succeed(files) : state;
}

/** True if a server has everything it can have of a commit. */
export function isShared({ commit, graph }: SharedState, wanted: string): boolean {
  return commit === wanted && graph?.is_complete !== false;
}

/** Name of a segment: a hash of its files, their texts, and the versions that produced it. */
function nameOf({ catalogue: { paths, removed, ids } }: StoredSegment, reads: Reads): string {
  return toSha256(JSON.stringify([reads, paths, removed, toBase64(ids)]));
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** Returns a predicate that is true for files that no newer segment replaces or removes. */
function findLive(segments: readonly StoredSegment[]): (segment: number, slot: number) => boolean {
  const newest = new Map<string, number>();
  segments.forEach(({ catalogue: { paths, removed } }, segment) => {
    for (const path of [...paths, ...removed]) newest.set(path, segment);
  });
  return (segment, slot) => newest.get(segments[segment]?.catalogue.paths[slot] ?? "") === segment;
}

async function sendPostings(segment: StoredSegment, name: string, post: Post): Promise<Outcome<unknown>> {
  const batch = new Batch<readonly [string, string]>((rows) => post("postings", { segment: name, rows }));
  for (const { term, postings } of segment.entries()) {
    const row = [term, toBase64(postings)] as const;
    const done = await batch.add(row, term.length + row[1].length);
    if (!done.ok) return done;
  }
  return batch.flush();
}

async function sendFiles(
  { catalogue: { paths, numbers }, definitionsIn }: StoredSegment,
  name: string,
  isLive: (slot: number) => boolean,
  { tree, nowMs }: ShareWork,
  post: Post,
): Promise<Outcome<unknown>> {
  const batch = new Batch<readonly [number, unknown, string]>((files) => post("files", { segment: name, files }));
  const hasText = (slot: number) =>
    isLive(slot) && (numbers[slot * COLUMNS.length + COLUMNS.indexOf("lines")] ?? 0) > 0;
  for (const [slot, path] of paths.entries()) {
    if (slot % FILLED_AT_ONCE === 0)
      await tree.fill(paths.slice(slot, slot + FILLED_AT_ONCE).filter((_, at) => hasText(slot + at)));
    const text = hasText(slot) ? (readSource(tree.folder, path, nowMs)?.content?.toString("utf8") ?? "") : "";
    const outline = isLive(slot) ? packDefinitions(definitionsIn(slot)) : "[]";
    // PostgreSQL cannot store NUL, and a text that contains one is not read by anyone.
    const row = [slot, JSON.parse(outline), redact(text).text.replaceAll("\0", " ")] as const;
    const done = await batch.add(row, outline.length + row[2].length);
    if (!done.ok) return done;
  }
  return batch.flush();
}

/** Number of files requested from git at once. */
const FILLED_AT_ONCE = 2_000;
