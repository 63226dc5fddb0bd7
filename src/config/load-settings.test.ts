import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GIT_FILES, makeFolder } from "../../tests/support/temp-folder.ts";
import { toLimitTexts } from "../contract/limits.ts";
import { loadSettings } from "./load-settings.ts";
import { REPOSITORY_FILE, TRUST_FILE, USER_FILE } from "./places.ts";
import { findPinnable } from "./trust.ts";
import { toBookText } from "./trust-book.ts";

const bounds = [
  { name: "ci_search", summary: "", tier: 1, timeoutMs: 2_000, ceilings: { limit: 10 } },
  { name: "ci_impact", summary: "", tier: 2, timeoutMs: 3_000, ceilings: { depth: 3 } },
];

interface Given {
  readonly repository?: string;
  readonly user?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
  /** The user trusts the repository as it is; afterwards its file is replaced by `changedTo`, if given. */
  readonly trusted?: boolean;
  readonly changedTo?: string;
}

function trust(home: string, root: string): void {
  mkdirSync(join(home, ".groundwork"), { recursive: true, mode: 0o700 });
  const record = toBookText([{ root, files: findPinnable(root).files, at: "2026-11-15T10:15:00Z" }]);
  writeFileSync(join(home, TRUST_FILE), record, { mode: 0o600 });
}

async function load({ repository, user, env = {}, folder = "", trusted, changedTo }: Given) {
  const home = makeFolder(user === undefined ? {} : { [USER_FILE]: user });
  const root = makeFolder({
    ...GIT_FILES,
    "packages/app/a.ts": "",
    ...(repository === undefined ? {} : { [REPOSITORY_FILE]: repository }),
  });
  if (trusted) trust(home, root);
  if (changedTo !== undefined) writeFileSync(join(root, REPOSITORY_FILE), changedTo);
  const loaded = await loadSettings({ env: { HOME: home, ...env }, folder: join(root, folder), bounds });
  if (!loaded.ok) throw new Error(loaded.fault.message);
  return { ...loaded.value, limits: toLimitTexts(loaded.value.limits), folder: root };
}

describe("[ATO-CTL-1] [REQ-ATO-002] environment over repository over user over default", () => {
  it("defaults", async () => {
    const { settings, origins, root, limits, folder } = await load({});
    expect(settings).toEqual({
      autoTools: "auto",
      mode: "run",
      dryRun: false,
      threshold: 0.5,
      tierMax: 1,
      wallMs: 5_000,
      maxConcurrency: 3,
      maxInjectedChars: 12_000,
      repoRoot: "",
      exclude: [],
      index: "auto",
      resident: "auto",
      sessionMemory: true,
      history: "full",
      historyDays: 30,
      historyMb: 50,
      teamFigures: "off",
      editorLink: "vscode://file/{path}:{line}",
      legacy: false,
      sessionMode: "resume_last",
      embeddingsUrl: "",
      embeddingsModel: "",
      investigateEndpoint: "",
      investigateApi: "openai",
      investigateModel: "",
      investigateKeyVariable: "",
      teamRepos: "",
    });
    expect(new Set(Object.values(origins))).toEqual(new Set(["default"]));
    expect([root, limits]).toEqual([{ root: folder, source: "git" }, []]);
  });

  it("each source overrides the one before", async () => {
    const user = "budget:\n  wall_ms: 8000\n  max_concurrency: 5\nauto_tools: on\n";
    const repository = "budget: { wall_ms: 4000 }\n";
    const { settings, origins } = await load({ user, repository, env: { CI_AUTO_TOOLS_MAX_CONCURRENCY: "2" } });
    expect([settings.wallMs, settings.maxConcurrency, settings.autoTools]).toEqual([4_000, 2, "on"]);
    expect([origins.wallMs, origins.maxConcurrency, origins.autoTools]).toEqual([
      "repository file",
      "environment",
      "user file",
    ]);
  });

  it("[decision 8] a repository cannot cancel an exclusion of the user", async () => {
    const user = "exclude: [private/]";
    const repository = 'exclude: ["!private/", b, "!b/c"]';
    const { settings, limits } = await load({ user, repository });
    expect(settings.exclude).toEqual(["private/", "b"]);
    expect(limits).toEqual(["config/auto-tools.yaml: exclude !… refused; a repository's file may only narrow"]);
    expect((await load({ repository })).settings.exclude).toEqual(["!private/", "b", "!b/c"]);
    expect((await load({ user, repository, trusted: true })).settings.exclude).toHaveLength(4);
  });

  it("excluded paths of all files add up", async () => {
    const { settings } = await load({ user: "exclude: [a]", repository: "exclude: [b]" });
    expect(settings.exclude).toEqual(["a", "b"]);
  });
});

