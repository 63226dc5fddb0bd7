import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { systemClock } from "../../src/base/clock.ts";
import { toInside } from "../../src/base/jail.ts";
import { type LoadedSettings, loadSettings } from "../../src/config/load-settings.ts";
import { REPOSITORY_FILE, TRUST_FILE, USER_FILE } from "../../src/config/places.ts";
import { SETTING_NAMES, SETTINGS } from "../../src/config/settings.ts";
import { findPinnable } from "../../src/config/trust.ts";
import { toBookText } from "../../src/config/trust-book.ts";
import { makeFileEngine } from "../../src/engine/engine.ts";
import { makeRegistry } from "../../src/tools/registry.ts";
import { countFloors } from "../support/cpu-floors.ts";
import { hostileSettings } from "../support/hostile-settings.ts";
import { GIT_FILES, makeFolder } from "../support/temp-folder.ts";

const bounds = makeRegistry(makeFileEngine(systemClock));
/** Settings of a user who allows less than the defaults, so that undoing that would be visible. */
const MODEST_USER = `auto_tools: off
mode: plan
dry_run: true
tier_max: 0
budget: { wall_ms: 900, max_concurrency: 1, max_injected_chars: 500 }
repo_root: packages
exclude: [private/]
tools: { ci_search: { enabled: false, tier: 2, timeout_ms: 50, ceilings: { limit: 2 } } }
mcp_servers: { own: { command: own-mcp, tools: { find: { tier: 2, ceilings: { limit: 2 }, timeout_ms: 50 } } } }
`;

function makeRepository(): string {
  const root = makeFolder({ ...GIT_FILES, "packages/app/a.ts": "", "secrets/a.ts": "", [REPOSITORY_FILE]: "" });
  symlinkSync("/etc", join(root, "out"));
  symlinkSync("../secrets", join(root, "packages/in"));
  return root;
}

const root = makeRepository();
const homes = { "no settings of one's own": makeFolder(), "a modest user": makeFolder({ [USER_FILE]: MODEST_USER }) };

async function load(home: string, text: string | Buffer, at = root): Promise<LoadedSettings> {
  writeFileSync(join(at, REPOSITORY_FILE), text);
  const loaded = await loadSettings({ env: { HOME: home }, folder: at, bounds });
  if (!loaded.ok) throw new Error(loaded.fault.message);
  return loaded.value;
}

const RANKS = { off: 0, auto: 1, on: 2 };

/** Returns everything in which `now` allows more than `before`, by the test's own rules. */
function findWidened(now: LoadedSettings, before: LoadedSettings): string[] {
  const [a, b] = [now.settings, before.settings];
  const rules: Record<string, boolean> = {
    autoTools: RANKS[a.autoTools] <= RANKS[b.autoTools],
    mode: a.mode === "plan" || b.mode === "run",
    dryRun: a.dryRun || !b.dryRun,
    legacy: a.legacy === b.legacy,
    sessionMode: a.sessionMode === b.sessionMode,
    root: toInside(before.root.root, now.root.root) !== null,
    "root that is never read": !/\/(?:\.git|secrets|node_modules)(?:\/|$)/i.test(now.root.root),
    exclude:
      b.exclude.every((pattern, at) => a.exclude[at] === pattern) &&
      (b.exclude.length === 0 || !a.exclude.slice(b.exclude.length).some((pattern) => pattern.startsWith("!"))),
    servers: JSON.stringify(now.servers) === JSON.stringify(before.servers),
    "names of tools": [...now.tools.keys()].join() === [...before.tools.keys()].join(),
  };
  for (const name of ["tierMax", "wallMs", "maxConcurrency", "maxInjectedChars"] as const)
    rules[name] = Number.isInteger(a[name]) && a[name] >= 0 && a[name] <= b[name];
  for (const [name, rule] of before.tools) {
    const own = now.tools.get(name);
    rules[name] =
      own !== undefined &&
      (rule.enabled || !own.enabled) &&
      own.tier >= rule.tier &&
      own.timeoutMs > 0 &&
      own.timeoutMs <= rule.timeoutMs &&
      Object.keys(own.ceilings).join() === Object.keys(rule.ceilings).join() &&
      Object.entries(own.ceilings).every(([key, most]) => most > 0 && most <= (rule.ceilings[key] ?? 0));
  }
  return Object.keys(rules).filter((name) => rules[name] !== true);
}

