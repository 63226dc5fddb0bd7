import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, describe, expect, it } from "vitest";
import { groundwork } from "./support/doors.ts";
import { findLeftProcesses, killMarked, MARKER } from "./support/leftovers.ts";
import { HELLO, mcpDoor, startMcp } from "./support/mcp-process.ts";
import { SHOP } from "./support/shop-repo.ts";
import { GIT_FILES, makeFolder } from "./support/temp-folder.ts";
import { countUsualMs } from "./support/timed.ts";
import { until } from "./support/until.ts";

const root = makeFolder({ ...GIT_FILES, ...SHOP });
const marker = crypto.randomUUID();
const env = (more: Readonly<Record<string, string>> = {}) => ({
  PATH: process.env["PATH"] ?? "",
  HOME: makeFolder(),
  [MARKER]: marker,
  CI_AUTO_TOOLS_INDEX: "off",
  ...more,
});
afterAll(() => killMarked(marker));

/** Makes a program that replaces a tool, records that it runs, and then waits. */
async function makeSleeper() {
  const folder = makeFolder({ "sleeper.sh": '#!/bin/sh\necho "$$" > "$(dirname "$0")/pid"\nsleep 60 & wait\n' });
  await chmod(join(folder, "sleeper.sh"), 0o755);
  const pid = join(folder, "pid");
  return {
    env: { CI_AUTO_TOOLS_RUNNER_CI_SEARCH: join(folder, "sleeper.sh") },
    runs: () => until(() => existsSync(pid) && readFileSync(pid, "utf8").trim() !== ""),
  };
}

const SEARCH = { name: "ci_search", arguments: { query: "price of an article" } };