describe("a repository's file only narrows", () => {
  it.each([
    ["budget: { wall_ms: 9000 }", "budget.wall_ms"],
    ["budget: { max_injected_chars: 12000, max_concurrency: 9 }", "budget.max_concurrency"],
    ["auto_tools: on", "auto_tools"],
    ["history_days: 29", "history_days"],
    ["editor_link: evil://open{path}", "editor_link"],
    ["team_figures: on", "team_figures"],
    ["tools: { ci_search: { timeout_ms: 9000 } }", "tools.ci_search.timeout_ms"],
    ["tools: { ci_search: { ceilings: { limit: 99 } } }", "tools.ci_search.ceilings.limit"],
  ])("%s is refused and reported", async (repository, key) => {
    const { settings, limits, tools } = await load({ repository });
    expect(limits).toContain(`config/auto-tools.yaml: ${key} refused; a repository's file may only narrow`);
    expect([settings.wallMs, settings.autoTools, settings.maxConcurrency]).toEqual([5_000, "auto", 3]);
    expect(tools.get("ci_search")).toEqual({ enabled: true, tier: 1, timeoutMs: 2_000, ceilings: { limit: 10 } });
    expect(tools.get("ci_impact")?.tier).toBe(2);
  });

  it("a narrower value is accepted", async () => {
    const repository =
      "auto_tools: off\nmode: plan\ntier_max: 0\ntools: { ci_search: { enabled: false, timeout_ms: 100, ceilings: { limit: 3 } } }";
    const { settings, tools, limits } = await load({ repository });
    expect([settings.autoTools, settings.mode, settings.tierMax, limits]).toEqual(["off", "plan", 0, []]);
    expect(tools.get("ci_search")).toEqual({ enabled: false, tier: 1, timeoutMs: 100, ceilings: { limit: 3 } });
  });

  it.each([
    "tier_max: 2",
    'tier_max: "2"',
    "tierMax: 3",
    "budget: { tier_max: 2 }",
    "max_tier: 9",
    "TIER-MAX: 2",
    "x: { y: { tier_max: 2 } }",
  ])("[ATO-CTL-5] [ATO-CTL-7] %s: only the variable enables tier 2", async (file) => {
    const literal = "tier-2 requires CI_AUTO_TOOLS_TIER_MAX=2 (config ignored)";
    for (const given of [{ repository: file }, { user: file }]) {
      const { settings, limits } = await load(given);
      expect(settings.tierMax).toBe(1);
      expect(limits).toContain(literal);
    }
    expect((await load({ repository: file, env: { CI_AUTO_TOOLS_TIER_MAX: "2" } })).settings.tierMax).toBe(2);
  });
});

