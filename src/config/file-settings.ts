import { resolve } from "node:path";
import { findNearest } from "../base/edit-distance.ts";
import { toInside } from "../base/jail.ts";
import { isExcludedPath, isSensitivePath } from "../base/path-rules.ts";
import { type RepoRoot, toRealFolder } from "../base/repo-root.ts";
import { LIMITS, type Limit } from "../contract/limits.ts";
import { type McpServer, readServers, SERVERS_KEY, toExternalName } from "./mcp-servers.ts";
import { SETTING_NAMES, SETTINGS, type SettingRow, type Settings, type ToolBounds, type ToolRule } from "./settings.ts";
import type { YamlValue } from "./yaml-file.ts";

/** Source of a value. */
export type Origin =
  | "default"
  | "user file"
  | "repository file"
  | "repository file (trusted)"
  | "environment"
  | "prompt"
  | `groundwork off${string}`;

/** Settings being assembled: values, their origins, and what was rejected so far. */
export interface SettingsDraft {
  readonly values: Settings;
  readonly origins: Record<keyof Settings, Origin>;
  readonly tools: Map<string, ToolRule>;
  /** Servers by name. */
  readonly servers: Map<string, McpServer>;
  readonly limits: Limit[];
  /** True once a file has requested tier 2, which only the environment can enable. */
  wantsTier2: boolean;
}

/** A settings file. */
export interface SettingsFile {
  /** Its name in limits. */
  readonly name: string;
  /** A repository's file may only restrict; once trusted, it counts like the user's own. */
  readonly origin: "user file" | "repository file" | "repository file (trusted)";
  readonly content: Map<string, YamlValue>;
}

const TOOL_KEYS = ["enabled", "tier", "timeout_ms", "ceilings"];

/** Returns a draft with the default values. */
export function makeDraft(bounds: readonly ToolBounds[]): SettingsDraft {
  const values = Object.fromEntries(
    SETTING_NAMES.map((name) => [name, SETTINGS[name].fallback]),
  ) as unknown as Settings;
  const origins = Object.fromEntries(SETTING_NAMES.map((name) => [name, "default"])) as Record<keyof Settings, Origin>;
  const tools = new Map(
    bounds.map(({ name, tier, timeoutMs, ceilings }) => [name, { enabled: true, tier, timeoutMs, ceilings }] as const),
  );
  return { values, origins, tools, servers: new Map(), limits: [], wantsTier2: false };
}

/** Sets a value and records its origin. */
export function setValue<K extends keyof Settings>(draft: SettingsDraft, name: K, value: Settings[K], origin: Origin) {
  draft.values[name] = value;
  draft.origins[name] = origin;
}

/**
 * Applies a settings file. Contract: an untrusted repository file can only restrict, and no file raises the limits of a
 * tool; a setting that the file may not make, an unknown key or a value of the wrong type is ignored and reported as a
 * limit.
 */
function applyFile(draft: SettingsDraft, file: SettingsFile): void {
  draft.wantsTier2 ||= asksForTier2(file.content);
  const known = new Map(SETTING_NAMES.map((name) => [SETTINGS[name].key, name] as const));
  for (const [key, value] of flatten(file.content)) {
    const name = known.get(key);
    if (name !== undefined) applySetting(draft, file, name, value);
    else if (!isTierKey(key.split(".")))
      draft.limits.push(LIMITS.settingUnknown(file.name, key, findNearest(key, [...known.keys(), SERVERS_KEY])));
  }
  const servers = file.content.get(SERVERS_KEY);
  if (servers !== undefined && servers !== null) applyServers(draft, file, servers);
  const tools = file.content.get("tools");
  if (tools instanceof Map) for (const [name, rule] of tools) applyToolRule(draft, file, String(name), rule);
}

function applySetting<K extends keyof Settings>(draft: SettingsDraft, file: SettingsFile, name: K, value: YamlValue) {
  const row: SettingRow<Settings[K]> = SETTINGS[name];
  if (row.narrows === null) {
    draft.limits.push(LIMITS.settingNotHere(file.name, row.key, row.env));
    return;
  }
  const accepts = row.acceptsInFile ?? row.accepts;
  if (!accepts(value)) {
    if (name !== "tierMax" || !opensTier2(value)) {
      draft.limits.push(LIMITS.settingInvalid(file.name, row.key, row.accepted));
    }
    return;
  }
  if (file.origin === "repository file" && !row.narrows(value, draft.values[name])) {
    draft.limits.push(LIMITS.settingWidens(file.name, row.key));
    return;
  }
  const added = name === "exclude" ? (addExclusions(draft, file, value as string[]) as unknown) : value;
  setValue(draft, name, added as Settings[K], file.origin);
}

/** Lists accumulate. A `!` pattern cancels earlier ones, so a repository may not add one after the user's patterns. */
function addExclusions(draft: SettingsDraft, file: SettingsFile, patterns: readonly string[]): string[] {
  const { exclude } = draft.values;
  const isBound = file.origin === "repository file" && exclude.length > 0;
  const kept = patterns.filter((pattern) => !isBound || !pattern.startsWith("!"));
  if (kept.length < patterns.length) draft.limits.push(LIMITS.settingWidens(file.name, `${SETTINGS.exclude.key} !…`));
  return [...exclude, ...kept];
}

/** Servers are programs to run and addresses to send to: accepted only from the user or a trusted repository. */
function applyServers(draft: SettingsDraft, file: SettingsFile, value: YamlValue): void {
  if (file.origin === "repository file") {
    draft.limits.push(LIMITS.settingWidens(file.name, SERVERS_KEY));
    return;
  }
  for (const server of readServers(value, file.name, draft.limits)) {
    if (draft.servers.has(server.name)) {
      draft.limits.push(LIMITS.serverTaken(file.name, `${SERVERS_KEY}.${server.name}`));
      continue;
    }
    draft.servers.set(server.name, server);
    for (const [tool, { tier, timeoutMs, ceilings }] of server.tools)
      draft.tools.set(toExternalName(server.name, tool), { enabled: true, tier, timeoutMs, ceilings });
  }
}

