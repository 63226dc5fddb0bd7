import { resolve } from "node:path";
import type { OptionsOf } from "../adapters/cli/commands/table.ts";
import { explainOff, explainOn, printOff, printOn } from "../adapters/cli/off.ts";
import { systemClock } from "../base/clock.ts";
import { DURATION_FORM, parseDuration } from "../base/duration.ts";
import { findRepoRoot, toRealFolder } from "../base/repo-root.ts";
import { loadSettings } from "../config/load-settings.ts";
import { findHome, OFF_FILE } from "../config/places.ts";
import { SETTINGS } from "../config/settings.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { type OffRequest, recordOff, recordOn } from "../install/record-off.ts";
import { failed, misuse, type Printed, printedJson } from "./printed.ts";
import { workingFolder } from "./process.ts";

/** `groundwork off`: switches automatic runs off, everywhere or in one repository, temporarily or permanently. */
export async function switchOff(words: readonly string[], options: OptionsOf<"off">): Promise<Printed> {
  if (words.length > 0) return misuse("off takes no arguments; --repo DIR names a repository", "off");
  const forMs = options.for === undefined ? null : parseDuration(options.for);
  if (options.for !== undefined && forMs === null) return misuse(`--for takes a time such as ${DURATION_FORM}`, "off");
  const request = toRequest(options);
  if (!request.ok) return failed(request.fault);
  const { root } = request.value;
  const done = recordOff(request.value, forMs);
  if (!done.ok) return failed(done.fault);
  const until = done.value.entries.find((entry) => entry.root === root)?.until ?? null;
  return print(options, explainOff({ root, until }), printOff({ root, until }, forMs));
}

/** `groundwork on`: reverts that, and reports what else keeps it off. */
export async function switchOn(words: readonly string[], options: OptionsOf<"off">): Promise<Printed> {
  if (words.length > 0) return misuse("on takes no arguments; --repo DIR names a repository", "on");
  const request = toRequest(options);
  if (!request.ok) return failed(request.fault);
  const { root } = request.value;
  const done = recordOn(request.value);
  if (!done.ok) return failed(done.fault);
  const { wasOff, entries } = done.value;
  const report = { root, wasOff, left: entries, keptOffBy: await findOtherSwitch(root ?? workingFolder()) };
  return print(options, explainOn(report), printOn(report));
}

/** Describes the setting other than `groundwork off` that switches it off in a folder; null if there is none. */
async function findOtherSwitch(folder: string): Promise<string | null> {
  const loaded = await loadSettings({ env: process.env, folder, bounds: [] });
  if (!loaded.ok || loaded.value.settings.autoTools !== "off" || loaded.value.off !== null) return null;
  const origin = loaded.value.origins.autoTools;
  return origin === "environment" ? `${SETTINGS.autoTools.env}=off` : `${SETTINGS.autoTools.key}: off in the ${origin}`;
}

function toRequest({ repo }: OptionsOf<"off">): Outcome<OffRequest> {
  const home = findHome(process.env);
  if (home === null)
    return fail("E_CONFIG", `HOME names no folder, so there is no ~/${OFF_FILE}`, "set HOME to your home folder");
  const nowMs = systemClock.nowMs();
  if (repo === undefined) return succeed({ home, root: null, nowMs });
  // Without a value, `--repo` means the current repository; a deleted one can still be switched on.
  const named = repo === "" ? workingFolder() : resolve(repo);
  const folder = toRealFolder(named);
  return succeed({ home, root: folder === null ? named : findRepoRoot(folder).root, nowMs });
}

function print({ json }: OptionsOf<"off">, data: unknown, text: string): Printed {
  return json === true ? printedJson(data) : { text, exitCode: 0 };
}
