import { isSensitivePath } from "../../base/path-rules.ts";
import { readHeadKey } from "../history/git-folder.ts";
import { type HistorySettings, type HistoryUpdate, readUpdate } from "../history/read-history.ts";
import type { HistoryStore } from "../store/history-store.ts";

/** What keeping a history takes. */
interface HistoryWork {
  readonly root: string;
  readonly settings: HistorySettings;
  readonly store: HistoryStore;
  readonly signal: AbortSignal;
  /** Called once, where there is anything to be read. */
  readonly onStart: () => void;
}

/** Commits that are kept: of a busy repository those of some months. */
const MOST_COMMITS = 2_000;
/** Longest that git may take; what it told until then is kept. */
const MOST_MS = 20_000;

/**
 * Keeps the last commits and the tree of the one that is checked out, so that answers need not ask git. Contract: reads
 * nothing where the same commit is checked out as before; where no history can be read, nothing is kept and it is not
 * tried again before something else is checked out.
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

/** Sensitive files are not in the index, not even by their names. */
function withoutSensitive(update: HistoryUpdate): HistoryUpdate {
  const { commits, tree } = update;
  const isKept = (path: string) => !isSensitivePath(path);
  return {
    ...update,
    commits: commits.map((commit) => ({ ...commit, files: commit.files.filter(isKept) })),
    tree: { ...tree, blobs: new Map([...tree.blobs].filter(([path]) => isKept(path))) },
  };
}
