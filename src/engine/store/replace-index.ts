import { renameSync, rmSync } from "node:fs";
import { filesOfDatabase } from "../../base/sqlite.ts";
import { openWriter, removeDatabase, tryCheckpoint } from "./database.ts";

/** All tables of an index. */
const TABLES = ["meta", "segments", "blocks", "outlines", "parsed", "facts", "edges", "asked", "history"];

/**
 * Replaces the contents of an index, which may be read meanwhile, with those of another one. Contract: atomic; readers
 * see the old contents or the new ones. (Files must not be swapped while a process has one open: SQLite finds journals
 * by name, and would read one index with the journals of the other.)
 */
export function replaceContents(next: string, file: string): void {
  const database = openWriter(file);
  try {
    database.prepare("ATTACH ? AS next").run(next);
    database.exec("BEGIN IMMEDIATE");
    for (const table of TABLES)
      database.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM next.${table}`);
    database.exec("COMMIT; DETACH next; VACUUM");
    tryCheckpoint(database);
  } finally {
    database.close();
  }
  removeDatabase(next);
}

/**
 * Replaces the file of an index with that of another one, which nobody has open. Contract: the old index is no longer
 * in WAL mode, so that a process that opens it at this moment reads nothing but its file.
 */
export function replaceFileOf(next: string, file: string): void {
  for (const path of filesOfDatabase(next)) if (path !== next) rmSync(path, { force: true });
  renameSync(next, file);
}
