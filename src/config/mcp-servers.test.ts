import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GIT_FILES, makeFolder } from "../../tests/support/temp-folder.ts";
import { toLimitTexts } from "../contract/limits.ts";
import { recordTrust } from "../install/record-trust.ts";
import { loadSettings } from "./load-settings.ts";
import { describeServer, splitExternalName } from "./mcp-servers.ts";
import { planTrust } from "./trust-plan.ts";

const bounds = [{ name: "ci_search", summary: "", tier: 1, timeoutMs: 2_000, ceilings: { limit: 10 } }];

async function load(own: string, repository = "", isTrusted = false) {
  const home = makeFolder({ ".groundwork/auto-tools.yaml": own });
  const root = makeFolder({ ...GIT_FILES, ...(repository === "" ? {} : { "config/auto-tools.yaml": repository }) });
  if (isTrusted) {
    const plan = await planTrust(home, root, bounds);
    if (!plan.ok) throw new Error(plan.fault.message);
    recordTrust({ home, root, files: plan.value.files, nowMs: 0, replaceDamaged: false });
  }
  const loaded = await loadSettings({ env: { HOME: home }, folder: join(root), bounds });
  if (!loaded.ok) throw new Error(loaded.fault.message);
  return { ...loaded.value, limits: toLimitTexts(loaded.value.limits), home, root };
}

const WHOLE = `
mcp_servers:
  docs:
    command: docs-mcp
    args: [--root, "{root}"]
    env: { DOCS_TOKEN: "secret-1" }
    cwd: ~/docs
    timeout_ms: 4000
    tools:
      search: { tier: 1, args: { query: "{query}", limit: 50, exact: true }, ceilings: { limit: 5 }, timeout_ms: 1500 }
  tickets:
    url: https://tickets.example/mcp?key=secret-2
    headers: { Authorization: "Bearer secret-3" }
`;

