import { resolve } from "node:path";
import { readInside, resolveInside, toInside } from "../base/jail.ts";
import { findRepoRoot, type RepoRoot, toRealFolder } from "../base/repo-root.ts";
import { type Fault, fail, type Outcome, succeed } from "../contract/faults.ts";
import { LIMITS } from "../contract/limits.ts";
import { applyFile, makeDraft, type Origin, type SettingsDraft, setValue } from "./file-settings.ts";
import { homeFolder, REPOSITORY_FILE, USER_FILE } from "./places.ts";
import { SETTING_NAMES, SETTINGS, type SettingRow, type Settings, type ToolBounds, type ToolRule } from "./settings.ts";
import { readYamlMapping } from "./yaml-file.ts";

/** What loading needs from outside. */
export interface SettingsSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder in which the question was asked. */
  readonly folder: string;
  readonly bounds: readonly ToolBounds[];
}

/** All settings with their origins, the root they apply to, and what was refused. */
export interface LoadedSettings {
  readonly settings: Settings;
  readonly origins: Readonly<Record<keyof Settings, Origin>>;
  readonly tools: ReadonlyMap<string, ToolRule>;
  readonly root: RepoRoot;
  readonly limits: readonly string[];
  /** A file or root that cannot be used: nothing is to be injected, but the rest of the settings stands. */
  readonly fault: Fault | null;
}

/**
 * Hears all sources: defaults, then the user's file, then the repository's (narrowing only), then the environment.
 * Contract: never throws; a source that cannot be read is a fault beside settings that still hold.
 */
export async function loadSettings(sources: SettingsSources): Promise<Outcome<LoadedSettings>> {
  const draft = makeDraft(sources.bounds);
  const base = findBase(sources);
  if (!base.ok) return base;
  const faults: Fault[] = [];
  const home = homeFolder(sources.env);
  const files = [
    {
      folder: home === null ? null : toRealFolder(home),
      path: USER_FILE,
      name: `~/${USER_FILE}`,
      origin: "user file",
    },
    { folder: base.value.root, path: REPOSITORY_FILE, name: REPOSITORY_FILE, origin: "repository file" },
  ] as const;
  for (const { folder, path, name, origin } of files) {
    if (folder === null) continue;
    const content = await readYamlMapping(folder, path);
    if (!content.ok) faults.push(content.fault);
    else if (content.value !== null) applyFile(draft, { name, origin, content: content.value }, sources.bounds);
  }
  if (hasDevbooksSettings(base.value.root)) draft.limits.push(LIMITS.devbooks());
  applyEnvironment(draft, sources.env);
  const root = applyRootSetting(draft, base.value);
  if (root.source === "no-git-root") draft.limits.push(LIMITS.noGitRoot());
  return succeed({
    settings: draft.values,
    origins: draft.origins,
    tools: draft.tools,
    root,
    limits: draft.limits,
    fault: faults[0] ?? null,
  });
}

/** The root that decides where the repository's file lies: the environment's, else git's, else the folder itself. */
function findBase(sources: SettingsSources): Outcome<RepoRoot> {
  const wanted = sources.env[SETTINGS.repoRoot.env];
  if (wanted === undefined || wanted === "") {
    const folder = toRealFolder(sources.folder);
    if (folder === null) return fail("E_REPO_ROOT", `${sources.folder || "the current folder"} is not a folder`);
    return succeed(findRepoRoot(folder));
  }
  const root = toRealFolder(wanted);
  if (root !== null) return succeed({ root, source: "env" });
  return fail(
    "E_CONFIG",
    `${SETTINGS.repoRoot.env}: ${wanted} is not a folder`,
    "name an existing folder, or unset it",
  );
}

/** Applies a file's `repo_root`: a folder inside the base, else refused with a limit. */
function applyRootSetting(draft: SettingsDraft, base: RepoRoot): RepoRoot {
  const wanted = draft.values.repoRoot;
  if (base.source === "env" || wanted === "") return base;
  const real = toRealFolder(resolve(base.root, wanted));
  if (real !== null && toInside(base.root, real) !== null) return { root: real, source: "config" };
  draft.limits.push(LIMITS.pathOutside(`${SETTINGS.repoRoot.key}: ${wanted}`));
  setValue(draft, "repoRoot", SETTINGS.repoRoot.fallback, "default");
  return base;
}

function applyEnvironment(draft: SettingsDraft, env: SettingsSources["env"]): void {
  for (const name of SETTING_NAMES) {
    const raw = env[SETTINGS[name].env];
    if (SETTINGS[name].env !== "" && raw !== undefined && raw !== "") applyVariable(draft, name, raw);
  }
}

function applyVariable<K extends keyof Settings>(draft: SettingsDraft, name: K, raw: string): void {
  const row: SettingRow<Settings[K]> = SETTINGS[name];
  const value = toTyped(raw.trim(), row.fallback);
  if (row.accepts(value)) setValue(draft, name, value, "environment");
  else draft.limits.push(LIMITS.settingInvalid("environment", row.env, row.accepted));
}

function toTyped(raw: string, like: unknown): unknown {
  if (typeof like === "number") return /^\d{1,9}$/.test(raw) ? Number(raw) : raw;
  if (typeof like === "boolean") return { "1": true, true: true, "0": false, false: false }[raw.toLowerCase()] ?? raw;
  return raw;
}

const DEVBOOKS_FILE = ".devbooks/config.yaml";
const OUR_KEYS =
  /^[ \t]{0,16}(?:auto[_-]?tools?\w{0,20}|ci_auto_tools\w{0,20}|tier_max|wall_ms|max_injected_chars|max_concurrency)[ \t]{0,4}:/im;

function hasDevbooksSettings(root: string): boolean {
  const place = resolveInside(root, DEVBOOKS_FILE);
  if (!place.ok) return false;
  const file = readInside(root, place.value.real, 64 * 1024);
  return file.ok && file.value.text !== null && OUR_KEYS.test(file.value.text);
}