const keys = SETTING_NAMES.flatMap((name) => [SETTINGS[name].key, ...SETTINGS[name].key.split(".")]);
const toolNames = bounds.map(({ name }) => name);
const key = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...keys, "tools", "<<", "__proto__", "constructor") },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme" }) },
);
const value = fc.oneof(
  fc.constantFrom<unknown>("on", "off", "auto", "run", "plan", "exec", true, false, null, "2", "1e9", "0x2", ""),
  fc.constantFrom<unknown>("..", ".", "/", "packages", "packages/app", "packages/in", "secrets", ".git", "out", "~"),
  fc.constantFrom<unknown>(-1, 0, 1, 2, 3, 4, 15, 16, 100, 900, 4_999, 5_000, 5_001, 10_000, 12_000, 60_000, 1e9, 1.5),
  fc.constantFrom<unknown>(Number.NaN, Number.POSITIVE_INFINITY, -0, Number.MAX_SAFE_INTEGER),
  fc.array(fc.constantFrom("a", "!a", "!private/", "private/", "**", "!**", "[", "\\", "**/**/**/a"), { maxLength: 4 }),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const toolRule = fc.dictionary(
  fc.constantFrom("enabled", "tier", "timeout_ms", "command", "limit"),
  fc.oneof(value, fc.dictionary(fc.constantFrom("limit", "depth", "top_k", "__proto__"), value)),
);
const rules = fc.dictionary(
  fc.constantFrom(...toolNames, "toString"),
  fc
    .tuple(toolRule, fc.dictionary(fc.constantFrom("limit", "depth", "top_k", "token_budget", "days"), value))
    .map(([rule, ceilings]) => ({ ...rule, ceilings })),
);
/** Values that the settings accept, so that files are valid and only their effect is tested. */
const fitting = fc.constantFrom(
  { auto_tools: "on" },
  { auto_tools: "auto" },
  { auto_tools: "off" },
  { mode: "run" },
  { mode: "plan" },
  { dry_run: false },
  { tier_max: 1 },
  { repo_root: "packages/app" },
  { repo_root: "." },
  { exclude: ["a", "!private/"] },
  { budget: { wall_ms: 10_000, max_concurrency: 16, max_injected_chars: 12_000 } },
  { budget: { wall_ms: 100, max_concurrency: 2, max_injected_chars: 10 } },
);
const mapping = fc
  .tuple(
    fc.dictionary(key, fc.oneof(value, fc.dictionary(key, value)), { maxKeys: 4 }),
    fc.array(fitting, { maxLength: 3 }),
    fc.option(rules, { nil: undefined }),
  )
  .map(([settings, fit, tools]) => Object.assign({ ...settings }, ...fit, tools === undefined ? {} : { tools }));
const written = fc.oneof(
  mapping.map((data) => stringify(data)),
  mapping.map((data) => JSON.stringify(data)),
  fc
    .array(
      fc.constantFrom(
        ...keys,
        "tools",
        "ci_impact",
        "tier",
        ": ",
        "2",
        "on",
        "\n",
        "\n  ",
        "- ",
        "&a ",
        "*a",
        "<<",
        "{",
        "}",
        "[",
        "]",
        ", ",
        "!!int ",
        '"',
        "---\n",
      ),
      { maxLength: 40 },
    )
    .map((pieces) => pieces.join("")),
);

describe.each(Object.entries(homes))("[decision 8] a repository's file never widens: %s", (_name, home) => {
  it("[ATO-CTL-5] [ATO-CTL-7] [ATO-CTL-9] whatever mapping it holds", async () => {
    const before = await load(home, "");
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(written, async (text) => {
        const now = await load(home, text);
        if (Object.values(now.origins).includes("repository file")) applied++;
        expect(findWidened(now, before)).toEqual([]);
      }),
      { numRuns: 600 },
    );
    // Files that are never applied would prove nothing.
    expect(applied).toBeGreaterThan(100);
  });

  it.each(hostileSettings)("[ATO-CTL-14] $name", async ({ text }) => {
    const before = await load(home, "");
    const spent = countFloors();
    const now = await load(home, text);
    expect(findWidened(now, before)).toEqual([]);
    expect(spent()).toBeLessThan(300);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

it("there are at least 60 different hostile files", () => {
  expect(new Set(hostileSettings.map(({ text }) => text.toString("latin1"))).size).toBeGreaterThanOrEqual(60);
});

it("[decision 8] [ATO-CTL-5] a trusted file stays within the limits of any file", async () => {
  const before = await load(homes["no settings of one's own"], "");
  const most = { tierMax: 1, wallMs: 10_000, maxConcurrency: 16, maxInjectedChars: 12_000, autoTools: "on" } as const;
  const limit = { ...before, settings: { ...before.settings, ...most } };
  const home = makeFolder();
  mkdirSync(join(home, ".groundwork"), { mode: 0o700 });
  let widened = 0;
  await fc.assert(
    fc.asyncProperty(written, async (text) => {
      writeFileSync(join(root, REPOSITORY_FILE), text);
      const files = findPinnable(root).files;
      writeFileSync(join(home, TRUST_FILE), toBookText([{ root, files, at: "2026-11-15T10:15:00Z" }]), { mode: 0o600 });
      const now = await load(home, text);
      expect(now.fault === null ? now.trust?.kind : "trusted").toBe("trusted");
      expect(findWidened(now, limit)).toEqual([]);
      if (findWidened(now, before).length > 0) widened++;
    }),
    { numRuns: 300 },
  );
  expect(widened).toBeGreaterThan(10);
});
