import { getOrMake } from "../../base/maps.ts";
import { yieldToEvents } from "../../base/timers.ts";
import type { Definitions, FileEdges } from "../graph/definitions.ts";
import { Modules } from "../graph/modules.ts";
import { Questions } from "../graph/questions.ts";
import { makeResolver } from "../graph/resolver.ts";
import type { FileFacts } from "../parse/facts.ts";
import { packEdges, type StoredEdges, type Target } from "../store/edges.ts";
import { filesDefining } from "../store/files-naming.ts";
import type { IndexStore } from "../store/index-store.ts";
import type { IndexedFile } from "../store/known-files.ts";
import type { RepositoryIndex } from "../store/repository-index.ts";
import { questionsOfSettings, readModuleSettings, stampOfSettings } from "./moved-questions.ts";
import { StoredDefinitions } from "./stored-definitions.ts";

/** Up to this many files, names are looked up individually; for more, one pass over all files is faster. */
const FEW = 200;
/** Files per batch; each batch is stored when it is done. */
const BATCH = 200;

/** Input of `findEdges`. */
interface EdgeWork {
  readonly root: string;
  readonly store: IndexStore;
  /** The files of the index. */
  readonly files: ReadonlyMap<string, IndexedFile>;
  /** Creates the index on first use: often there are no edges to find. */
  readonly getIndex: () => RepositoryIndex;
  readonly isStopped: () => boolean;
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Finds the edges of all files that have none yet, or that asked a question whose answer has changed. Contract: can be
 * stopped and resumes where it stopped.
 */
export async function findEdges({ root, store, files, getIndex, isStopped, onProgress }: EdgeWork): Promise<void> {
  dropMoved(root, store, files);
  const waiting = store.code.pathsWithoutEdges().filter((path) => files.has(path));
  if (waiting.length === 0) return;
  const index = getIndex();
  const paths = Array.from({ length: index.fileCount }, (_, file) => index.pathOf(file));
  const findNamed = waiting.length <= FEW ? (name: string) => filesDefining(index, name) : null;
  const definitions = new StoredDefinitions(root, store, paths, findNamed);
  const resolver = makeResolver(definitions);
  for (let start = 0; start < waiting.length; start += BATCH) {
    onProgress(start, waiting.length);
    const batch = waiting.slice(start, start + BATCH);
    store.code.addEdges(
      batch.map((path) => {
        const edges = packEdges(toStored(resolver.resolve(definitions.fileAt(path) ?? -1), definitions));
        return { path, edges, asked: resolver.asked() };
      }),
    );
    // The stop signal arrives as an event.
    await yieldToEvents();
    if (isStopped()) return;
  }
  onProgress(waiting.length, waiting.length);
}

/** Drops the edges that may have changed. */
function dropMoved(root: string, store: IndexStore, files: ReadonlyMap<string, IndexedFile>): void {
  const before = store.code.asked.modules();
  const stamp = stampOfSettings(files);
  const moved = store.code.asked.moved();
  if (before?.stamp === stamp && moved.size === 0) return;
  let settings = before;
  if (settings === null || settings.stamp !== stamp) {
    const definitions = new StoredDefinitions(root, store, [...files.keys()].sort(), null);
    settings = readModuleSettings(stamp, new Modules(definitions, new Questions()));
    for (const key of questionsOfSettings(before, settings)) moved.add(key);
  }
  store.code.dropEdges(store.code.asked.pathsAsking(moved), settings);
}

/** Converts edges for storage: targets are stored by path and name, because file numbers change. */
export function toStored({ calls, bases, imports }: FileEdges, definitions: Definitions): StoredEdges {
  const toTarget = (file: number, symbol: number): Target => ({
    path: definitions.path(file),
    nth: placesAmongNames(definitions.facts(file))[symbol] ?? 0,
    name: definitions.facts(file).symbols[symbol]?.name ?? "",
  });
  return {
    calls: calls.map(({ toFile, toSymbol, ...call }) => ({ ...call, to: toTarget(toFile, toSymbol) })),
    bases: bases.map(({ symbol, toFile, toSymbol }) => ({ symbol, to: toTarget(toFile, toSymbol) })),
    imports: imports.map((file) => definitions.path(file)),
  };
}

const known = new WeakMap<FileFacts, Int32Array>();

/** For each symbol of a file, the number of earlier symbols with the same name. */
function placesAmongNames(facts: FileFacts): Int32Array {
  return getOrMake(known, facts, () => {
    const counts = new Map<string, number>();
    return Int32Array.from(facts.symbols, ({ name }) => {
      const nth = counts.get(name) ?? 0;
      counts.set(name, nth + 1);
      return nth;
    });
  });
}