describe("[decision 8] a repository's file that the user trusts counts like the user's own", () => {
  const wide = "auto_tools: on\nbudget: { wall_ms: 10000, max_concurrency: 16 }\n";

  it("may widen, and its origin says so", async () => {
    const user = "mode: plan\ndry_run: true\nbudget: { max_injected_chars: 100 }\n";
    const repository = `${wide}mode: run\ndry_run: false\n`;
    const { settings, origins, limits, trust: found } = await load({ user, repository, trusted: true });
    expect(settings).toMatchObject({
      autoTools: "on",
      wallMs: 10_000,
      maxConcurrency: 16,
      mode: "run",
      dryRun: false,
      maxInjectedChars: 100,
    });
    expect([origins.wallMs, origins.mode, origins.maxInjectedChars]).toEqual([
      "repository file (trusted)",
      "repository file (trusted)",
      "user file",
    ]);
    expect([limits, found]).toEqual([[], { kind: "trusted", since: "2026-11-15T10:15:00Z" }]);
  });

  it("the environment still takes precedence", async () => {
    const env = { CI_AUTO_TOOLS: "off", CI_AUTO_TOOLS_BUDGET_WALL_MS: "100" };
    const { settings } = await load({ repository: wide, trusted: true, env });
    expect([settings.autoTools, settings.wallMs]).toEqual(["off", 100]);
  });

  it("a changed file can only narrow, with a limit", async () => {
    const { settings, limits, trust: found } = await load({ repository: wide, trusted: true, changedTo: `${wide}#\n` });
    expect([settings.autoTools, settings.wallMs, settings.maxConcurrency]).toEqual(["auto", 5_000, 3]);
    expect(limits[0]).toBe("repository settings changed since you trusted them; run groundwork trust");
    expect(limits).toContain("config/auto-tools.yaml: auto_tools refused; a repository's file may only narrow");
    expect(found?.kind).toBe("changed");
  });

  it("a damaged record trusts nothing, with a limit", async () => {
    const home = makeFolder();
    mkdirSync(join(home, ".groundwork"), { mode: 0o700 });
    writeFileSync(join(home, TRUST_FILE), "{", { mode: 0o600 });
    const root = makeFolder({ ...GIT_FILES, [REPOSITORY_FILE]: wide });
    const loaded = await loadSettings({ env: { HOME: home }, folder: root, bounds });
    expect(loaded).toMatchObject({
      ok: true,
      value: { settings: { autoTools: "auto", wallMs: 5_000 }, trust: { kind: "damaged" } },
    });
    expect(loaded.ok && loaded.value.limits[0]?.text).toBe(
      "nothing is trusted: ~/.groundwork/trust.json is not a whole trust record of version 1; run groundwork trust",
    );
  });

  it("neither a variable nor a relative home folder creates trust", async () => {
    const root = makeFolder({ ...GIT_FILES, [REPOSITORY_FILE]: wide });
    trust(root, root);
    for (const env of [
      { HOME: root },
      { HOME: "." },
      {},
      {
        HOME: makeFolder(),
        GROUNDWORK_HOME: join(root, ".groundwork"),
        GROUNDWORK_TRUST: "1",
        CI_AUTO_TOOLS_TRUST: root,
      },
    ])
      expect(await loadSettings({ env, folder: root, bounds })).toMatchObject({
        ok: true,
        value: { settings: { autoTools: "auto", wallMs: 5_000 } },
      });
  });

  it("another root of the same repository is not trusted", async () => {
    const env = { CI_AUTO_TOOLS_REPO_ROOT: makeFolder({ [REPOSITORY_FILE]: wide }) };
    expect((await load({ repository: wide, trusted: true, env })).settings.autoTools).toBe("auto");
  });

  it.each([
    ["tier_max: 2", "tier-2 requires CI_AUTO_TOOLS_TIER_MAX=2 (config ignored)"],
    ["budget: { wall_ms: 10001 }", "config/auto-tools.yaml: budget.wall_ms ignored; accepted: 1 to 60000"],
    ["budget: { max_concurrency: 17 }", "config/auto-tools.yaml: budget.max_concurrency ignored"],
    ["budget: { max_injected_chars: 12001 }", "config/auto-tools.yaml: budget.max_injected_chars ignored"],
    ["repo_root: ..", "E_REPO_ROOT: repo_root: .. is outside the repository"],
    ["repo_root: /etc", "E_REPO_ROOT: repo_root: /etc is outside the repository"],
    ["repo_root: .git", "E_REPO_ROOT: repo_root: .git is a place that is never read"],
    ["legacy: true", "config/auto-tools.yaml: legacy ignored; set CI_AUTO_TOOLS_LEGACY instead"],
    ["runner: /bin/sh", "config/auto-tools.yaml: unknown key runner ignored"],
    ["tools: { ci_search: { command: /bin/sh } }", "unknown key tools.ci_search.command ignored"],
    [
      "tools: { ci_search: { timeout_ms: 9000 } }",
      "tools.ci_search.timeout_ms refused; a file may only lower what a tool may do",
    ],
    ["tools: { ci_search: { ceilings: { limit: 99 } } }", "tools.ci_search.ceilings.limit refused; a file may only"],
    ["tools: { ci_impact: { tier: 1 } }", "tier-2 requires CI_AUTO_TOOLS_TIER_MAX=2 (config ignored)"],
  ])("[ATO-CTL-5] [ATO-CTL-7] %s is refused all the same", async (repository, limit) => {
    const { settings, tools, limits, root, folder } = await load({ repository, trusted: true });
    const plain = await load({});
    expect([settings, [...tools], root]).toEqual([plain.settings, [...plain.tools], { root: folder, source: "git" }]);
    expect(limits.join("\n")).toContain(limit);
  });

  it("what the user switched off for a tool stays off", async () => {
    const user = "tools: { ci_search: { enabled: false, timeout_ms: 50 } }";
    const repository = "tools: { ci_search: { enabled: true, timeout_ms: 2000 } }";
    const { tools } = await load({ user, repository, trusted: true });
    expect(tools.get("ci_search")).toMatchObject({ enabled: false, timeoutMs: 50 });
  });
});