function applyToolRule(draft: SettingsDraft, file: SettingsFile, name: string, rule: YamlValue): void {
  const current = draft.tools.get(name);
  if (current === undefined || !(rule instanceof Map)) {
    draft.limits.push(LIMITS.settingUnknown(file.name, `tools.${name}`, findNearest(name, [...draft.tools.keys()])));
    return;
  }
  const toLimit = file.origin === "repository file" ? LIMITS.settingWidens : LIMITS.toolRaises;
  const refuse = (key: string) => draft.limits.push(toLimit(file.name, `tools.${name}.${key}`));
  const next = { ...current, ceilings: { ...current.ceilings } };
  for (const [key, value] of rule) {
    if (key === "enabled" && typeof value === "boolean") next.enabled = next.enabled && value;
    else if (key === "tier" && isWhole(value) && value >= next.tier) next.tier = value;
    else if (key === "tier" && next.tier === DEEP_TIER) draft.wantsTier2 = true;
    else if (key === "timeout_ms" && isWhole(value) && value > 0 && value <= next.timeoutMs) next.timeoutMs = value;
    else if (key === "ceilings" && value instanceof Map) {
      for (const [input, most] of value) {
        const ceiling = next.ceilings[input];
        if (ceiling !== undefined && isWhole(most) && most > 0 && most <= ceiling) next.ceilings[input] = most;
        else refuse(`ceilings.${input}`);
      }
    } else if (TOOL_KEYS.includes(key)) refuse(key);
    else draft.limits.push(LIMITS.settingUnknown(file.name, `tools.${name}.${key}`, findNearest(key, TOOL_KEYS)));
  }
  draft.tools.set(name, next);
}

function isWhole(value: YamlValue): value is number {
  return typeof value === "number" && Number.isInteger(value);
}

/** Keys of one or two levels, joined by dots; tools and servers are handled separately. */
function* flatten(content: Map<string, YamlValue>): Generator<[string, YamlValue]> {
  for (const [key, value] of content) {
    if (key === "tools" || key === SERVERS_KEY) continue;
    if (value instanceof Map) for (const [inner, item] of value) yield [`${key}.${inner}`, item];
    else yield [String(key), value];
  }
}

/** The tier that only the environment can enable. */
const DEEP_TIER = 2;

/** `tier_max`, `tiers.max`, `limits.max_tier`, `enable_tier2`: keys about the maximum tier, under any name. */
function isTierKey(keys: readonly string[]): boolean {
  return /tiers?(?:max|2|two|$)|(?:max|highest|allowed|deep)\w{0,12}tier/.test(
    keys
      .join("")
      .toLowerCase()
      .replace(/[^a-z0-9]/g, ""),
  );
}

/**
 * True for a value that would enable tier 2 under such a key: 2 or more, a switch that is on, or a list that contains
 * one of these.
 */
function opensTier2(value: YamlValue): boolean {
  if (Array.isArray(value)) return value.some(opensTier2);
  if (typeof value === "boolean") return value;
  return Number(value) >= DEEP_TIER || /^(?:on|yes|true|enabled?|all|deep|tier[-_ ]?2)$/i.test(String(value));
}

/** True if the file requests tier 2, in any wording and nesting; settings of single tools are checked elsewhere. */
function asksForTier2(content: Map<string, YamlValue>, above: readonly string[] = []): boolean {
  for (const [key, value] of content) {
    const keys = [...above, String(key)];
    if (above.length === 0 && (key === "tools" || key === SERVERS_KEY)) continue;
    if (value instanceof Map ? asksForTier2(value, keys) : isTierKey(keys) && opensTier2(value)) return true;
    if (value === 1 && /tier\W?(?:2|two)/i.test(String(key))) return true;
  }
  return false;
}

/**
 * Applies a settings file including its root, and returns the resulting root. Contract: `repo_root` must be a folder
 * inside `base` that is neither sensitive nor excluded (below such a folder, its rules would no longer match); for a
 * file that may only restrict, it must also be inside `current`. Anything else leaves the root unchanged and is
 * reported as a limit.
 */
export function applyFileWithRoot(
  draft: SettingsDraft,
  file: SettingsFile,
  { base, current }: { readonly base: RepoRoot; readonly current: RepoRoot },
): RepoRoot {
  const before = [draft.values.repoRoot, draft.origins.repoRoot] as const;
  applyFile(draft, file);
  const wanted = draft.values.repoRoot;
  if (base.source === "env" || wanted === before[0]) return current;
  const refuse = (limit: Limit): RepoRoot => {
    draft.limits.push(limit);
    setValue(draft, "repoRoot", ...before);
    return current;
  };
  const named = `${SETTINGS.repoRoot.key}: ${wanted}`;
  const real = toRealFolder(resolve(base.root, wanted));
  if (real === null) return refuse(LIMITS.pathRefused(`${named} is not a folder`));
  const inside = toInside(base.root, real);
  if (inside === null) return refuse(LIMITS.pathOutside(named));
  if (inside !== "" && (isSensitivePath(inside) || isExcludedPath(inside)))
    return refuse(LIMITS.pathRefused(`${named} is a place that is never read`));
  if (file.origin === "repository file" && toInside(current.root, real) === null)
    return refuse(LIMITS.pathRefused(`${named} is outside your own ${SETTINGS.repoRoot.key}`));
  return { root: real, source: "config" };
}
