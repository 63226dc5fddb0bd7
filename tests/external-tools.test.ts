import { execFile } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { systemClock } from "../src/base/clock.ts";
import { stopAllPrograms } from "../src/base/subprocess/spawn.ts";
import type { Client } from "../src/contract/run-document.ts";
import { makeFileEngine } from "../src/engine/engine.ts";
import { runKernel } from "../src/orchestrator/kernel.ts";
import { makeExternalTools } from "../src/tools/external/external-tools.ts";
import { makeRegistry } from "../src/tools/registry.ts";
import { groundwork, projectRoot } from "./support/doors.ts";
import { findLeftProcesses, MARKER } from "./support/leftovers.ts";
import { runDoor } from "./support/run-door.ts";
import { GIT_FILES, makeFolder } from "./support/temp-folder.ts";

const FILES = {
  ...GIT_FILES,
  "src/a.ts": "\nexport function alphaRate() {\n  return beta();\n}\n",
  "src/b.ts": "export const beta = () => 1;\n\n\n\nbeta();\n",
};
const QUESTION = "why does alphaRate return undefined?";
const server = join(projectRoot, "tests/support/mcp-server.mjs");

afterAll(stopAllPrograms);

/** Makes a home with these settings, and a PATH with the test's server, which leaves a mark when it starts. */
function makeHome(settings: string) {
  const home = makeFolder({
    ".groundwork/auto-tools.yaml": settings,
    "bin/wiki-mcp": `#!/bin/sh\ntouch ${"$"}HOME/started\nexec ${process.execPath} ${server} stdio "$@"\n`,
  });
  chmodSync(join(home, "bin/wiki-mcp"), 0o755);
  const env = {
    HOME: home,
    PATH: `${join(home, "bin")}:${process.env["PATH"]}`,
    CI_AUTO_TOOLS_INDEX: "off",
    CI_AUTO_TOOLS_BUDGET_WALL_MS: "30000",
    WIKI_TOKEN: "the-token-of-the-wiki",
    TICKETS_TOKEN: "the-token-of-the-tickets",
  };
  return { home, env, isStarted: () => existsSync(join(home, "started")) };
}

/** Returns settings with one server and rules for its tools; long timeout, because machines that run tests are slow. */
function wiki(tools: string, timeoutMs = 20_000): string {
  return `mcp_servers: { wiki: { command: wiki-mcp, timeout_ms: ${timeoutMs}, tools: ${tools} } }\n`;
}

async function ask(
  settings: string,
  more: { env?: Record<string, string>; files?: Record<string, string>; text?: string } = {},
) {
  const { home, env: own, isStarted } = makeHome(settings);
  const env = { ...own, ...more.env };
  const folder = makeFolder(more.files ?? FILES);
  const client: Client = { name: "claude-code", event: "cli" };
  const prompt = { text: more.text ?? QUESTION, client, hints: {}, asksForTool: false, limits: [] };
  const { document, exitCode } = await runKernel(prompt, {
    env,
    folder,
    clock: systemClock,
    tools: makeRegistry(makeFileEngine(systemClock)),
    openExternal: (servers, root) => makeExternalTools(servers, { env, root }),
    signal: new AbortController().signal,
  });
  return {
    home,
    folder,
    document,
    exitCode,
    isStarted,
    planned: document.tool_plan.tools.find(({ tool }) => tool.startsWith("wiki__")),
    result: document.tool_results.find(({ tool }) => tool.startsWith("wiki__")),
    context: document.fused_context.for_model.additional_context,
    limits: document.fused_context.for_user.limits_text,
  };
}

describe("[ATO-SEC-2] tools of the user's MCP servers in automatic plans", () => {
  const page = readFileSync(join(projectRoot, "docs/external-tools.md"), "utf8");
  const example = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? "";

  it("[ATO-SEC-5] the documented example is planned, clamped, run and shown", async () => {
    const { planned, result, context, limits, exitCode } = await ask(
      example.replace("wiki-mcp", "wiki-mcp\n    timeout_ms: 20000"),
    );
    expect(planned).toEqual({
      tool: "wiki__find",
      tier: 1,
      reason: "your MCP server wiki, asked for the query",
      args: { query: QUESTION, limit: 5 },
      timeout_ms: 2_000,
    });
    expect(result).toMatchObject({ status: "ok", summary: `hits for ${QUESTION}` });
    expect(context).toMatch(/src\/a\.ts:2 .*declares why does alphaRate/);
    expect(context).toMatch(/src\/b\.ts:5/);
    expect(context).not.toContain("outside.ts");
    expect(limits).toContain("[Limits] wiki__find: limit clamped to 5");
    expect(exitCode).toBe(0);
  });

  it("each text becomes a finding", async () => {
    const { context } = await ask(wiki('{ notes: { tier: 1, args: { topic: "{symbol}" } } }'));
    expect(context).toMatch(/first note on alphaRate/);
    expect(context).toMatch(/second note, Bearer <redacted>/);
  });

  it("[ATO-SEC-1] a tool that is allow-listed but not declared read-only is not run, and this is reported", async () => {
    const { result, limits, context } = await ask(wiki('{ remember: { tier: 1, args: { topic: "{symbol}" } } }'));
    expect(result).toMatchObject({ status: "error", error: { code: "E_TOOL_UNAVAILABLE" } });
    expect(limits).toContain(
      "[Limits] wiki__remember: does not declare itself read-only; run only when you ask for it",
    );
    expect(context).not.toContain("wrote");
    expect(context).toContain("src/a.ts");
  });

  it("a tool that is not allow-listed is never planned, and no server starts for it", async () => {
    const { planned, isStarted } = await ask(wiki("{}"));
    expect([planned, isStarted()]).toEqual([undefined, false]);
  });

  it("[ATO-CTL-5] tier 2 needs the variable", async () => {
    const settings = wiki('{ notes: { tier: 2, args: { topic: "{symbol}" } } }');
    const without = await ask(settings);
    expect([without.planned, without.isStarted()]).toEqual([undefined, false]);
    expect(JSON.stringify(without.document.recommended_tools)).toContain("wiki__notes");
    expect((await ask(settings, { env: { CI_AUTO_TOOLS_TIER_MAX: "2" } })).result?.status).toBe("ok");
  });

  it("a tool is not planned without its clue in the prompt", async () => {
    const { planned } = await ask(wiki('{ notes: { tier: 1, args: { topic: "{path} {error}" } } }'));
    expect(planned).toBeUndefined();
  });

  it("[ATO-CTL-12] a plan starts no server", async () => {
    const settings = wiki('{ notes: { tier: 1, args: { topic: "{symbol}" } } }');
    const { planned, isStarted } = await ask(settings, { env: { CI_AUTO_TOOLS_MODE: "plan" } });
    expect([planned?.tool, isStarted()]).toEqual(["wiki__notes", false]);
  });

  it("[ATO-FAIL-9] a server that hangs costs only its own call", async () => {
    const { result, context, exitCode } = await ask(wiki("{ hangs: { tier: 1, timeout_ms: 300 } }"));
    expect(result).toMatchObject({ status: "timeout", error: { code: "E_TIMEOUT" } });
    expect(context).toContain("src/a.ts");
    expect(exitCode).toBe(50);
  });
});

