import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { projectRoot } from "../../../tests/support/doors.ts";
import { type Answering, type HttpServer, serveHttp } from "../../../tests/support/mcp-server.mjs";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { countUsualMs } from "../../../tests/support/timed.ts";
import { until } from "../../../tests/support/until.ts";
import { systemClock } from "../../base/clock.ts";
import { stopAllPrograms } from "../../base/subprocess/spawn.ts";
import { type McpServer, readServers } from "../../config/mcp-servers.ts";
import { type Limit, toLimitTexts } from "../../contract/limits.ts";
import type { CallOrigin } from "../../contract/tool.ts";
import { NO_TOOL_HOOKS } from "../../contract/tool-hooks.ts";
import { executeToolCall, type LifecycleDeps } from "../../lifecycle/tool-executor.ts";
import { makeRouter } from "../../lifecycle/tool-router.ts";
import { makeExternalTools } from "./external-tools.ts";

const script = join(projectRoot, "tests/support/mcp-server.mjs");
const root = makeFolder({ "src/a.ts": "", "src/b.ts": "" });
const home = makeFolder({ mine: "" });
const env = { PATH: process.env["PATH"], HOME: home, SECRET: "hidden-from-all-1", OTHER: "not passed on" };

afterAll(stopAllPrograms);

/** A test server, with its settings. */
function programs(mode: string, more: Record<string, unknown> = {}): readonly McpServer[] {
  return listed({ command: process.execPath, args: [script, mode, "{root}"], timeout_ms: 20_000, ...more });
}

function listed(entry: Record<string, unknown>): readonly McpServer[] {
  const limits: Limit[] = [];
  const servers = readServers(new Map([["test", toMap(entry)]]), "the file", limits);
  expect(limits).toEqual([]);
  return servers;
}

function toMap(value: unknown): never {
  if (Array.isArray(value) || typeof value !== "object" || value === null) return value as never;
  return new Map(Object.entries(value).map(([key, item]) => [key, toMap(item)])) as never;
}

function call(
  servers: readonly McpServer[],
  tool: string,
  args: Record<string, unknown> = {},
  {
    origin = "cli",
    timeoutMs = 20_000,
    ...more
  }: Partial<LifecycleDeps> & { origin?: CallOrigin; timeoutMs?: number } = {},
) {
  return executeToolCall(
    { tool, args, origin },
    {
      router: makeRouter([], makeExternalTools(servers, { env, root }).find),
      hooks: NO_TOOL_HOOKS,
      cwd: root,
      askUser: null,
      ruleOf: ({ ceilings }) => ({ timeoutMs, ceilings }),
      root,
      isExcluded: () => false,
      usesIndex: false,
      prompt: "",
      env,
      clock: systemClock,
      signal: new AbortController().signal,
      ...more,
    },
  );
}

const textOf = (data: unknown) => (data as { texts: string[] }).texts[0] ?? "";
/** The server's report about its own environment, by name. */
const surroundingsOf = (data: unknown): Record<string, string> =>
  Object.fromEntries(
    textOf(data)
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
const isAlive = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));

