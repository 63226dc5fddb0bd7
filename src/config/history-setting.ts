import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { findHome, REPOSITORY_FILE, USER_FILE } from "./places.ts";
import { readSmallFile } from "./small-file.ts";

/**
 * How much of a run is kept, from nothing to everything. Defined here and imported by the settings table, which is
 * large.
 */
export const HISTORY_CHOICES = ["off", "no-prompts", "full"] as const;
type HistoryChoice = (typeof HISTORY_CHOICES)[number];
/** Environment variable that overrides every file. */
export const HISTORY_VARIABLE = "GROUNDWORK_HISTORY";

/** Matches the line that makes the setting. */
const LINE = /^history[ \t]*:[ \t]*["']?(full|no-prompts|off)["']?[ \t]*(?:#.*)?\r?$/m;

/**
 * Returns what may be kept of a run whose settings have not been read, because parsing YAML takes longer than the run
 * itself, or because they cannot be read. Contract: never more than the settings themselves allow; a file that mentions
 * `history` in any form other than a line of its own allows nothing; never throws.
 */
export function readHistorySetting(env: Environment, root: string): HistoryChoice {
  const said = env[HISTORY_VARIABLE]?.trim() ?? "";
  if (said !== "") return HISTORY_CHOICES.find((choice) => choice === said) ?? "off";
  const home = findHome(env);
  const own = home === null ? "full" : readLine(home, USER_FILE);
  const theirs = root === "" ? "full" : readLine(root, REPOSITORY_FILE);
  return HISTORY_CHOICES[Math.min(HISTORY_CHOICES.indexOf(own), HISTORY_CHOICES.indexOf(theirs))] ?? "off";
}

function readLine(folder: string, path: string): HistoryChoice {
  // Most repositories have no such file: checking first is cheaper than a failing read.
  if (!isThere(join(folder, path))) return "full";
  const file = readSmallFile(folder, path);
  if (file === null) return "off";
  const text = file.bytes.toString("utf8");
  if (!/history(?!_)/i.test(text.replace(/^[ \t]*#.*$/gm, ""))) return "full";
  return (LINE.exec(text)?.[1] as HistoryChoice | undefined) ?? "off";
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // An entry that cannot be accessed may contain any setting.
    return true;
  }
}