describe("a hostile repository", () => {
  it("cannot start a server it lists, which is reported; the user's own servers run", async () => {
    const mark = join(makeFolder(), "mark");
    const listing = `mcp_servers: { wiki: { command: /usr/bin/touch, args: [${mark}], tools: { notes: { tier: 1 } } } }\n`;
    const { limits, planned } = await ask("", { files: { ...FILES, "config/auto-tools.yaml": listing } });
    expect(limits).toContain(
      "[Limits] config/auto-tools.yaml: mcp_servers refused; a repository's file may only narrow",
    );
    expect([planned, existsSync(mark)]).toEqual([undefined, false]);
    const own = wiki('{ notes: { tier: 1, args: { topic: "{symbol}" } } }');
    const both = await ask(own, { files: { ...FILES, "config/auto-tools.yaml": listing } });
    expect([both.result?.status, existsSync(mark)]).toEqual(["ok", false]);
  });

  it("cannot replace the program of a server through PATH", async () => {
    const folder = makeFolder({ ...FILES, "bin/other-mcp": "#!/bin/sh\ntouch started\n" });
    chmodSync(join(folder, "bin/other-mcp"), 0o755);
    const servers = "mcp_servers: { wiki: { command: other-mcp, tools: { notes: { tier: 1 } } } }";
    const { env } = makeHome(servers);
    const { stdout } = await runDoor({
      cwd: folder,
      env: { ...env, PATH: `${join(folder, "bin")}:bin:${env.PATH}` },
      args: ["--format", "json"],
      input: JSON.stringify({ prompt: QUESTION }),
    });
    expect(stdout.toString("utf8")).toContain("MCP server wiki: there is no program other-mcp");
    expect(existsSync(join(folder, "started"))).toBe(false);
  });
});

describe("the built doors", () => {
  const settings = wiki('{ notes: { tier: 1, args: { topic: "{symbol}" } }, hangs: { tier: 2, timeout_ms: 9000 } }');
  const makeMarked = () => {
    const marker = crypto.randomUUID();
    const { env, isStarted } = makeHome(settings.replace("command:", `env: { ${MARKER}: "${marker}" }, command:`));
    return { env, isStarted, marker };
  };

  it("the hook asks the server and leaves no process behind", async () => {
    const { env, isStarted, marker } = makeMarked();
    const { stdout, code } = await runDoor({
      cwd: makeFolder(FILES),
      env,
      input: JSON.stringify({ prompt: QUESTION }),
    });
    expect([code, isStarted()]).toEqual([0, true]);
    expect(stdout.toString("utf8")).toContain("first note on alphaRate");
    expect(await findLeftProcesses(marker)).toEqual([]);
  });

  it("a signal in the middle of a call leaves no process behind", async () => {
    const { env, isStarted, marker } = makeMarked();
    const { code } = await runDoor({
      cwd: makeFolder(FILES),
      env: { ...env, CI_AUTO_TOOLS_TIER_MAX: "2" },
      input: JSON.stringify({ prompt: QUESTION }),
      onStart: (child) => {
        const timer = setInterval(() => {
          if (!isStarted()) return;
          clearInterval(timer);
          setTimeout(() => child.kill("SIGTERM"), 500);
        }, 20);
        child.once("exit", () => clearInterval(timer));
      },
    });
    expect([code, isStarted()]).toEqual([0, true]);
    expect(await findLeftProcesses(marker)).toEqual([]);
  });

  it("config explain shows servers and tools, but no values of variables or headers", async () => {
    const own = `${wiki('{ notes: { tier: 1, args: { topic: "{symbol}" } } }')}`.replace(
      "command:",
      'env: { KEY: "value-of-key" }, command:',
    );
    const { env } = makeHome(own);
    const run = promisify(execFile);
    const { stdout } = await run(groundwork, ["config", "explain"], {
      env,
      cwd: makeFolder(FILES),
    });
    expect(stdout).toMatch(/wiki__notes +on +tier 1 +2000 ms/);
    expect(stdout).toMatch(/MCP server +what it is\nwiki +runs "wiki-mcp" with KEY; automatic: notes/);
    expect(stdout).not.toContain("value-of-key");
  });
});
