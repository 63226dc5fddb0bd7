import type { Definitions, FileEdges } from "../graph/definitions.ts";
import { makeResolver } from "../graph/resolver.ts";
import { packEdges, type StoredEdges, type Target } from "../store/edges.ts";
import { filesNaming } from "../store/files-naming.ts";
import type { IndexStore } from "../store/index-store.ts";
import type { RepositoryIndex } from "../store/repository-index.ts";
import { StoredDefinitions } from "./stored-definitions.ts";

/** Up to this many files, names are looked up individually; for more, one pass over all files is faster. */
const FEW = 200;
/** Files per batch; each batch is stored when it is done. */
const BATCH = 200;

/** Input of `findEdges`. */
interface EdgeWork {
  readonly root: string;
  readonly store: IndexStore;
  readonly index: RepositoryIndex;
  readonly isStopped: () => boolean;
  readonly onProgress: (done: number, total: number) => void;
}

/** Finds the edges of all files that have none yet. Contract: can be stopped and resumes where it stopped. */
export async function findEdges({ root, store, index, isStopped, onProgress }: EdgeWork): Promise<void> {
  const waiting = store.pathsWithoutEdges().filter((path) => index.fileAt(path) !== undefined);
  if (waiting.length === 0) return;
  const paths = Array.from({ length: index.fileCount }, (_, file) => index.pathOf(file));
  const findNamed = waiting.length <= FEW ? (name: string) => filesNaming(index, name) : null;
  const definitions = new StoredDefinitions(root, store, paths, findNamed);
  const resolver = makeResolver(definitions);
  for (let start = 0; start < waiting.length; start += BATCH) {
    onProgress(start, waiting.length);
    const batch = waiting.slice(start, start + BATCH);
    store.addEdges(
      batch.map((path) => ({
        path,
        edges: packEdges(toStored(resolver.resolve(definitions.fileAt(path) ?? -1), definitions)),
      })),
    );
    // Yield, because the stop signal arrives as an event.
    await new Promise((resolve) => setImmediate(resolve));
    if (isStopped()) return;
  }
  onProgress(waiting.length, waiting.length);
}

/** Converts edges for storage: targets are stored by path and name, because file numbers change. */
export function toStored({ calls, bases, imports }: FileEdges, definitions: Definitions): StoredEdges {
  const toTarget = (file: number, symbol: number): Target => ({
    path: definitions.path(file),
    symbol,
    name: definitions.facts(file).symbols[symbol]?.name ?? "",
  });
  return {
    calls: calls.map(({ toFile, toSymbol, ...call }) => ({ ...call, to: toTarget(toFile, toSymbol) })),
    bases: bases.map(({ symbol, toFile, toSymbol }) => ({ symbol, to: toTarget(toFile, toSymbol) })),
    imports: imports.map((file) => definitions.path(file)),
  };
}