describe("the MCP server as a program", () => {
  it.each([
    { door: "bin/code-intelligence-mcp", command: mcpDoor, args: [], mode: "legacy" as const },
    { door: "groundwork mcp", command: groundwork, args: ["mcp"], mode: "auto" as const },
  ])(
    "$door: the SDK's own client lists and calls tools, and the schemas are valid",
    async ({ command, args, mode }) => {
      const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
      await client.connect(new StdioClientTransport({ command, args, cwd: root, env: env() }));
      try {
        const { tools } = await client.listTools();
        expect(tools.map(({ name }) => name)).toContain("ci_search");
        // The client validates the answer against the listed schema.
        const found = await client.callTool(SEARCH);
        expect(JSON.stringify(found.structuredContent)).toContain("src/price.ts");
        const alias = await client.callTool({ name: "ci_graph_rag", arguments: { query: "priceOf", budget: 500 } });
        expect(alias.isError).toBeFalsy();
      } finally {
        await client.close();
      }
    },
  );

  it("answers calls still open at the end of input, then exits with 0", async () => {
    await using server = startMcp(root, env());
    await server.send(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: HELLO })}\n`);
    // Without a line feed: the end of input also ends the line.
    await server.send(JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params: SEARCH }));
    expect(await server.end()).toBe(0);
    expect(server.answers.map(({ id }) => id)).toEqual([1, 2]);
    expect(server.stderr()).toBe("");
  });

  it("ends a cancelled call with all processes it started, and does not answer it", async () => {
    const sleeper = await makeSleeper();
    await using server = startMcp(root, env(sleeper.env));
    await server.ask("initialize", HELLO);
    await server.send(`${JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params: SEARCH })}\n`);
    await sleeper.runs();
    const note = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } };
    await server.send(`${JSON.stringify(note)}\n`);
    await server.ask("ping");
    // Only the server itself is left.
    const left = await findLeftProcesses(marker);
    expect(left.filter((line) => !line.includes("mcp.cjs"))).toEqual([]);
    expect(server.answers.map(({ id }) => id)).not.toContain(7);
    expect(await server.end()).toBe(0);
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGHUP", 129],
  ] as const)("[G C.2] %s ends it with %i, and everything that runs", async (signal, code) => {
    const sleeper = await makeSleeper();
    await using server = startMcp(root, env(sleeper.env));
    await server.ask("initialize", HELLO);
    const asked = server.ask("tools/call", SEARCH).catch(() => {});
    await sleeper.runs();
    server.child.kill(signal);
    expect(await server.end()).toBe(code);
    expect(await findLeftProcesses(marker)).toEqual([]);
    void asked;
  });

  it("exits although a call never ends, once its client is gone", async () => {
    const sleeper = await makeSleeper();
    await using server = startMcp(root, env(sleeper.env));
    void server.ask("tools/call", SEARCH).catch(() => {});
    await sleeper.runs();
    server.child.stdout.destroy();
    expect(await server.end()).toBe(0);
    expect(await findLeftProcesses(marker)).toEqual([]);
  });

  it("exits although a client keeps asking and reads nothing", async () => {
    await using server = startMcp(root, env());
    await server.ask("initialize", HELLO);
    server.child.stdout.pause();
    const many = Array.from({ length: 3_000 }, (_, id) => JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list" }));
    await server.send(`${many.join("\n")}\n`);
    await sleep(500);
    const usualMs = countUsualMs();
    const gone = once(server.child, "exit");
    server.child.kill("SIGTERM");
    expect(await gone).toEqual([143, null]);
    expect(usualMs()).toBeLessThan(10_000);
  });

  it("updates the index once a client connects, but only of a repository", async () => {
    const ready = `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`;
    const states = [];
    for (const folder of [root, makeFolder(SHOP)]) {
      const state = makeFolder();
      await using server = startMcp(folder, env({ CI_AUTO_TOOLS_INDEX: "auto", GROUNDWORK_HOME: state }));
      await server.ask("initialize", HELLO);
      await server.send(ready);
      const indexed = () =>
        readdirSync(state, { recursive: true, encoding: "utf8" }).some((name) => name.endsWith("index.db"));
      if (folder === root) await until(indexed);
      else await sleep(1_500);
      states.push(indexed());
      await server.end();
    }
    expect(states).toEqual([true, false]);
    // The builder exits by itself.
    await expect.poll(() => findLeftProcesses(marker)).toEqual([]);
  });

  it("reports progress while it builds an index, and answers questions meanwhile", async () => {
    const more = { CI_AUTO_TOOLS_INDEX: "auto", GROUNDWORK_HOME: makeFolder() };
    await using server = startMcp(root, env(more));
    await server.ask("initialize", HELLO);
    const params = { name: "ci_index", arguments: { action: "build" }, _meta: { progressToken: "t" } };
    const [built] = await Promise.all([server.ask("tools/call", params), server.ask("tools/call", SEARCH)]);
    expect(JSON.stringify(built.result)).toMatch(/ready \(7 files\)|being built/);
    const steps = server.answers.flatMap((answer) =>
      answer.method === "notifications/progress" ? [answer.params] : [],
    );
    expect(steps.length).toBeGreaterThan(0);
    expect(steps[0]).toMatchObject({ progressToken: "t", total: 400, message: expect.stringMatching(/\w/) });
    const values = steps.map((step) => Number(step?.["progress"]));
    expect(values).toEqual(values.toSorted((a, b) => a - b));
  });

  it("[HOOK-8] a call blocked by a hook is an error with the hook's full message; a warning is passed on", async () => {
    const rule = (matcher: string, command: string) => ({ matcher, hooks: [{ type: "command", command }] });
    const home = makeFolder({
      ".groundwork/hooks/beforeToolCall.json": JSON.stringify([
        rule("ci_complexity", "echo seen; echo 'no numbers here' >&2; exit 2"),
        rule("ci_search", "echo careful; exit 1"),
      ]),
    });
    await using server = startMcp(root, env({ HOME: home }));
    const blocked = await server.ask("tools/call", { name: "ci_complexity", arguments: { path: "src/price.ts" } });
    expect(blocked.result?.["isError"]).toBe(true);
    const said = JSON.stringify(blocked.result);
    for (const part of ["exit 2", "Exit code: 2", "seen", "no numbers here"]) expect(said).toContain(part);
    const warned = await server.ask("tools/call", SEARCH);
    expect(warned.result?.["isError"]).toBeUndefined();
    expect(JSON.stringify(warned.result?.["structuredContent"])).toContain("careful");
  });

  it("hooks of an untrusted repository do not run, and this is reported", async () => {
    const hostile = makeFolder({
      ...GIT_FILES,
      ...SHOP,
      ".groundwork/hooks/beforeToolCall.json": JSON.stringify([{ hooks: [{ type: "command", command: "touch ran" }] }]),
    });
    await using server = startMcp(hostile, env());
    const { result } = await server.ask("tools/call", SEARCH);
    expect(JSON.stringify(result)).toContain("groundwork trust");
    expect(existsSync(join(hostile, "ran"))).toBe(false);
  });

  it("works on the repository named by the client", async () => {
    const elsewhere = makeFolder();
    await using byProject = startMcp(elsewhere, env({ CLAUDE_PROJECT_DIR: root }));
    expect(JSON.stringify((await byProject.ask("tools/call", SEARCH)).result)).toContain("src/price.ts");
    await using byCall = startMcp(elsewhere, env());
    const meta = { "x-codex-turn-metadata": { workspaces: { [root]: {} } } };
    expect(JSON.stringify((await byCall.ask("tools/call", { ...SEARCH, _meta: meta })).result)).toContain(
      "src/price.ts",
    );
    expect(JSON.stringify((await byCall.ask("tools/call", SEARCH)).result)).not.toContain("src/price.ts");
  });

  it("survives settings that cannot be read", async () => {
    const home = makeFolder({ ".groundwork/auto-tools.yaml": "a: [" });
    await using server = startMcp(root, env({ HOME: home }));
    for (let at = 0; at < 2; at++) expect((await server.ask("tools/call", SEARCH)).result).toBeDefined();
    expect((await server.ask("ping")).result).toEqual({});
  });
});
