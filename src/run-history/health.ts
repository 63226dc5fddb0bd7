import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { isOwnFolder } from "../base/file-facts.ts";
import { isBusy, openDatabase, sayDatabaseError } from "../base/sqlite.ts";
import { toCode } from "../base/text.ts";
import type { HistoryHealth } from "../contract/run-history.ts";
import { readSharing } from "./figure-book.ts";
import { listAside, STORE, STORE_VERSION } from "./store.ts";

/** Examines the history. Contract: never throws; read-only: neither repairs the store nor takes the spool. */
export function examineHistory(folder: string): HistoryHealth {
  const aside = listAside(folder).map((name) => join(folder, name));
  const found = { aside, bytes: countBytes(folder), writeTrouble: whyNotWritable(folder), sharing: null };
  const file = join(folder, STORE);
  if (!existsSync(file)) return { ...found, state: "none", runs: 0, why: "" };
  try {
    const database = openDatabase(file, { readOnly: true, timeout: 1_000 });
    try {
      const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
      if (version > STORE_VERSION) return { ...found, state: "newer", runs: 0, why: `version ${version}` };
      if (version === 0) return { ...found, state: "none", runs: 0, why: "" };
      const runs = Number(database.prepare("SELECT count(*) AS n FROM runs").get()?.["n"] ?? 0);
      // An older store is migrated the next time it is opened.
      const sharing = version === STORE_VERSION ? readSharing(database) : null;
      return { ...found, state: "readable", runs, why: "", sharing };
    } finally {
      database.close();
    }
  } catch (thrown) {
    const state = isBusy(thrown) ? "locked" : "damaged";
    return { ...found, state, runs: 0, why: sayDatabaseError(thrown) };
  }
}

function countBytes(folder: string): number {
  try {
    return readdirSync(folder)
      .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
      .reduce((all, size) => all + size, 0);
  } catch {
    return 0;
  }
}

/** Returns why nothing can be written to the folder; empty if it can, or if the folder does not exist yet. */
function whyNotWritable(folder: string): string {
  if (!existsSync(folder)) return "";
  if (!isOwnFolder(folder)) return "it is not a folder that belongs to you alone";
  try {
    accessSync(folder, constants.W_OK);
    if (existsSync(join(folder, STORE))) accessSync(join(folder, STORE), constants.W_OK);
    return "";
  } catch (thrown) {
    return toCode(thrown);
  }
}
