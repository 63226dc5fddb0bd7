import { isSensitivePath } from "../../base/path-rules.ts";
import { readHeadKey } from "../history/git-folder.ts";
import type { GitSettings } from "../history/git-objects.ts";
import { type HistoryUpdate, readUpdate } from "../history/read-history.ts";
import type { HistoryStore } from "../store/history-store.ts";

/** Input of `keepHistory`. */
interface HistoryWork {
  readonly root: string;
  readonly settings: GitSettings;
  readonly store: HistoryStore;
  readonly signal: AbortSignal;
  /** Called once, if there is anything to read. */
  readonly onStart: () => void;
}

/** Maximum number of commits stored; covers some months of a busy repository. */
const MOST_COMMITS = 2_000;
/** Maximum milliseconds git may take; what it has returned until then is stored. */
const MOST_MS = 20_000;

/**
 * Stores the latest commits and the tree of the checked-out commit, so that answers need not run git. Contract: reads
 * nothing if the same commit is still checked out; if history cannot be read, nothing is stored, and there is no retry
 * until something else is checked out.
 */
export async function keepHistory({ root, settings, store, signal, onStart }: HistoryWork): Promise<void> {
  const key = readHeadKey(root);
  const kept = store.head();
  if (key === (kept?.key ?? null)) return;
  if (key === null) return store.clear(null);
  onStart();
  const since = kept?.isRead === true ? kept.key : null;
  const update = await readUpdate(root, settings, { since, most: MOST_COMMITS, ms: MOST_MS, signal });
  if (signal.aborted) return;
  if (update === null) store.clear(key);
  else store.update(withoutSensitive(update), MOST_COMMITS);
}

/** Removes sensitive files: the index does not contain even their names. */
function withoutSensitive(update: HistoryUpdate): HistoryUpdate {
  const { commits, tree } = update;
  const isKept = (path: string) => !isSensitivePath(path);
  return {
    ...update,
    commits: commits.map((commit) => ({ ...commit, files: commit.files.filter(isKept) })),
    tree: { ...tree, blobs: new Map([...tree.blobs].filter(([path]) => isKept(path))) },
  };
}