describe("[ATO-CTL-9] repo_root", () => {
  it("a folder inside the repository", async () => {
    const { root, folder } = await load({ repository: "repo_root: packages/app" });
    expect(root).toEqual({ root: join(folder, "packages/app"), source: "config" });
  });

  const WRONG = ["..", "../other", "/", "/etc", "packages/../..", "missing", "link", ".git", ".git/objects"];
  it.each([...WRONG, "secrets", "to-secrets", "Secrets/prod", "node_modules"])("%s is refused", async (wanted) => {
    const home = makeFolder();
    const hidden = { "secrets/prod/a": "", "Secrets/prod/a": "", "node_modules/a": "" };
    const root = makeFolder({ ...GIT_FILES, ...hidden, [REPOSITORY_FILE]: `repo_root: ${wanted}` });
    symlinkSync("/etc", join(root, "link"));
    symlinkSync("secrets", join(root, "to-secrets"));
    const loaded = await loadSettings({ env: { HOME: home }, folder: root, bounds });
    expect(loaded).toMatchObject({ ok: true, value: { root: { root, source: "git" } } });
    expect(loaded.ok && toLimitTexts(loaded.value.limits).join()).toContain("E_REPO_ROOT");
  });

  it("[decision 8] a repository stays within the root that the user's own file names, unless it is trusted", async () => {
    const user = "repo_root: packages/app";
    for (const repository of ["repo_root: .", "repo_root: packages", "repo_root: ./packages/app/.."]) {
      const { root, folder, limits, origins } = await load({ user, repository });
      expect([root, origins.repoRoot]).toEqual([{ root: join(folder, "packages/app"), source: "config" }, "user file"]);
      expect(limits.join()).toMatch(/is outside your own repo_root; not read/);
    }
    const { root, folder } = await load({ user, repository: "repo_root: packages", trusted: true });
    expect(root).toEqual({ root: join(folder, "packages"), source: "config" });
  });

  it("the environment takes precedence, and an invalid value is an error", async () => {
    const other = makeFolder({ "a.ts": "" });
    const { root } = await load({ repository: "repo_root: packages/app", env: { CI_AUTO_TOOLS_REPO_ROOT: other } });
    expect(root).toEqual({ root: other, source: "env" });
    await expect(load({ env: { CI_AUTO_TOOLS_REPO_ROOT: join(other, "missing") } })).rejects.toThrow(
      /CI_AUTO_TOOLS_REPO_ROOT/,
    );
  });
});

