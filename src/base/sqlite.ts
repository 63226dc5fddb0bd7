import { createRequire } from "node:module";
import { join } from "node:path";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";
import { once } from "./once.ts";

/** A connection to one database. */
export type Database = DatabaseSyncInstance;

/**
 * The database itself. Loaded when the first file is opened: most prompts open none, and without it everything but the
 * index still works.
 */
const loadSqlite = once(
  () =>
    createRequire(join(import.meta.dirname, "index.js"))(
      "@photostructure/sqlite",
    ) as typeof import("@photostructure/sqlite"),
);

/** Opens a database file. Contract: throws where that is not possible. */
export function openDatabase(
  file: string,
  options: { readonly readOnly?: boolean; readonly timeout?: number } = {},
): Database {
  return new (loadSqlite().DatabaseSync)(file, options);
}