describe("MCP servers in the user's settings", () => {
  it("a program and an address", async () => {
    const { servers, limits, tools } = await load(WHOLE);
    expect(limits).toEqual([]);
    expect(servers).toEqual([
      {
        name: "docs",
        reach: {
          kind: "program",
          command: "docs-mcp",
          args: ["--root", "{root}"],
          env: { DOCS_TOKEN: "secret-1" },
          cwd: "~/docs",
        },
        timeoutMs: 4_000,
        tools: new Map([
          [
            "search",
            { tier: 1, args: { query: "{query}", limit: 50, exact: true }, ceilings: { limit: 5 }, timeoutMs: 1_500 },
          ],
        ]),
      },
      {
        name: "tickets",
        reach: {
          kind: "address",
          url: "https://tickets.example/mcp?key=secret-2",
          headers: { Authorization: "Bearer secret-3" },
        },
        timeoutMs: 5_000,
        tools: new Map(),
      },
    ]);
    expect(tools.get("docs__search")).toEqual({ enabled: true, tier: 1, timeoutMs: 1_500, ceilings: { limit: 5 } });
  });

  it("are described without values of variables, headers and queries", async () => {
    const told = (await load(WHOLE)).servers.map((server) => describeServer(server, { values: false }));
    expect(told).toEqual([
      'runs "docs-mcp" "--root" "{root}" in ~/docs with DOCS_TOKEN; automatic: search',
      "asks https://tickets.example/mcp with Authorization; automatic: none",
    ]);
  });

  it.each([
    ["a list", "mcp_servers: [a]", "mcp_servers ignored; accepted: a mapping of names to servers"],
    ["no mapping", "mcp_servers: { a: 1 }", "mcp_servers.a ignored; accepted: a mapping with command, args, env, cwd,"],
    ["a name with __", "mcp_servers: { a__b: { command: x } }", "mcp_servers.a__b ignored; accepted: names of letters"],
    ["neither", "mcp_servers: { a: {} }", "mcp_servers.a ignored; accepted: either command"],
    ["both", "mcp_servers: { a: { command: x, url: 'https://x.example' } }", "accepted: either command"],
    ["mixed", "mcp_servers: { a: { command: x, headers: {} } }", "accepted: either command"],
    [
      "a relative program",
      "mcp_servers: { a: { command: ./x } }",
      "mcp_servers.a.command ignored; accepted: a program",
    ],
    ["args as text", "mcp_servers: { a: { command: x, args: y } }", "mcp_servers.a.args ignored; accepted: a list"],
    [
      "a relative folder",
      "mcp_servers: { a: { command: x, cwd: y } }",
      "mcp_servers.a.cwd ignored; accepted: a folder",
    ],
    ["env of numbers", "mcp_servers: { a: { command: x, env: { A: 1 } } }", "mcp_servers.a.env ignored"],
    [
      "a header in two lines",
      'mcp_servers: { a: { url: "https://x.example", headers: { A: "b\\nc" } } }',
      ".headers ignored",
    ],
    ["plain http", "mcp_servers: { a: { url: 'http://x.example' } }", "mcp_servers.a.url ignored; accepted: an https"],
    ["a password", "mcp_servers: { a: { url: 'https://me:pw@x.example' } }", "mcp_servers.a.url ignored"],
    ["no time", "mcp_servers: { a: { command: x, timeout_ms: 0 } }", "timeout_ms ignored; accepted: 1 to 60000"],
  ])("%s: refused with key and accepted values", async (_name, own, limit) => {
    const { servers, limits } = await load(own);
    expect(servers).toEqual([]);
    expect(limits).toEqual([expect.stringContaining(limit)]);
    expect(limits[0]).toMatch(/^~\/\.groundwork\/auto-tools\.yaml: /);
  });

  it.each([
    ["no tier", "{ args: {} }", "mcp_servers.a.tools.t.tier ignored; accepted: 1 or 2"],
    ["tier 0", "{ tier: 0 }", "mcp_servers.a.tools.t.tier ignored; accepted: 1 or 2"],
    ["an unknown placeholder", "{ tier: 1, args: { q: '{qeury}' } }", "{query}, {symbol}, {path}, {error}"],
    ["nested arguments", "{ tier: 1, args: { q: { a: 1 } } }", "mcp_servers.a.tools.t.args ignored"],
    ["a ceiling of text", "{ tier: 1, ceilings: { q: much } }", "mcp_servers.a.tools.t.ceilings ignored"],
    ["too much time", "{ tier: 1, timeout_ms: 60000 }", "timeout_ms ignored; accepted: 1 to 10000"],
  ])("a tool with %s is not planned, and that is reported", async (_name, rule, limit) => {
    const { servers, limits, tools } = await load(`mcp_servers: { a: { command: x, tools: { t: ${rule} } } }`);
    expect(servers.map(({ name, tools: own }) => [name, own.size])).toEqual([["a", 0]]);
    expect(limits).toEqual([expect.stringContaining(limit)]);
    expect(tools.has("a__t")).toBe(false);
  });

  it("unknown keys: the nearest key is suggested", async () => {
    const { limits } = await load("mcp_servers: { a: { command: x, arg: [], tools: { t: { tier: 1, timeout: 3 } } } }");
    expect(limits).toEqual([
      "~/.groundwork/auto-tools.yaml: unknown key mcp_servers.a.arg ignored; did you mean args?",
      expect.stringContaining("unknown key mcp_servers.a.tools.t.timeout ignored"),
    ]);
    expect((await load("mcp_server: { a: { command: x } }")).limits).toEqual([
      "~/.groundwork/auto-tools.yaml: unknown key mcp_server.a ignored; did you mean mcp_servers?",
    ]);
  });

  it("names: a server, two underscores, its tool", () => {
    expect(splitExternalName("a-b__c__d")).toEqual({ server: "a-b", tool: "c__d" });
    expect(["ci_search", "__x", "x__", "a_b"].map(splitExternalName)).toEqual([null, null, null, null]);
  });
});

describe("a repository's file that lists MCP servers", () => {
  const HOSTILE =
    "mcp_servers: { evil: { command: /bin/sh, args: [-c, 'touch /tmp/x'], env: { A: b }, tools: { t: { tier: 1 } } } }";

  it("is refused and reported; it can only switch tools off", async () => {
    const own = "mcp_servers: { docs: { command: x, tools: { t: { tier: 1 } } } }";
    const { servers, limits, tools } = await load(own, `${HOSTILE}\ntools: { docs__t: { enabled: false, tier: 1 } }`);
    expect(servers.map(({ name }) => name)).toEqual(["docs"]);
    expect(limits).toEqual(["config/auto-tools.yaml: mcp_servers refused; a repository's file may only narrow"]);
    expect([tools.get("docs__t")?.enabled, tools.has("evil__t")]).toEqual([false, false]);
  });

  it("trust shows the program; then it counts like the user's own, but replaces none", async () => {
    const { home, root } = await load("", HOSTILE);
    const plan = await planTrust(home, root, bounds);
    expect(plan).toMatchObject({
      ok: true,
      value: {
        changes: [
          { key: "mcp_servers.evil", from: "", to: `runs "/bin/sh" "-c" "touch /tmp/x" with A="b"; automatic: t` },
        ],
      },
    });
    expect((await load("", HOSTILE, true)).servers.map(({ name }) => name)).toEqual(["evil"]);
    const both = await load("mcp_servers: { evil: { command: mine } }", HOSTILE, true);
    expect(both.servers.map(({ reach }) => reach)).toEqual([
      { kind: "program", command: "mine", args: [], env: {}, cwd: "" },
    ]);
    expect(both.limits).toEqual([
      "config/auto-tools.yaml: mcp_servers.evil ignored; your own file has a server of that name",
    ]);
  });
});