describe("tools of an MCP server over its standard input and output", () => {
  const servers = programs("stdio", { env: { TOKEN: `\${SECRET}`, API_KEY: "kX93jfPq0s72LmZ1", PLACE: "/usr/share" } });

  it("are called like ours: their answers are data and are cleaned", async () => {
    const { result, version } = await call(servers, "test__notes", { topic: "tax" });
    expect(result).toMatchObject({
      tool: "test__notes",
      status: "ok",
      summary: "first note on tax",
      data: { texts: ["first note on tax", "second note, Bearer <redacted>"], structured: null },
      redactions: [{ kind: "bearer-token", count: 1 }],
    });
    expect(version).toBe("7.1.0");
  });

  it("[ATO-PATH-4] entries about paths outside the root are dropped", async () => {
    const { result, limits } = await call(servers, "test__find", { query: "x" });
    expect(JSON.stringify(result.data)).not.toContain("outside");
    expect(toLimitTexts(limits)).toEqual(["1 result from excluded or sensitive paths left out"]);
  });

  it("leaves out what is not text, and reports it", async () => {
    const { limits } = await call(servers, "test__notes", { topic: "tax" });
    expect(toLimitTexts(limits)).toEqual(["test__notes: 1 part of the answer left out: not text"]);
  });

  it("runs one server per process, in the home folder, with few variables and those of the settings, their values hidden", async () => {
    const { result } = await call(servers, "test__surroundings");
    const seen = surroundingsOf(result.data);
    expect(seen).toMatchObject({
      mode: "stdio",
      cwd: "home",
      files: "mine",
      root: "src",
      "env.HOME": expect.any(String),
    });
    expect(seen).toMatchObject({ "env.TOKEN": "[hidden]", "env.API_KEY": "[hidden]", "env.PLACE": "/usr/share" });
    expect([seen["env.OTHER"], seen["env.SECRET"]]).toEqual([undefined, undefined]);
    expect(surroundingsOf((await call(servers, "test__surroundings")).result.data)["pid"]).toBe(seen["pid"]);
  });

  it("progress is passed on", async () => {
    const seen: unknown[] = [];
    await call(servers, "test__progress", {}, { report: (progress) => seen.push(progress) });
    expect(seen).toEqual([{ done: 1, of: 2 }]);
  });

  it("concurrent calls get their own answers", async () => {
    const answers = await Promise.all([300, 10, 100].map((ms) => call(servers, "test__slow", { ms })));
    expect(answers.map(({ result }) => result.summary)).toEqual(["after 300 ms", "after 10 ms", "after 100 ms"]);
  });

  it("[ATO-SEC-6] arguments are checked before the server sees them, as far as its schema is simple", async () => {
    const missing = await call(servers, "test__find", {});
    expect(missing.result).toMatchObject({ status: "skipped", error: { code: "E_INVALID_ARGS" } });
    expect(toLimitTexts(missing.limits)).toEqual(["test__find: args rejected (query)"]);
    expect((await call(servers, "test__find", { query: 1 })).fault?.code).toBe("E_INVALID_ARGS");
  });

  it("reports unknown tools and servers, with the nearest names", async () => {
    expect((await call(servers, "test__fimd")).fault).toEqual({
      code: "E_TOOL_UNAVAILABLE",
      message: "MCP server test has no tool fimd; did you mean find?",
      hint: expect.stringMatching(/^it offers \d+ tools$/),
    });
    expect((await call(servers, "other__find")).fault).toEqual({
      code: "E_TOOL_UNAVAILABLE",
      message: "unknown tool other__find",
      hint: "your settings list no MCP server other",
    });
    expect((await call(servers, "find")).fault?.message).toBe("unknown tool find");
  });

  it("an error reported by a tool becomes a fault with its text", async () => {
    const { fault } = await call(servers, "test__fails");
    expect(fault).toEqual({
      code: "E_TOOL_UNAVAILABLE",
      message: "MCP server test: the tool failed: the disk is full",
    });
  });

  it("noise on standard output is ignored", async () => {
    expect((await call(servers, "test__noisy")).result).toMatchObject({ status: "ok", summary: "heard" });
  });

  it("an answer too large for any model is refused", async () => {
    const { fault } = await call(servers, "test__large");
    expect(fault).toMatchObject({
      code: "E_BUDGET_EXCEEDED",
      message: expect.stringContaining("Content is too large"),
    });
  });

  it("[HOOK-1] [HOOK-6] hooks run once each with the arguments that the server gets, and not for an invalid call", async () => {
    const log = join(makeFolder(), "log");
    const rule = {
      matcher: [{ field: "toolName", pattern: "test__*" }],
      actions: [{ command: `cat >> ${log}; echo >> ${log}`, timeoutMs: 20_000 }],
    };
    const hooks = { before: [rule], after: [rule], limits: [] };
    await call(servers, "test__notes", { topic: "tax" }, { hooks });
    const seen = readFileSync(log, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(seen).toMatchObject([
      { toolName: "test__notes", args: { topic: "tax" } },
      { toolName: "test__notes", args: { topic: "tax" }, error: null },
    ]);
    await call(servers, "test__nothing", {}, { hooks });
    await call(servers, "test__find", {}, { hooks });
    await call(servers, "test__remember", { topic: "x" }, { hooks, origin: "auto" });
    expect(readFileSync(log, "utf8").trim().split("\n")).toHaveLength(2);
  });

  it("[ATO-SEC-1] a tool that is not declared read-only runs only for a person", async () => {
    expect((await call(servers, "test__remember", { topic: "x" })).result.summary).toBe("wrote x");
    for (const origin of ["auto", "mcp", "subagent"] as const) {
      const { fault, limits } = await call(servers, "test__remember", { topic: "x" }, { origin });
      expect(fault?.code).toBe("E_TOOL_UNAVAILABLE");
      expect(limits[0]?.text).toBe("test__remember: does not declare itself read-only; run only when you ask for it");
    }
  });
});

describe("a server that fails: a clear fault for that call, and the next call starts it again", () => {
  const servers = programs("stdio", { env: { MARK: "of-this-test" } });
  const pid = async () => Number(surroundingsOf((await call(servers, "test__surroundings")).result.data)["pid"]);

  it("dies during a call: its last output is reported, without its secrets", async () => {
    const before = await pid();
    const { fault, result } = await call(servers, "test__dies");
    expect(fault).toMatchObject({ code: "E_TOOL_UNAVAILABLE", hint: "the next call starts it again" });
    expect(fault?.message).toMatch(/^MCP server test ended \(exit code 3\): panic: token=\S*redacted\S* is bad$/);
    expect(JSON.stringify(result)).not.toContain("ghp_0");
    expect(await pid()).not.toBe(before);
  });

  it("hangs or blocks: ends at the limit and is not kept", async () => {
    for (const tool of ["hangs", "blocks"]) {
      const before = await pid();
      const { fault, result } = await call(servers, `test__${tool}`, {}, { timeoutMs: 2_000 });
      expect([fault?.code, result.status]).toEqual(["E_TIMEOUT", "timeout"]);
      expect(fault?.message).toMatch(/^MCP server test gave no answer within \d+ ms$/);
      expect(await pid()).not.toBe(before);
      await until(() => !isAlive(before));
    }
  });

  it("a slow call does not end others", async () => {
    const slow = call(servers, "test__slow", { ms: 1_500 });
    const { fault } = await call(servers, "test__hangs", {}, { timeoutMs: 300 });
    expect(fault?.code).toBe("E_TIMEOUT");
    expect((await slow).result).toMatchObject({ status: "ok", summary: "after 1500 ms" });
  });

  it("answers with broken JSON: fails at once", async () => {
    const { fault } = await call(servers, "test__broken-json");
    expect(fault).toMatchObject({
      code: "E_PARSE",
      message: "MCP server test answered with something other than an MCP message",
    });
    expect((await call(servers, "test__noisy")).result.status).toBe("ok");
  });

  it("prints something other than an answer: reported as garbled, not as silent", async () => {
    const { fault } = await call(servers, "test__chatter", {}, { timeoutMs: 2_000 });
    expect(fault?.code).toBe("E_PARSE");
  });

  it("answers endlessly: is stopped, and nothing is stored", async () => {
    const { fault } = await call(servers, "test__huge");
    expect(fault).toMatchObject({
      code: "E_BUDGET_EXCEEDED",
      message: expect.stringContaining("more than 4194304 bytes"),
    });
  });

  it("the caller goes away: does not wait", async () => {
    await pid();
    const usualMs = countUsualMs();
    const { fault } = await call(servers, "test__slow", { ms: 20_000 }, { signal: AbortSignal.timeout(200) });
    expect(fault?.code).toBe("E_TIMEOUT");
    expect(usualMs()).toBeLessThan(5_000);
  });

  it.each([
    ["exit", 20_000, "E_TOOL_UNAVAILABLE", "MCP server test ended (exit code 9): cannot find its database"],
    ["mute", 700, "E_TIMEOUT", "MCP server test was not ready within 700 ms"],
    ["garbage", 1_500, "E_PARSE", "MCP server test answered with something other than an MCP message"],
    ["flood", 20_000, "E_BUDGET_EXCEEDED", "MCP server test answered with more than 4194304 bytes"],
  ])("at its start: %s", async (mode, timeout_ms, code, message) => {
    const { fault } = await call(programs(mode, { timeout_ms }), "test__find", { query: "x" });
    expect(fault).toMatchObject({ code, message });
  });

  it("a program, a folder or a variable is missing", async () => {
    const none = await call(listed({ command: "no-such-program-here" }), "test__find");
    expect(none.fault?.message).toBe("MCP server test: there is no program no-such-program-here");
    const nowhere = await call(programs("stdio", { cwd: "{root}/nowhere" }), "test__find");
    expect(nowhere.fault?.message).toBe(`MCP server test: there is no folder ${root}/nowhere`);
    const folder = await call(listed({ command: root }), "test__find");
    expect(folder.fault?.message).toBe(`MCP server test: there is no program ${root}`);
    const bare = await call(programs("stdio", { env: { A: `\${NOT_SET_AT_ALL}` } }), "test__find");
    expect(bare.fault?.message).toBe("MCP server test: the variable NOT_SET_AT_ALL is not set");
  });

  it("ends with everything that it started", async () => {
    const own = programs("stdio", { env: { MARK: "with-child" } });
    const file = join(makeFolder(), "pid");
    const { result } = await call(own, "test__leaves-child", { file });
    const [server, child] = [Number(textOf(result.data)), Number(readFileSync(file, "utf8"))];
    expect([isAlive(server), isAlive(child)]).toEqual([true, true]);
    await call(own, "test__dies");
    await until(() => !isAlive(server) && !isAlive(child));
  });
});

describe("tools of an MCP server over HTTP", () => {
  const opened: HttpServer[] = [];
  afterEach(async () => {
    for (const server of opened.splice(0)) await server.close();
  });
  const open = async () => {
    const server = await serveHttp();
    opened.push(server);
    return {
      ...server,
      servers: listed({ url: server.url, headers: { "X-Key": `Key \${SECRET}` }, timeout_ms: 20_000 }),
    };
  };
  it("are called like any other; the headers go to that address alone, and no stream is kept open", async () => {
    const { servers, requests } = await open();
    const { result } = await call(servers, "test__notes", { topic: "tax" });
    expect(result).toMatchObject({ status: "ok", summary: "first note on tax" });
    expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(["POST"]));
    expect(new Set(requests.map(({ headers }) => headers["x-key"]))).toEqual(new Set([`Key ${env.SECRET}`]));
  });

  it("a redirect to another host is not followed", async () => {
    const { servers, state } = await open();
    const other = await open();
    state.answer = (outgoing: Answering) => outgoing.writeHead(307, { location: other.url }).end();
    const { fault } = await call(servers, "test__notes", { topic: "tax" });
    expect(fault).toMatchObject({ code: "E_TOOL_UNAVAILABLE", message: expect.stringMatching(/^MCP server test/) });
    expect(other.requests).toEqual([]);
  });

  it.each([
    ["401", (to: Answering) => to.writeHead(401).end(`no entry with ${env.SECRET}`), "E_TOOL_UNAVAILABLE"],
    ["500", (to: Answering) => to.writeHead(500).end(`no entry with ${env.SECRET}`), "E_TOOL_UNAVAILABLE"],
    ["a page", (to: Answering) => to.writeHead(200, { "content-type": "text/html" }).end("<html>"), "E_PARSE"],
    ["broken JSON", (to: Answering) => to.writeHead(200, { "content-type": "application/json" }).end("{"), "E_PARSE"],
    [
      "other JSON",
      (to: Answering) => to.writeHead(200, { "content-type": "application/json" }).end('{"a":1}'),
      "E_PARSE",
    ],
    ["a cut connection", (to: Answering) => to.destroy(), "E_TOOL_UNAVAILABLE"],
    ["silence", () => {}, "E_TIMEOUT"],
    [
      "too much",
      (to: Answering) => to.writeHead(200, { "content-type": "application/json" }).end("[".repeat(5_000_000)),
      "E_BUDGET_EXCEEDED",
    ],
  ])("%s: a clear fault, at first and later, and then it works again", async (_name, answer, code) => {
    const { servers, state, requests } = await open();
    const hurried = servers.map((server) => ({ ...server, timeoutMs: 1_500 }));
    state.answer = answer;
    const first = await call(hurried, "test__notes", { topic: "tax" });
    expect(first.fault).toMatchObject({ code, message: expect.stringMatching(/^MCP server test /) });
    state.answer = null;
    expect((await call(servers, "test__notes", { topic: "tax" })).result.status).toBe("ok");
    state.answer = answer;
    const later = await call(servers, "test__notes", { topic: "tax" }, { timeoutMs: 1_500 });
    expect(later.fault).toMatchObject({ code, message: expect.stringMatching(/^MCP server test /) });
    expect(JSON.stringify([first, later])).not.toContain(env.SECRET);
    state.answer = null;
    expect((await call(servers, "test__notes", { topic: "tax" })).result.status).toBe("ok");
    expect(requests.length).toBeGreaterThan(4);
  });

  it("nothing listens there", async () => {
    const { servers } = await open();
    for (const server of opened.splice(0)) await server.close();
    const { fault } = await call(servers, "test__notes", { topic: "tax" });
    expect(fault).toMatchObject({
      code: "E_TOOL_UNAVAILABLE",
      message: "MCP server test cannot be reached: ECONNREFUSED",
    });
  });
});
