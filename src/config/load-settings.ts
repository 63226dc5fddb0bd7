import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { readInside, resolveInside } from "../base/jail.ts";
import { findRepoRoot, type RepoRoot, toRealFolder } from "../base/repo-root.ts";
import { type Fault, fail, type Outcome, succeed } from "../contract/faults.ts";
import { LIMITS, type Limit } from "../contract/limits.ts";
import {
  applyFileWithRoot,
  makeDraft,
  type Origin,
  type SettingsDraft,
  type SettingsFile,
  setValue,
} from "./file-settings.ts";
import type { McpServer } from "./mcp-servers.ts";
import { describeOff, findOff, type SwitchedOff } from "./off-book.ts";
import { findHome, REPOSITORY_FILE, USER_FILE } from "./places.ts";
import { fromVariable, SETTING_NAMES, SETTINGS, type Settings, type ToolBounds, type ToolRule } from "./settings.ts";
import { judgeTrust, type Trust } from "./trust.ts";
import { readYamlFile } from "./yaml-file.ts";

interface SettingsSources {
  readonly env: Environment;
  /** Folder from which the question was asked. */
  readonly folder: string;
  readonly bounds: readonly ToolBounds[];
  /** Current time, to determine whether `groundwork off` has expired; defaults to the system clock. */
  readonly nowMs?: number;
}

/** All settings with their origins, the root they apply to, and what was rejected. */
export interface LoadedSettings {
  readonly settings: Settings;
  readonly origins: Readonly<Record<keyof Settings, Origin>>;
  readonly tools: ReadonlyMap<string, ToolRule>;
  /** MCP servers listed by the user, or by a repository that the user trusts. */
  readonly servers: readonly McpServer[];
  readonly root: RepoRoot;
  /** The root before a file selected a subfolder; the repository's settings file is there. */
  readonly top: string;
  /** Trust status of the repository's file; null if there is no such file. */
  readonly trust: Trust | null;
  /** State of `groundwork off` for this root, which overrides every setting; null if it is not switched off. */
  readonly off: SwitchedOff | null;
  readonly limits: readonly Limit[];
  /** A file or root that cannot be used: nothing may be injected, but the other settings remain valid. */
  readonly fault: Fault | null;
}

/**
 * Combines all sources: defaults, then the user's file, then the repository's (which may only restrict, unless the user
 * trusts exactly these bytes), then the environment, then `groundwork off`. Contract: never throws; a source that
 * cannot be read is reported as a fault, and the other settings remain valid.
 */
export async function loadSettings(sources: SettingsSources): Promise<Outcome<LoadedSettings>> {
  const draft = makeDraft(sources.bounds);
  const base = findBase(sources);
  if (!base.ok) return base;
  const faults: Fault[] = [];
  let root = base.value;
  const apply = (name: string, origin: SettingsFile["origin"], content: SettingsFile["content"] | null) => {
    if (content === null) return;
    root = applyFileWithRoot(draft, { name, origin, content }, { base: base.value, current: root });
  };
  const home = findHome(sources.env);
  if (home !== null) {
    const file = await readYamlFile(home, USER_FILE);
    if (!file.ok) faults.push(file.fault);
    else if (file.value !== null) apply(`~/${USER_FILE}`, "user file", file.value.content);
  }
  let trust: Trust | null = null;
  const file = await readYamlFile(base.value.root, REPOSITORY_FILE);
  if (!file.ok) faults.push(file.fault);
  else if (file.value !== null) {
    trust = judgeTrust(home, base.value.root, [{ path: REPOSITORY_FILE, bytes: file.value.bytes }]);
    draft.limits.push(...toTrustLimits(trust));
    const origin = trust.kind === "trusted" ? "repository file (trusted)" : "repository file";
    apply(REPOSITORY_FILE, origin, file.value.content);
  }
  if (hasDevbooksSettings(base.value.root)) draft.limits.push(LIMITS.devbooks());
  applyEnvironment(draft, sources.env);
  const off = findOff(sources.env, base.value.root, sources.nowMs ?? systemClock.nowMs());
  if (off !== null) setValue(draft, "autoTools", "off", describeOff(off));
  if (draft.wantsTier2 && draft.values.tierMax < 2) draft.limits.push(LIMITS.tier2ConfigIgnored());
  if (root.source === "no-git-root") draft.limits.push(LIMITS.noGitRoot());
  return succeed({
    settings: draft.values,
    origins: draft.origins,
    tools: draft.tools,
    servers: [...draft.servers.values()],
    root,
    top: base.value.root,
    trust,
    off,
    limits: draft.limits,
    fault: faults[0] ?? null,
  });
}

/** Returns the state of `groundwork off` for a folder, without reading the settings. Contract: never throws. */
export function findOffIn({ env, folder }: Omit<SettingsSources, "bounds">): SwitchedOff | null {
  const base = findBase({ env, folder });
  return findOff(env, base.ok ? base.value.root : null, systemClock.nowMs());
}

/**
 * Returns the root that contains the repository's file: from the environment, otherwise from git, otherwise the folder
 * itself.
 */
function findBase(sources: Omit<SettingsSources, "bounds">): Outcome<RepoRoot> {
  const wanted = sources.env[SETTINGS.repoRoot.env];
  if (wanted === undefined || wanted === "") {
    const folder = toRealFolder(sources.folder);
    if (folder === null) return fail("E_REPO_ROOT", `${sources.folder || "the current folder"} is not a folder`);
    return succeed(findRepoRoot(folder));
  }
  const root = toRealFolder(wanted);
  if (root !== null) return succeed({ root, source: "env" });
  return fail(
    "E_REPO_ROOT",
    `${SETTINGS.repoRoot.env}: ${wanted} is not a folder`,
    "name an existing folder, or unset it",
  );
}

function toTrustLimits(trust: Trust): Limit[] {
  if (trust.kind === "changed") return [LIMITS.trustChanged()];
  return trust.kind === "damaged" ? [LIMITS.trustDamaged(trust.why)] : [];
}

function applyEnvironment(draft: SettingsDraft, env: Environment): void {
  for (const name of SETTING_NAMES) {
    const { env: variable, accepted } = SETTINGS[name];
    const value = fromVariable(env, name);
    if (value !== undefined) setValue(draft, name, value, "environment");
    else if (env[variable]) draft.limits.push(LIMITS.settingInvalid("environment", variable, accepted));
  }
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

/** The user's own settings, which no repository can influence. Contract: as `loadSettings`. */
export function loadUserSettings(env: Environment): Promise<Outcome<LoadedSettings>> {
  return loadSettings({ env: { ...env, CI_AUTO_TOOLS_REPO_ROOT: "" }, folder: "/", bounds: [] });
}

/** Returns the user's own settings; null if they cannot be read. */
export async function readUserSettings(env: Environment): Promise<Settings | null> {
  const loaded = await loadUserSettings(env);
  return loaded.ok && loaded.value.fault === null ? loaded.value.settings : null;
}
