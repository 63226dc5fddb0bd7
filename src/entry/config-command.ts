import type { OptionsOf } from "../adapters/cli/commands/table.ts";
import { explainConfig, printConfig } from "../adapters/cli/config-explain.ts";
import { systemClock } from "../base/clock.ts";
import { loadSettings } from "../config/load-settings.ts";
import { findHome } from "../config/places.ts";
import { judgeTrust } from "../config/trust.ts";
import { FAULTS } from "../contract/faults.ts";
import { makeFileEngine } from "../engine/engine.ts";
import { makeRegistry } from "../tools/registry.ts";
import { failed, misuse, type Printed, printedJson } from "./printed.ts";
import { namedFolder } from "./process.ts";
import { screenOf } from "./screen.ts";

/** `groundwork config explain`: prints every setting, its value and its origin. */
export async function explainSettings(words: readonly string[], options: OptionsOf<"config">): Promise<Printed> {
  if (words.length !== 1 || words[0] !== "explain")
    return misuse('config knows one command: "config explain"', "config");
  const folder = namedFolder(options.repo);
  const loaded = await loadSettings({ env: process.env, folder, bounds: makeRegistry(makeFileEngine(systemClock)) });
  if (!loaded.ok) return failed(loaded.fault);
  const { top, trust: found } = loaded.value;
  // A repository without a settings file may still have other trusted files.
  const trust = found ?? judgeTrust(findHome(process.env), top);
  const exitCode = loaded.value.fault === null ? 0 : FAULTS.E_CONFIG.exit;
  return options.json === true
    ? printedJson(explainConfig(loaded.value, trust, process.env), exitCode)
    : { text: printConfig(loaded.value, trust, process.env, screenOf(options)), exitCode };
}
