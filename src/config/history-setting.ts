import type { Environment } from "../base/environment.ts";
import { findHome, REPOSITORY_FILE, USER_FILE } from "./places.ts";
import { SETTINGS, type Settings } from "./settings.ts";
import { readSmallFile, whyUnread } from "./small-file.ts";

type Kept = Settings["history"];

const ORDER: readonly Kept[] = ["off", "no-prompts", "full"];
/** The line that makes the setting. */
const LINE = /^history[ \t]*:[ \t]*["']?(full|no-prompts|off)["']?[ \t]*(?:#.*)?\r?$/m;

/**
 * What may be kept of a run whose settings nobody has read, because reading YAML takes longer than the run itself or
 * because they cannot be read. Contract: never more than the settings themselves allow; a file that speaks of a history
 * in any other way than in a line of its own allows nothing; never throws.
 */
export function readHistorySetting(env: Environment, root: string): Kept {
  const said = env[SETTINGS.history.env]?.trim() ?? "";
  if (said !== "") return SETTINGS.history.accepts(said) ? said : "off";
  const home = findHome(env);
  const own = home === null ? "full" : readLine(home, USER_FILE);
  const theirs = root === "" ? "full" : readLine(root, REPOSITORY_FILE);
  return ORDER[Math.min(ORDER.indexOf(own), ORDER.indexOf(theirs))] ?? "off";
}

function readLine(folder: string, path: string): Kept {
  const file = readSmallFile(folder, path);
  if (file === null) return whyUnread(folder, path) === null ? "full" : "off";
  const text = Buffer.from(file.bytes).toString("utf8");
  if (!/history(?!_)/i.test(text.replace(/^[ \t]*#.*$/gm, ""))) return "full";
  return (LINE.exec(text)?.[1] as Kept | undefined) ?? "off";
}
