import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "./support/doors.ts";
import { runDoor } from "./support/run-door.ts";
import { SHOP } from "./support/shop-repo.ts";
import { GIT_FILES, makeFolder } from "./support/temp-folder.ts";

const cli = join(projectRoot, "dist", "cli.cjs");
const docs = readFileSync(join(projectRoot, "docs", "tool-hooks.md"), "utf8");
/** Returns an example from the documentation, by the word after its language. */
const example = (name: string) => new RegExp(`\`\`\`\\w+ ${name}\n(.*?)\`\`\``, "s").exec(docs)?.[1] ?? "";

interface Place {
  readonly root: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Makes a repository and a home with these hooks. */
function makePlace(hooks: Readonly<Record<string, string>>): Place {
  const root = makeFolder({ ...GIT_FILES, ...SHOP });
  const home = makeFolder({});
  mkdirSync(join(home, ".groundwork", "hooks"), { recursive: true, mode: 0o700 });
  for (const [type, text] of Object.entries(hooks))
    writeFileSync(join(home, ".groundwork", "hooks", `${type}.json`), text);
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    GROUNDWORK_HOME: join(home, "state"),
    CI_AUTO_TOOLS_INDEX: "off",
  };
  return { root, home, env };
}

const rule = (command: string, more: object = {}) =>
  JSON.stringify([{ hooks: [{ type: "command", command }], ...more }]);

/** Makes a place with hooks that log every call, and a function that reads the log. */
function makeLogged() {
  // One write per line, because the hooks of concurrent tools also run concurrently.
  const command = (moment: string) => `line=$(cat); echo "${moment} $line" >> "$HOME/log"`;
  const place = makePlace({ beforeToolCall: rule(command("before")), afterToolCall: rule(command("after")) });
  const counts = () => {
    const seen: Record<string, number> = {};
    for (const line of readFileSync(join(place.home, "log"), "utf8").trimEnd().split("\n")) {
      const key = `${line.split(" ")[0]} ${/"toolName":"([\w-]+)"/.exec(line)?.[1]}`;
      seen[key] = (seen[key] ?? 0) + 1;
    }
    return seen;
  };
  return { ...place, counts };
}

function callTool({ root, env }: Place, ...args: string[]) {
  return spawnSync(process.execPath, [cli, "call", ...args], { cwd: root, env, encoding: "utf8" });
}

/** How often hooks ran, by caller: the record that the last test checks. */
const record = new Map<string, Readonly<Record<string, number>>>();

