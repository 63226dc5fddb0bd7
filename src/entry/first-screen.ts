import { printFirstScreen, type RepositoryState } from "../adapters/cli/first-screen.ts";
import { toRealFolder } from "../base/repo-root.ts";
import { type LoadedSettings, loadSettings } from "../config/load-settings.ts";
import { findHome } from "../config/places.ts";
import { readRunning, residentFolder } from "../config/resident-place.ts";
import { SETTINGS } from "../config/settings.ts";
import { CLIENTS } from "../contract/clients.ts";
import { findClients, findOurEntries, locateFiles } from "../install/clients/find-clients.ts";
import { findOurPlugins, readClientSettings } from "../install/doctor/client-settings.ts";
import { readInstalledHook } from "../install/doctor/installed-hook.ts";
import { indexFolderOf, makeDoorEngine } from "./engine.ts";
import type { Printed } from "./printed.ts";
import { workingFolder } from "./process.ts";
import { screenOf } from "./screen.ts";
import { VERSION } from "./version.ts";

/**
 * `groundwork` without arguments: shows the current state, and what to do next. Contract: only reads, starts nothing.
 */
export async function showState(options: { readonly color?: string | undefined }): Promise<Printed> {
  const folder = toRealFolder(workingFolder());
  const loaded = folder === null ? null : await loadSettings({ env: process.env, folder, bounds: [] });
  const settings = loaded?.ok === true ? loaded.value : null;
  const state: RepositoryState = {
    version: VERSION,
    root: settings?.root.root ?? folder,
    isRepository: settings !== null && settings.root.source !== "no-git-root",
    off: settings === null ? null : findSwitch(settings),
    fault: whyUnread(loaded),
    index: settings === null ? { kind: "none", files: 0 } : lookAtIndex(settings),
    ...lookAtClients(folder ?? "/"),
    resident: settings?.settings.resident === "off" ? "off" : lookAtResident(),
  };
  return { text: printFirstScreen(state, screenOf(options)), exitCode: 0 };
}

function findSwitch({ settings, origins, off }: LoadedSettings): RepositoryState["off"] {
  if (settings.autoTools !== "off") return null;
  if (off !== null) return { why: origins.autoTools, undo: `groundwork on${off.root === null ? "" : " --repo"}` };
  const { env, key } = SETTINGS.autoTools;
  return origins.autoTools === "environment"
    ? { why: `${env}=off in the environment`, undo: `unset ${env}` }
    : { why: `${key}: off, by the ${origins.autoTools}`, undo: "groundwork config explain" };
}

function whyUnread(loaded: Awaited<ReturnType<typeof loadSettings>> | null): string {
  if (loaded === null) return "";
  const fault = loaded.ok ? loaded.value.fault : loaded.fault;
  return fault?.message ?? "";
}

function lookAtIndex({ settings, root: { root } }: LoadedSettings): RepositoryState["index"] {
  if (settings.index !== "auto") return { kind: "off", files: 0 };
  if (indexFolderOf(process.env, root) === null) return { kind: "no place", files: 0 };
  const engine = makeDoorEngine(process.env);
  // No check here takes long enough to need cancelling.
  const budget = { signal: new AbortController().signal, isExcluded: () => false, usesIndex: true };
  try {
    const state = engine.indexState(root, { ...budget, timeLeftMs: () => 1_000 });
    if (state !== null) return { kind: state.phase === "done" ? "ready" : "unfinished", files: state.files };
    const damage = engine.indexDamage(root, { ...budget, timeLeftMs: () => 1_000 });
    return { kind: damage === null ? "none" : "damaged", files: 0 };
  } finally {
    engine.close();
  }
}

/** Determines which clients have our hook, from their files alone. */
function lookAtClients(folder: string): Pick<RepositoryState, "hooked" | "unhooked"> {
  const { env } = process;
  const home = findHome(env);
  if (home === null) return { hooked: [], unhooked: [] };
  const found = findClients(home, env).map(({ client, program, hasFolder }) => {
    const files = locateFiles(client, home, env);
    const isHooked =
      readInstalledHook(files, findOurEntries(files)).command !== null ||
      readClientSettings(client, files.folder, folder).some((file) => findOurPlugins(file).length > 0);
    return { title: CLIENTS[client].title, isHooked, isHere: program !== null || hasFolder };
  });
  return {
    hooked: found.filter(({ isHooked }) => isHooked).map(({ title }) => title),
    unhooked: found.filter(({ isHooked, isHere }) => isHere && !isHooked).map(({ title }) => title),
  };
}

function lookAtResident(): RepositoryState["resident"] {
  const folder = residentFolder(process.env);
  return folder !== null && readRunning(folder) !== null ? "running" : "not running";
}
