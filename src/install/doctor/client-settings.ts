import { statSync } from "node:fs";
import { join } from "node:path";
import { getNodeValue } from "jsonc-parser";
import { findRepoRoot, toRealFolder } from "../../base/repo-root.ts";
import { isRecord } from "../../base/text.ts";
import { CLIENTS, type ClientId } from "../../contract/clients.ts";
import { type Outcome, succeed } from "../../contract/faults.ts";
import { isOurCommand } from "../clients/our-commands.ts";
import { CLIENT_INSTALLS } from "../clients/table.ts";
import { parseSettings } from "../edit/settings-text.ts";
import { parseToml } from "../edit/toml-text.ts";
import { readFileState, unreadable } from "../file-state.ts";

/** A file from which a client reads its hooks. */
export interface ClientSettings {
  readonly path: string;
  /** Empty if there is no such file; a fault if it cannot be read or parsed. */
  readonly data: Outcome<Readonly<Record<string, unknown>>>;
}

const MAX_BYTES = 4 * 1024 * 1024;

/** Reads all files from which a client takes hooks. Contract: never throws; never blocks. */
export function readClientSettings(client: ClientId, folder: string, workFolder: string): ClientSettings[] {
  const real = toRealFolder(workFolder);
  const repository = real === null ? workFolder : findRepoRoot(real).root;
  const { hookFiles } = CLIENT_INSTALLS[client];
  const paths = [
    ...hookFiles.own.map((name) => join(folder, name)),
    ...hookFiles.repository.map((name) => join(repository, name)),
  ];
  return [...new Set(paths)].map((path) => ({ path, data: readData(client, path) }));
}

function readData(client: ClientId, path: string): Outcome<Readonly<Record<string, unknown>>> {
  if (sizeOf(path) > MAX_BYTES) return unreadable(path, `is larger than ${MAX_BYTES} bytes`);
  const file = readFileState(path);
  if (file.kind === "absent") return succeed({});
  if (file.kind === "blocked") return unreadable(path, file.why);
  if (path.endsWith(".toml")) {
    const toml = parseToml(path, file.bytes);
    return toml.ok ? succeed(toml.value.data) : toml;
  }
  const settings = parseSettings(path, file.bytes, [CLIENTS[client].event]);
  if (!settings.ok) return settings;
  const value: unknown = settings.value.root === null ? {} : getNodeValue(settings.value.root);
  return succeed(isRecord(value) ? value : {});
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    // The reader of the file reports why it cannot be read.
    return 0;
  }
}

/** Returns our commands for a client's prompts in one of its files. */
export function findOurCommands(client: ClientId, { data }: ClientSettings): string[] {
  const hooks = data.ok ? data.value["hooks"] : null;
  const { event } = CLIENTS[client];
  // Kimi Code has one list of hooks that name their events; the others have a list per event.
  const own = Array.isArray(hooks)
    ? hooks.filter((hook) => isRecord(hook) && hook["event"] === event)
    : isRecord(hooks)
      ? hooks[event]
      : [];
  return commandsIn(own, 0).filter(isOurCommand);
}

function commandsIn(value: unknown, depth: number): string[] {
  if (depth > 8) return [];
  if (Array.isArray(value)) return value.flatMap((item) => commandsIn(item, depth + 1));
  if (!isRecord(value)) return [];
  const own = [value["command"], value["bash"]].filter((text) => typeof text === "string");
  return [...own, ...commandsIn(value["hooks"], depth + 1)];
}

/** Returns plugins of ours that a file enables: `groundwork@…`. */
export function findOurPlugins({ data }: ClientSettings): string[] {
  if (!data.ok) return [];
  const lists = [data.value["enabledPlugins"], data.value["plugins"]].filter(isRecord);
  return lists.flatMap((list) =>
    Object.entries(list).flatMap(([name, state]) => {
      const isOn = isRecord(state) ? state["enabled"] !== false : state === true;
      return isOn && /^groundwork(?:-context)?@/.test(name) ? [name] : [];
    }),
  );
}

/** Returns the setting that keeps the client from running hooks; empty if there is none. */
export function findSwitchOff({ data }: ClientSettings): string {
  if (!data.ok) return "";
  const { disableAllHooks, features, hooksConfig } = data.value;
  if (disableAllHooks === true) return "disableAllHooks is true";
  if (isRecord(hooksConfig) && hooksConfig["enabled"] === false) return "hooksConfig.enabled is false";
  // The second is its name in older versions of Codex.
  const feature = isRecord(features) ? ["hooks", "codex_hooks"].find((name) => features[name] === false) : undefined;
  return feature === undefined ? "" : `features.${feature} is false`;
}
