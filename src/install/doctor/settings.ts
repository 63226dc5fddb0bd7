import { findRepoRoot } from "../../base/repo-root.ts";
import { toOneLine } from "../../base/text.ts";
import { type LoadedSettings, loadSettings } from "../../config/load-settings.ts";
import { REPOSITORY_FILE, USER_FILE } from "../../config/places.ts";
import { SETTING_NAMES, SETTINGS, type ToolBounds } from "../../config/settings.ts";
import { whyUnread } from "../../config/small-file.ts";
import { isTelemetryOn, readTelemetry } from "../../config/telemetry.ts";
import { isWorthTrusting, planTrust } from "../../config/trust-plan.ts";
import { readYamlFile } from "../../config/yaml-file.ts";
import { toLimitTexts } from "../../contract/limits.ts";
import type { Examination } from "./examine.ts";
import { findSwitchesOff } from "./profiles.ts";
import { checkOf, type UngroupedCheck } from "./ungrouped-check.ts";
import type { World } from "./world.ts";

const GROUP = "settings";
const BROKEN = "settings-cannot-be-read";

/** Examines the settings: their files, changed values, what switches everything off, and what is not trusted. */
export function settingsExaminations(world: World, bounds: readonly ToolBounds[]): Examination[] {
  return [{ group: GROUP, name: "settings", limitMs: 5_000, look: () => lookAtSettings(world, bounds) }];
}

async function lookAtSettings(world: World, bounds: readonly ToolBounds[]): Promise<UngroupedCheck[]> {
  const { env, folder, home } = world;
  const loaded = await loadSettings({ env, folder, bounds });
  if (!loaded.ok) {
    const { message, hint = "name an existing folder" } = loaded.fault;
    return [checkOf("folder", "a folder").poor("fail", message, { text: hint, section: BROKEN })];
  }
  const { top } = loaded.value;
  return [
    ...(home === null ? [] : [await checkFile("your file", home, USER_FILE, `~/${USER_FILE}`)]),
    await checkFile("the repository's file", top, REPOSITORY_FILE, REPOSITORY_FILE),
    checkValues(loaded.value),
    ...checkSwitches(loaded.value, home),
    checkTelemetry(env),
    ...(home === null ? [] : [await checkTrust(home, top, bounds)]),
  ];
}

async function checkFile(name: string, folder: string, path: string, shown: string): Promise<UngroupedCheck> {
  const check = checkOf(name, "absent, or a mapping in YAML");
  const bad = (measured: string, text: string) => check.poor("fail", measured, { text, section: BROKEN });
  const unread = whyUnread(folder, path);
  if (unread !== null) return bad(`${shown}: ${unread}`, "make it a file that you can read, or move it away");
  const file = await readYamlFile(folder, path);
  if (!file.ok) return bad(file.fault.message, file.fault.hint ?? "fix it, or delete it");
  return check.fine(file.value === null ? "none" : `${shown} is read`);
}

/**
 * Limits left out here: a folder outside git needs no fix, and what a repository may not set is reported under "trust".
 */
const TOLD_ELSEWHERE: readonly string[] = ["noGitRoot", "settingWidens", "trustChanged", "trustDamaged"];

/** Values that differ from their defaults, with their origins. */
function checkValues({ settings, origins, limits }: LoadedSettings): UngroupedCheck {
  const changed = SETTING_NAMES.filter((name) => String(settings[name]) !== String(SETTINGS[name].fallback));
  const told = changed.map((name) => `${SETTINGS[name].key}: ${toOneLine(String(settings[name]))} (${origins[name]})`);
  const measured = told.join(", ") || "all at their defaults";
  const check = checkOf("values", "values that are accepted");
  const [refused] = toLimitTexts(limits.filter(({ code }) => !TOLD_ELSEWHERE.includes(code)));
  if (refused === undefined) return check.fine(measured);
  return check.poor("warn", refused, { text: 'see "groundwork config explain"', section: BROKEN });
}

function checkSwitches(loaded: LoadedSettings, home: string | null): UngroupedCheck[] {
  const { settings } = loaded;
  const check = checkOf("switch", "on");
  const inProfile = checkOf("shell profile", "no such line");
  const section = "it-is-switched-off";
  const isOff = settings.autoTools === "off";
  const variable = SETTINGS.autoTools.env;
  const { source, text } = sayOff(loaded);
  const profiles = (home === null ? [] : findSwitchesOff(home)).map(({ file, line }) =>
    inProfile.poor("warn", `~/${file}:${line} has ${variable}=off`, {
      text: "take the line out and open a new terminal",
      section,
    }),
  );
  const now = isOff ? check.poor("warn", source, { text, section }) : check.fine(settings.autoTools);
  return [now, ...profiles];
}

/** Returns what switches it off, and how to undo that. */
function sayOff({ origins: { autoTools: origin }, off }: LoadedSettings) {
  const { env: variable, key } = SETTINGS.autoTools;
  if (off !== null)
    return { source: `off, by "${origin}"`, text: `run "groundwork on${off.root === null ? "" : " --repo"}"` };
  if (origin === "environment") return { source: `${variable}=off in the environment`, text: `unset ${variable}` };
  return { source: `off, by the ${origin}`, text: `change ${key} there` };
}

/** Reports whether and where traces are sent. Contract: makes no request to find out whether they arrive. */
function checkTelemetry(env: World["env"]): UngroupedCheck {
  const check = checkOf("telemetry", "off, or an endpoint that can be used");
  if (!isTelemetryOn(env)) return check.fine("off");
  const target = readTelemetry(env);
  if (target.ok) return check.fine(`traces go to ${new URL(target.value.url).origin}`);
  const { message, hint = "see docs/telemetry.md" } = target.fault;
  return check.poor("warn", message, { text: hint, section: BROKEN });
}

async function checkTrust(home: string, top: string, bounds: readonly ToolBounds[]): Promise<UngroupedCheck> {
  const check = checkOf("trust", "nothing that waits for your decision");
  if (findRepoRoot(top).source !== "git") return check.fine("no repository");
  const plan = await planTrust(home, top, bounds);
  // Faults of the files are reported above.
  if (!plan.ok) return check.fine("nothing to trust");
  const { trust, changes, files } = plan.value;
  const section = "the-repository-wants-more";
  if (trust.kind === "damaged") return check.poor("fail", trust.why, { text: 'run "groundwork trust"', section });
  if (!isWorthTrusting(plan.value)) return check.fine("nothing to trust");
  if (trust.kind === "trusted") return check.fine(`trusted since ${trust.since}`);
  const wishes = changes.length > 0 ? changes.map(({ key }) => key) : files.map(({ path }) => path);
  const state = trust.kind === "changed" ? "changed since you trusted it" : "not trusted";
  const measured = `${state}; it wants ${toOneLine(wishes.join(", "))}`;
  const text = 'review it with "groundwork trust", which asks before it changes anything';
  return check.poor("warn", measured, { text, section });
}
