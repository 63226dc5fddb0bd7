import { join } from "node:path";
import { BASE_FILES } from "./bases.ts";
import { openWriter } from "./database.ts";
import type { IndexStore } from "./index-store.ts";

/**
 * Contents of each half of a base: whole tables, and single values. Neither contains local data: root, times, folders,
 * history.
 */
const HALVES = {
  [BASE_FILES.text]: {
    tables: ["segments", "blocks", "outlines"],
    values: ["segments", "links.paths", "links.starts", "links.targets"],
  },
  [BASE_FILES.code]: { tables: ["parsed", "facts", "edges", "asked"], values: ["modules"] },
} as const;

/**
 * Exports the top layer of a complete index, in `file`, as a base of two files: the words and the code. Contract: the
 * folder exists and contains neither file; the same index yields the same rows in the same order.
 */
export function exportBase(store: IndexStore, file: string, folder: string): void {
  for (const [name, { tables, values }] of Object.entries(HALVES)) {
    const half = openWriter(join(folder, name));
    try {
      half.prepare("ATTACH ? AS whole").run(file);
      half.exec("BEGIN");
      for (const table of tables) half.exec(`INSERT INTO main.${table} SELECT * FROM whole.${table} ORDER BY 1`);
      const copy = half.prepare("INSERT INTO main.meta SELECT * FROM whole.meta WHERE key = ?");
      for (const key of values) copy.run(key);
      // The times of files are those of the machine that built the index.
      const update = half.prepare("UPDATE main.segments SET stats = ? WHERE id = ?");
      if (name === BASE_FILES.text) for (const { id, stats } of store.statsWithoutTimes()) update.run(stats, id);
      half.exec("COMMIT; DETACH whole; PRAGMA journal_mode = DELETE");
    } finally {
      half.close();
    }
  }
}