/** Sends requests to the MCP server, one after the other; returns its answers. */
function askServer({ root, env }: Place, requests: readonly object[]): unknown[] {
  const input = requests.map((request, at) => JSON.stringify({ jsonrpc: "2.0", id: at, ...request })).join("\n");
  const done = spawnSync(process.execPath, [cli, "mcp"], { cwd: root, env, input: `${input}\n`, encoding: "utf8" });
  return done.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

describe("[HOOK-10] hooks run once for every call, through every door", () => {
  const QUESTION = { question: "Which?", options: ["a"] };
  const once = (...tools: string[]) =>
    Object.fromEntries(tools.flatMap((tool) => [`before ${tool}`, `after ${tool}`]).map((key) => [key, 1]));

  it("groundwork call: an ordinary tool, and the one that asks a person", () => {
    const place = makeLogged();
    expect(callTool(place, "ci_search", '{"query":"priceOf"}').status).toBe(0);
    const asked = callTool(place, "askuser-ask_question", JSON.stringify(QUESTION));
    expect([asked.status, asked.stderr]).toEqual([40, expect.stringContaining("nobody to ask")]);
    record.set("cli: groundwork call", place.counts());
    expect(place.counts()).toEqual(once("ci_search", "askuser-ask_question"));
  });

  it("the MCP server, over its own pipe", () => {
    const place = makeLogged();
    const clientInfo = { name: "test", version: "1" };
    const answers = askServer(place, [
      { method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } },
      { method: "tools/call", params: { name: "ci_search", arguments: { query: "priceOf" } } },
      { method: "tools/call", params: { name: "askuser-ask_question", arguments: QUESTION } },
    ]);
    expect(JSON.stringify(answers)).toContain("src/price.ts");
    record.set("mcp: the server, over standard input and output", place.counts());
    expect(place.counts()).toEqual(once("ci_search", "askuser-ask_question"));
  });

  it("[HOOK-5] a sub-agent: once for each step, and once for the investigation itself", () => {
    const place = makeLogged();
    const asked = callTool(place, "ci_investigate", '{"question":"why is priceOf negative?","max_steps":3}', "--json");
    const { data } = JSON.parse(asked.stdout) as { data: { steps: { tool: string; status: string }[] } };
    const steps = data.steps.filter(({ status }) => status !== "skipped").map(({ tool }) => tool);
    expect(steps.length).toBeGreaterThan(1);
    const wanted: Record<string, number> = { ...once("ci_investigate") };
    for (const tool of steps)
      for (const moment of ["before", "after"]) wanted[`${moment} ${tool}`] = (wanted[`${moment} ${tool}`] ?? 0) + 1;
    record.set(`subagent: ci_investigate, ${steps.length} steps (${steps.join(", ")})`, place.counts());
    expect(place.counts()).toEqual(wanted);
  });

  it("an automatic run: every tool of the plan", async () => {
    const place = makeLogged();
    const { stdout } = await runDoor({ cwd: place.root, env: place.env, input: '{"prompt":"how does priceOf work?"}' });
    expect(stdout.toString("utf8")).toContain("src/price.ts");
    record.set("auto: the hook, a question about code", place.counts());
    expect(place.counts()).toEqual(once("ci_index_status", "ci_search", "ci_graph_rag"));
  });

  it("[G D.11] the library only reads, unless its caller says that a person asked", () => {
    const { root, env } = makePlace({});
    const call = { id: "1", type: "function", function: { name: "ci_index", arguments: '{"action":"clear"}' } };
    const ask = (options: object) => {
      const script = `require(process.argv[1]).executeToolCall(${JSON.stringify(call)}, ${JSON.stringify(options)})
        .then((result) => console.log(result.content));`;
      const args = ["-e", script, join(projectRoot, "dist", "library.cjs")];
      return execFileSync(process.execPath, args, { cwd: root, env, encoding: "utf8" });
    };
    expect(ask({})).toContain("does not declare itself read-only");
    expect(ask({ origin: "cli" })).toContain("cleared");
  });

  it("the library: calls in order, asking the person through the caller", () => {
    const place = makeLogged();
    const calls = [
      { id: "1", type: "function", function: { name: "ci_search", arguments: '{"query":"priceOf"}' } },
      { id: "2", type: "function", function: { name: "askuser-ask_question", arguments: JSON.stringify(QUESTION) } },
    ];
    const script = `const { executeToolCalls } = require(process.argv[1]);
      executeToolCalls(${JSON.stringify(calls)}, { onUserInteractionNeeded: async (q, options) => ({ selected: options }) })
        .then((results) => console.log(JSON.stringify(results)));`;
    const out = execFileSync(process.execPath, ["-e", script, join(projectRoot, "dist", "library.cjs")], {
      cwd: place.root,
      env: place.env,
      encoding: "utf8",
    });
    const results = JSON.parse(out) as { tool_call_id: string; content: string }[];
    expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual(["1", "2"]);
    expect(results[0]?.content).toContain("src/price.ts");
    expect(JSON.parse(results[1]?.content ?? "")).toEqual({ answer: "a", selected: ["a"], customInput: "" });
    record.set("cli: the library", place.counts());
    expect(place.counts()).toEqual(once("ci_search", "askuser-ask_question"));
  });

  it("[HOOK-14] the record of all these calls is written", () => {
    const rows = [...record].flatMap(([who, counts]) =>
      Object.entries(counts).map(([key, count]) => {
        const [moment = "", tool = ""] = key.split(" ");
        return `| ${who} | \`${tool}\` | ${moment} | ${count} |`;
      }),
    );
    const head =
      "# How often hooks ran\n\nChecked by `tests/tool-hooks.test.ts`, counted by real hook scripts; one call of each tool unless noted.\n\n";
    const text = `${head}| who called | tool | hook | runs |\n| --- | --- | --- | --- |\n${rows.toSorted().join("\n")}\n`;
    // If this fails, update the page by hand with the text that is expected here.
    expect(readFileSync(join(projectRoot, "docs", "hook-record.md"), "utf8")).toBe(text);
  });
});