describe("[ATO-CTL-14] files that cannot be used", () => {
  it.each([
    ["a: b: c", /^config\/auto-tools\.yaml:1:\d+: /],
    ["mode: plan\n  bad: indent\n", /^config\/auto-tools\.yaml:[12]:\d+: /],
    ["- a\n- b", /:1: not a mapping/],
    ["just text", /not a mapping/],
    [
      `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [${"*a,".repeat(9)}]\nc: &c [${"*b,".repeat(9)}]\nd: [${"*c,".repeat(9)}]`,
      /alias/i,
    ],
    [`a: ${"[".repeat(2_000)}`, /config\/auto-tools\.yaml/],
    [`x: ${"y".repeat(70_000)}`, /larger than/],
  ])("%.40j is a fault that names the place", async (repository, message) => {
    const { fault } = await load({ repository });
    expect(fault).toMatchObject({
      code: "E_CONFIG",
      message: expect.stringMatching(message),
      hint: expect.stringContaining("delete the file"),
    });
  });

  it("the user's file as well", async () => {
    expect((await load({ user: "{" })).fault?.code).toBe("E_CONFIG");
  });

  it.each(["", "# only a comment\n", "---\n"])("an empty file (%j) is not an error", async (repository) => {
    expect(await load({ repository })).toMatchObject({ fault: null, limits: [] });
  });

  it("a folder or a dangling link in its place counts as missing", async () => {
    const root = makeFolder(GIT_FILES);
    mkdirSync(join(root, REPOSITORY_FILE), { recursive: true });
    expect(await loadSettings({ env: {}, folder: root, bounds })).toMatchObject({ ok: true, value: { fault: null } });
  });
});

describe("ignored values are reported, with what is accepted", () => {
  it("wrong types, unknown keys, keys for the environment alone", async () => {
    const repository =
      "mode: fast\nbudgt: { wall_ms: 1 }\ndry_runn: true\nlegacy: true\nexclude: 5\n__proto__: { mode: plan }\nconstructor: 1\n";
    const { settings, limits } = await load({ repository });
    expect(settings.mode).toBe("run");
    expect(({} as Record<string, unknown>)["mode"]).toBeUndefined();
    expect(limits).toEqual(
      expect.arrayContaining([
        "config/auto-tools.yaml: mode ignored; accepted: run, plan",
        "config/auto-tools.yaml: unknown key budgt.wall_ms ignored; did you mean budget.wall_ms?",
        "config/auto-tools.yaml: unknown key dry_runn ignored; did you mean dry_run?",
        "config/auto-tools.yaml: legacy ignored; set CI_AUTO_TOOLS_LEGACY instead",
        "config/auto-tools.yaml: exclude ignored; accepted: a list of patterns as in .gitignore, ** at most twice in each",
      ]),
    );
  });

  it.each([
    ["CI_AUTO_TOOLS", "maybe"],
    ["CI_AUTO_TOOLS_TIER_MAX", "3"],
    ["CI_AUTO_TOOLS_BUDGET_WALL_MS", "-5"],
    ["CI_AUTO_TOOLS_BUDGET_WALL_MS", "1e3"],
    ["CI_AUTO_TOOLS_MAX_INJECTED_CHARS", "99999"],
    ["CI_AUTO_TOOLS_DRY_RUN", "perhaps"],
  ])("[ATO-CTL-6] %s=%s", async (name, value) => {
    const { settings, limits } = await load({ env: { [name]: value } });
    expect(settings).toEqual((await load({})).settings);
    expect(limits.join()).toContain(`environment: ${name} ignored; accepted:`);
  });
});

