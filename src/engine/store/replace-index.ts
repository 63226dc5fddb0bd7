import { renameSync, rmSync } from "node:fs";
import { filesOfDatabase } from "../../base/sqlite.ts";
import { openWriter, removeDatabase } from "./database.ts";

/** All tables of an index. */
const TABLES = ["meta", "segments", "blocks", "outlines", "parsed", "facts", "edges", "asked", "history"];

/**
 * Puts the contents of an index in the place of those of another one, which may be read meanwhile. Contract: atomic; readers see
 * the old contents or the new ones. (Files must not be exchanged while somebody has one open: SQLite finds journals by name, and
 * would read one index with those of the other.)
 */
export function replaceContents(next: string, file: string): void {
  const database = openWriter(file);
  try {
    database.prepare("ATTACH ? AS next").run(next);
    database.exec("BEGIN IMMEDIATE");
    for (const table of TABLES)
      database.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM next.${table}`);
    database.exec("COMMIT; DETACH next; VACUUM");
    try {
      // Without waiting for readers: the next builder finishes the checkpoint.
      database.exec("PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // What is in the log is read from there.
    }
  } finally {
    database.close();
  }
  removeDatabase(next);
}

/**
 * Puts an index that nobody has open in the place of another one. Contract: the old one is in no write-ahead mode any more, so that whoever opens it at this moment reads it alone.
 */
export function replaceFileOf(next: string, file: string): void {
  for (const path of filesOfDatabase(next)) if (path !== next) rmSync(path, { force: true });
  renameSync(next, file);
}