describe("[HOOK-8] groundwork call reports what hooks did", () => {
  it("a blocked call does not exit with 0, and the hook's message is printed", () => {
    const place = makePlace({ beforeToolCall: rule("echo out; echo err >&2; exit 2") });
    const { status, stdout, stderr } = callTool(place, "ci_search", '{"query":"priceOf"}');
    expect([status, stdout]).toEqual([40, ""]);
    expect(stderr).toContain("hook echo out; echo err >&2; exit 2 (exit 2)\nout\nerr\n");
    const json = callTool(place, "ci_search", '{"query":"priceOf"}', "--json");
    expect([json.status, JSON.parse(json.stdout)]).toMatchObject([
      40,
      {
        status: "error",
        hookFailed: true,
        hookErrorDetails: { type: "error", exitCode: 2, output: "out\n", error: "err\n" },
      },
    ]);
  });

  it("a call that failed after its hooks does not either; one with a warning does", () => {
    expect(callTool(makePlace({ afterToolCall: rule("exit 3") }), "ci_search", '{"query":"priceOf"}').status).toBe(40);
    const warned = callTool(makePlace({ afterToolCall: rule("echo hm; exit 1") }), "ci_search", '{"query":"priceOf"}');
    expect([warned.status, warned.stderr]).toEqual([0, "hook echo hm; exit 1 (exit 1)\nhm\n"]);
    expect(warned.stdout).toContain("src/price.ts");
  });

  it("invalid input is reported with what to do", () => {
    const place = makePlace({});
    expect(callTool(place, "ci_search", "{").stderr).toContain("the arguments are not valid JSON");
    expect(callTool(place, "ci_search", "[]").stderr).toContain("must be a JSON object");
    expect(callTool(place).status).toBe(2);
    const unknown = callTool(place, "ci_nothing", "{}");
    expect([unknown.status, unknown.stderr]).toEqual([40, "groundwork: unknown tool ci_nothing\n"]);
    const rejected = callTool(place, "ci_search", '{"query":7}');
    expect([rejected.status, rejected.stderr]).toEqual([40, "groundwork: ci_search: args rejected (query)\n"]);
  });

  it("a broken hook file is reported, and the call proceeds", () => {
    const { status, stdout } = callTool(makePlace({ beforeToolCall: "{" }), "ci_search", '{"query":"priceOf"}');
    expect(status).toBe(0);
    expect(stdout).toContain("src/price.ts:4");
    expect(stdout).toMatch(/^\[Limits\] ~\/\.groundwork\/hooks\/beforeToolCall\.json: not valid JSON; not run$/m);
  });

  it("[decision 8] a repository's hooks run only once trusted, and not after a change", () => {
    const place = makePlace({});
    const file = join(place.root, ".groundwork", "hooks", "beforeToolCall.json");
    mkdirSync(join(place.root, ".groundwork", "hooks"), { recursive: true });
    writeFileSync(file, rule('touch "$HOME/ran"; exit 2'));
    const before = callTool(place, "ci_search", '{"query":"priceOf"}');
    expect([before.status, existsSync(join(place.home, "ran"))]).toEqual([0, false]);
    expect(before.stdout).toContain("not run until you trust it");
    const trusted = spawnSync(process.execPath, [cli, "trust", "--yes"], { cwd: place.root, env: place.env });
    expect(trusted.status).toBe(0);
    expect(callTool(place, "ci_search", '{"query":"priceOf"}').status).toBe(40);
    expect(existsSync(join(place.home, "ran"))).toBe(true);
    writeFileSync(file, rule("exit 3"));
    expect(callTool(place, "ci_search", '{"query":"priceOf"}').status).toBe(0);
  });
});

describe("[HOOK-14] the documented examples", () => {
  it("the audit log has one line per call", () => {
    const place = makePlace({ afterToolCall: example("audit-log") });
    callTool(place, "ci_search", '{"query":"priceOf"}');
    callTool(place, "ci_index_status", "{}");
    const lines = readFileSync(join(place.home, "tool-calls.jsonl"), "utf8").trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { toolName: string }).toolName)).toEqual([
      "ci_search",
      "ci_index_status",
    ]);
  });

  it("a path is kept out of the log", () => {
    const place = makePlace({ beforeToolCall: example("block-a-path") });
    const { status, stderr } = callTool(place, "ci_complexity", '{"path":"billing/x.ts"}');
    expect([status, stderr]).toEqual([40, expect.stringContaining("billing/ is off limits")]);
    expect(callTool(place, "ci_complexity", '{"path":"src/price.ts"}').status).toBe(0);
  });

  it("the desktop is notified of failed calls only", () => {
    const place = makePlace({ afterToolCall: example("desktop-notification") });
    const bin = makeFolder({ "notify-send": '#!/bin/sh\necho "$1" >> "$HOME/notes"\n' });
    execFileSync("chmod", ["+x", join(bin, "notify-send")]);
    const told = { ...place, env: { ...place.env, PATH: `${bin}:${process.env["PATH"]}` } };
    expect(callTool(told, "ci_search", '{"query":"priceOf"}').status).toBe(0);
    expect(existsSync(join(place.home, "notes"))).toBe(false);
    callTool(told, "ci_complexity", '{"path":"nowhere.ts"}');
    expect(readFileSync(join(place.home, "notes"), "utf8")).toBe("A tool call failed\n");
  });

  it("the example program compiles and runs", () => {
    const place = makePlace({});
    const folder = makeFolder({ "package.json": '{"type":"module"}', "use.ts": example("library") });
    mkdirSync(join(folder, "node_modules", "@types"), { recursive: true });
    symlinkSync(projectRoot, join(folder, "node_modules", "groundwork"));
    symlinkSync(join(projectRoot, "node_modules", "@types", "node"), join(folder, "node_modules", "@types", "node"));
    const tsc = join(projectRoot, "node_modules", "typescript", "bin", "tsc");
    const options = ["--module", "nodenext", "--target", "es2023", "--strict", "--types", "node"];
    execFileSync(process.execPath, [tsc, ...options, "use.ts"], { cwd: folder });
    const out = execFileSync(process.execPath, [join(folder, "use.js")], {
      cwd: place.root,
      env: place.env,
      encoding: "utf8",
    });
    expect(out).toMatch(/^1 false \{/);
    expect(out).toContain('2 false {"answer":"a"');
  });
});