describe("[ATO-CTL-8] .devbooks/config.yaml", () => {
  it("settings there are ignored, with a hint where they belong", async () => {
    const root = makeFolder({ ...GIT_FILES, ".devbooks/config.yaml": "auto_tools:\n  tier_max: 2\n" });
    const loaded = await loadSettings({ env: {}, folder: root, bounds });
    expect(loaded.ok && toLimitTexts(loaded.value.limits).join()).toMatch(/请迁移到 config\/auto-tools\.yaml/);
    expect(loaded.ok && loaded.value.settings.tierMax).toBe(1);
    writeFileSync(join(root, ".devbooks/config.yaml"), "ai_tools: [claude]\n");
    expect(await loadSettings({ env: {}, folder: root, bounds })).toMatchObject({ ok: true, value: { limits: [] } });
  });
});

describe("an embedding model", () => {
  const url = "http://127.0.0.1:11434";

  it("is named by the environment", async () => {
    const env = { GROUNDWORK_EMBEDDINGS_URL: url, GROUNDWORK_EMBEDDINGS_MODEL: "small" };
    const { settings, limits } = await load({ env });
    expect([settings.embeddingsUrl, settings.embeddingsModel, limits]).toEqual([url, "small", []]);
  });

  it.each(["http://example.org/v1/embeddings", "https://127.0.0.1/", "11434"])("not elsewhere: %s", async (wanted) => {
    const { settings, limits } = await load({ env: { GROUNDWORK_EMBEDDINGS_URL: wanted } });
    expect(settings.embeddingsUrl).toBe("");
    expect(limits).toEqual([
      "environment: GROUNDWORK_EMBEDDINGS_URL ignored; accepted: an http address on this machine " +
        "(127.0.0.1, [::1] or localhost), because nothing is sent elsewhere",
    ]);
  });

  it.each<Given>([
    { repository: `embeddings: { url: "${url}" }` },
    { repository: `embeddings: { url: "${url}" }`, trusted: true },
    { user: `embeddings: { url: "${url}" }` },
  ])("and by no file: %j", async (given) => {
    const { settings, limits } = await load(given);
    expect(settings.embeddingsUrl).toBe("");
    expect(limits).toEqual([expect.stringContaining("embeddings.url ignored; set GROUNDWORK_EMBEDDINGS_URL instead")]);
  });
});

describe("[K 4] the address of a place in the editor", () => {
  it.each(["zed://file{path}:{line}", "idea://open?file={path}&line={line}", "off"])("%s", async (wanted) => {
    expect((await load({ env: { GROUNDWORK_EDITOR_LINK: wanted } })).settings.editorLink).toBe(wanted);
    expect((await load({ user: `editor_link: ${JSON.stringify(wanted)}` })).settings.editorLink).toBe(wanted);
  });

  it.each([
    "javascript:alert({path})",
    "JavaScript:{path}",
    "data:text/html,{path}",
    "http://127.0.0.1/{path}",
    "https://example.org/?{path}",
    "vscode://file/without-a-path",
    "vscode://file/{path} \u0000",
    "{path}",
    `x:${"y".repeat(600)}{path}`,
  ])("neither a web page nor a script: %j", async (wanted) => {
    const { settings, limits } = await load({ env: { GROUNDWORK_EDITOR_LINK: wanted } });
    expect(settings.editorLink).toBe("vscode://file/{path}:{line}");
    expect(limits).toEqual([expect.stringContaining("GROUNDWORK_EDITOR_LINK ignored")]);
  });

  it("a repository's file may repeat the current value, as the generated one does", async () => {
    const repository = "editor_link: vscode://file/{path}:{line}\nhistory_days: 30\nhistory_mb: 50\n";
    expect((await load({ repository })).limits).toEqual([]);
  });
});
