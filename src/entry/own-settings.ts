import type { Environment } from "../base/environment.ts";
import { type LoadedSettings, loadSettings } from "../config/load-settings.ts";
import type { Settings } from "../config/settings.ts";
import type { Outcome } from "../contract/faults.ts";

/** The user's own settings, which no repository can influence. Contract: as `loadSettings`. */
export function loadUserSettings(env: Environment): Promise<Outcome<LoadedSettings>> {
  return loadSettings({ env: { ...env, CI_AUTO_TOOLS_REPO_ROOT: "" }, folder: "/", bounds: [] });
}

/** Returns the user's own settings; null if they cannot be read. */
export async function readUserSettings(env: Environment): Promise<Settings | null> {
  const loaded = await loadUserSettings(env);
  return loaded.ok && loaded.value.fault === null ? loaded.value.settings : null;
}
