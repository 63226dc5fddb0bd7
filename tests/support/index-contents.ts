import { join } from "node:path";
import { INDEX_FILES, openReader } from "../../src/engine/store/database.ts";
import { IndexStore } from "../../src/engine/store/index-store.ts";
import { RepositoryIndex } from "../../src/engine/store/repository-index.ts";
import type { IndexedRepo } from "./indexed-repo.ts";

/** Reads everything that an index contains about its files, whatever its layers. */
export function readAll({ folder }: IndexedRepo) {
  const database = openReader(join(folder, INDEX_FILES.database));
  if (database === null) throw new Error("no index");
  const store = IndexStore.over(database, folder);
  try {
    const { paths: linked, starts, targets } = store.links();
    const index = new RepositoryIndex(store.segments(), store.links());
    const files = Array.from({ length: index.fileCount }, (_, file) => {
      const path = index.pathOf(file);
      return {
        path,
        stamp: store.code.parsedStamp(path),
        imports: store.packedImports(path),
        facts: store.code.facts(path),
        edges: store.code.edges(path)?.unpack() ?? null,
        definitions: index.definitionsIn(file),
        traits: index.traits[file],
      };
    });
    return {
      files,
      links: linked.map((path, at) => [path, [...targets.slice(starts[at], starts[at + 1])].map((to) => linked[to])]),
      postings: ["area", "open", "=taxof", "core", "import", "store"].map((term) => {
        const { files: found, counts, linesAt } = index.postings(term);
        return Array.from(found, (file, at) => [file, counts.body[at], counts.path[at], linesAt(at)]);
      }),
    };
  } finally {
    store.close();
  }
}

/** Returns the number of bases of an index, and the reason if it was rebuilt. */
export function describeIndex({ folder }: IndexedRepo) {
  const database = openReader(join(folder, INDEX_FILES.database));
  const store = database === null ? null : IndexStore.over(database, folder);
  const said = { bases: store?.bases.length, mended: store?.state()?.mended };
  store?.close();
  return said;
}
