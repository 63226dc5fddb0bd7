import { existsSync } from "node:fs";
import { join } from "node:path";
import type { IndexGlimpse, StatusParts } from "../adapters/hook/status-line.ts";
import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { findOff } from "../config/off-book.ts";
import { indexFolder } from "../config/places.ts";
import { SETTINGS } from "../config/settings.ts";
import { INDEX_FILES } from "../engine/store/database.ts";

/** Determines a repository's state from a few files. Contract: never throws; opens no database. */
export function glimpse(env: Environment, root: string): Omit<StatusParts, "files" | "last"> {
  const nowMs = systemClock.nowMs();
  const isOffByVariable = env[SETTINGS.autoTools.env] === "off";
  return { off: findOff(env, root, nowMs), isOffByVariable, index: glimpseIndex(env, root), nowMs };
}

function glimpseIndex(env: Environment, root: string): IndexGlimpse {
  const folder = indexFolder(env, root);
  if (folder === null || !existsSync(join(folder, INDEX_FILES.database))) return "none";
  return existsSync(join(folder, INDEX_FILES.damage)) ? "damaged" : "ready";
}
