import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { basename, join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { codexAutoDoor, groundwork, projectRoot, QUIET } from "./support/doors.ts";
import { makeFakeCodex } from "./support/fake-codex.ts";
import { killMarked, MARKER } from "./support/leftovers.ts";
import { startLoopbackServer } from "./support/loopback-server.ts";
import { mcpDoor, startMcp } from "./support/mcp-process.ts";
import { NO_NODE } from "./support/resident-place.ts";
import { runDoor } from "./support/run-door.ts";
import { SHOP } from "./support/shop-repo.ts";
import { GIT_FILES, makeFolder } from "./support/temp-folder.ts";

/** Logs the system calls of a program and of all its child processes. */
const WATCHER = "strace";
const QUESTION = "who calls priceOf in the secret cart of Miller Ltd?";
const marker = crypto.randomUUID();
afterEach(() => killMarked(marker));
afterAll(() => killMarked(marker));

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, string> }[];
  readonly status: { readonly code?: number };
}

interface Posted {
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Starts a collector that records what it receives. */
async function startCollector() {
  const posted: Posted[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      posted.push({ path: request.url ?? "", headers: request.headers, text: Buffer.concat(chunks).toString("utf8") });
      response.end("{}");
    });
  };
  const server = await startLoopbackServer(listener);
  return Object.assign(server, { posted });
}

function makePlace(more: Readonly<Record<string, string>> = {}) {
  const home = makeFolder();
  const root = makeFolder({ ...GIT_FILES, ...SHOP });
  mkdirSync(join(home, "state"), { mode: 0o700 });
  const codex = makeFakeCodex("echo answered");
  const env: Record<string, string> = {
    PATH: codex.path,
    HOME: home,
    GROUNDWORK_HOME: join(home, "state"),
    ...QUIET,
    [MARKER]: marker,
    ...more,
  };
  const run = (command: string, ...args: string[]) => spawnSync(command, args, { cwd: root, env, encoding: "utf8" });
  const askHook = async (prompt = QUESTION) => {
    const { code, stdout } = await runDoor({ cwd: root, env, input: JSON.stringify({ prompt, cwd: root }) });
    expect(code).toBe(0);
    return stdout.toString("utf8");
  };
  return { home, root, env, run, askHook };
}

const spansOf = ({ text }: Posted): Span[] => JSON.parse(text).resourceSpans[0].scopeSpans[0].spans;
const readAttributes = ({ attributes }: Pick<Span, "attributes">) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** Returns each span with its parent, as `parent > span`. */
function treeOf(spans: readonly Span[]): string[] {
  const nameOf = (id: string | undefined) => spans.find(({ spanId }) => spanId === id)?.name ?? "";
  return spans.map(({ name, parentSpanId }) => `${nameOf(parentSpanId)} > ${name}`);
}

describe("[K 6] traces, if the user wants them", () => {
  it("a run is a workflow with its stages and calls, by the conventions for generative AI", async () => {
    await using collector = await startCollector();
    const { askHook } = makePlace({
      GROUNDWORK_OTEL: "1",
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/base/`,
      OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b",
      OTEL_SERVICE_NAME: "mine",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=test",
    });
    const before = Date.now();
    const said = await askHook();
    await expect.poll(() => collector.posted.length).toBe(1);
    const [posted] = collector.posted as [Posted];
    expect([posted.path, posted.headers["x-key"], posted.headers["content-type"]]).toEqual([
      "/base/v1/traces",
      "a b",
      "application/json",
    ]);
    const { resource, scopeSpans } = JSON.parse(posted.text).resourceSpans[0];
    expect(readAttributes(resource)).toEqual({
      "deployment.environment": "test",
      "service.name": "mine",
      "service.version": expect.any(String),
    });
    expect(scopeSpans[0].scope.name).toBe("groundwork");
    const spans = spansOf(posted);
    const stages = ["judge", "look", "plan", "run", "conclude"];
    const tools = ["ci_index_status", "ci_search", "ci_graph_rag"];
    expect(treeOf(spans).toSorted()).toEqual(
      [
        " > invoke_workflow groundwork",
        ...stages.map((stage) => `invoke_workflow groundwork > groundwork ${stage}`),
        ...tools.map((tool) => `groundwork run > execute_tool ${tool}`),
      ].toSorted(),
    );
    const root = spans.find(({ parentSpanId }) => parentSpanId === undefined) as Span;
    expect(readAttributes(root)).toEqual({
      "gen_ai.operation.name": "invoke_workflow",
      "gen_ai.workflow.name": "groundwork",
      "groundwork.door": "hook",
      "groundwork.client": "claude-code",
      "groundwork.intent": expect.stringMatching(/^[a-z]+$/),
      "groundwork.outcome": "evidence",
      "groundwork.injected_chars": String(JSON.parse(said).hookSpecificOutput.additionalContext.length),
      "groundwork.tools": "3",
      "groundwork.limits": expect.stringMatching(/^\d+$/),
    });
    const call = spans.find(({ name }) => name === "execute_tool ci_search") as Span;
    expect(readAttributes(call)).toEqual({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "ci_search",
      "gen_ai.tool.type": "function",
      "groundwork.tool.status": "ok",
    });
    for (const { traceId, spanId, kind, startTimeUnixNano, endTimeUnixNano } of spans) {
      expect([traceId, spanId, kind]).toEqual([root.traceId, expect.stringMatching(/^[0-9a-f]{16}$/), 1]);
      expect(root.traceId).toMatch(/^[0-9a-f]{32}$/);
      expect(BigInt(startTimeUnixNano)).toBeLessThanOrEqual(BigInt(endTimeUnixNano));
      expect(BigInt(startTimeUnixNano) / 1_000_000n).toBeGreaterThanOrEqual(BigInt(before - 60_000));
    }
  });

  it("every door sends its runs without any text; silent, private and switched-off runs are not sent", async () => {
    await using collector = await startCollector();
    const env = { GROUNDWORK_OTEL: "1", OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/t` };
    const { askHook, run, root, home, env: all } = makePlace(env);
    const door = join(projectRoot, "hooks/auto-tool-orchestrator.sh");
    await askHook();
    run(codexAutoDoor, QUESTION);
    run(groundwork, "try", QUESTION);
    spawnSync(door, [], { cwd: root, env: all, input: JSON.stringify({ prompt: QUESTION }) });
    {
      await using server = startMcp(root, all);
      await server.ask("initialize", {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "x", version: "1" },
      });
      await server.ask("tools/call", { name: "ci_search", arguments: { query: "priceOf" } });
    }
    await expect.poll(() => collector.posted.length).toBe(5);
    await askHook("thanks, have a nice weekend");
    await askHook(`${QUESTION} #nocontext`);
    run(groundwork, "off");
    await askHook();
    run(groundwork, "on");
    const roots = collector.posted.map((posted) => spansOf(posted)[0] as Span);
    expect(roots.map(({ name }) => name).toSorted()).toEqual([
      "execute_tool ci_search",
      ...Array.from({ length: 4 }, () => "invoke_workflow groundwork"),
    ]);
    expect(roots.map((span) => readAttributes(span)["groundwork.door"]).toSorted()).toEqual(
      ["cli", "cli", "codex", "hook", "mcp"].toSorted(),
    );
    const sent = collector.posted
      .map(({ text, headers, path }) => `${path}${JSON.stringify(headers)}${text}`)
      .join("\n");
    const texts = [...QUESTION.split(/\W+/).filter((word) => word.length > 4), ...Object.keys(SHOP), root, home];
    for (const text of [...texts, basename(root), basename(home), "Cart", "src/"]) expect(sent).not.toContain(text);
    // Nothing else has arrived: unwanted traces would have had more time than this one.
    await askHook();
    await expect.poll(() => collector.posted.length).toBe(6);
  });

  it("a resident sends for its caller, with the caller's variables", async () => {
    await using collector = await startCollector();
    const place = makePlace({ GROUNDWORK_RESIDENT: "", CI_AUTO_TOOLS_INDEX: "auto" });
    place.run(groundwork, "index");
    place.run(groundwork, "resident", "start");
    const variables = { GROUNDWORK_OTEL: "1", OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const ask = (env: Record<string, string>) =>
      runDoor({
        cwd: place.root,
        env: { ...place.env, ...env },
        input: JSON.stringify({ prompt: QUESTION, cwd: place.root }),
      });
    // Prevents node from starting: only the resident can answer.
    expect((await ask({ ...variables, ...NO_NODE })).stdout.toString("utf8")).toContain("src/cart.ts");
    await expect.poll(() => collector.posted.length).toBe(1);
    await ask(NO_NODE);
    await ask({ ...variables, ...NO_NODE });
    await expect.poll(() => collector.posted.length).toBe(2);
    place.run(groundwork, "resident", "stop");
  });

  it("an endpoint that is dead, hangs or is unusable changes no answer", async () => {
    const timeless = (text: string) => text.replace(/gw-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:]+Z|\d+(?:\.\d+)? m?s/g, "");
    const plain = timeless(await makePlace().askHook());
    let isHeld = false;
    await using hanging = await startLoopbackServer(() => {
      isHeld = true;
    });
    const ask = (endpoint: string) =>
      makePlace({ GROUNDWORK_OTEL: "1", OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }).askHook();
    for (const endpoint of ["http://127.0.0.1:1", "https://no.such.host.invalid", "http://example.com", "nonsense"])
      expect(timeless(await ask(endpoint))).toBe(plain);
    // This endpoint never answers, but the hook ends all the same.
    expect(timeless(await ask(hanging.url))).toBe(plain);
    await expect.poll(() => isHeld).toBe(true);
  });

  it("doctor reports where traces go, and why they cannot", () => {
    const check = (more: Record<string, string>) => {
      const { checks } = JSON.parse(makePlace(more).run(groundwork, "doctor", "--json").stdout) as {
        checks: { name: string; status: string; measured: string }[];
      };
      const { status, measured } = checks.find(({ name }) => name === "telemetry") ?? { status: "", measured: "" };
      return `${status}: ${measured}`;
    };
    expect(check({})).toBe("ok: off");
    const on = { GROUNDWORK_OTEL: "1", OTEL_EXPORTER_OTLP_ENDPOINT: "https://otel.example/token/abc" };
    expect(check(on)).toBe("ok: traces go to https://otel.example");
    expect(check({ ...on, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" })).toBe("warn: traces are sent by HTTP, not by gRPC");
  });

  it("a repository's file cannot switch it on", async () => {
    await using collector = await startCollector();
    const { askHook, root } = makePlace({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    mkdirSync(join(root, "config"));
    writeFileSync(join(root, "config/auto-tools.yaml"), "GROUNDWORK_OTEL: 1\notel: true\ntelemetry: true\n");
    await askHook();
    expect(collector.posted).toEqual([]);
  });
});

describe("[K 6] without GROUNDWORK_OTEL=1 no door opens an internet socket", () => {
  const INITIALIZE =
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}';
  const CALL =
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"ci_search","arguments":{"query":"priceOf"}}}';

  const HOOK = `printf '%s' "$payload" | "${join(projectRoot, "hooks/context-inject-global.sh")}"`;
  const BY_MCP = `printf '%s\\n%s\\n' '${INITIALIZE}' '${CALL}' | "${mcpDoor}"`;

  /** Runs a script; returns the system calls of all its processes. */
  function watchScript(lines: string, more: Readonly<Record<string, string>>): string[] {
    const place = makePlace({
      GROUNDWORK_RESIDENT: "",
      CI_AUTO_TOOLS_INDEX: "auto",
      CI_AUTO_TOOLS_TIER_MAX: "2",
      // Addresses alone do not enable anything.
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
      OTEL_TRACES_EXPORTER: "otlp",
      GROUNDWORK_TEAM_URL: "http://127.0.0.1:1",
      GROUNDWORK_TEAM_TOKEN: "gwt_x",
      ...more,
    });
    const log = join(place.home, "calls");
    const script = join(place.home, "doors.sh");
    const payload = JSON.stringify({ prompt: QUESTION, cwd: place.root, session_id: "one" });
    writeFileSync(script, `set -x\npayload='${payload}'\n${lines}`);
    const args = ["-f", "-qq", "-s", "300", "-e", "trace=socket,connect,execve", "-e", "signal=none", "-o", log];
    const shared = { cwd: place.root, env: place.env, encoding: "utf8", maxBuffer: 2 ** 26 } as const;
    const done = spawnSync(WATCHER, [...args, "/bin/sh", script], shared);
    const calls = readFileSync(log, "utf8");
    // Proves that calls were logged: the doors ask the resident over a local socket.
    expect(calls, done.stderr).toContain("AF_UNIX");
    expect(done.stdout).toContain("src/cart.ts");
    return calls.split("\n");
  }

  it("according to strace, including programs left in the background", () => {
    const calls = watchScript(
      `"${groundwork}" index
${HOOK} 2>/dev/null
"${groundwork}" resident start
${HOOK} 2>/dev/null
${HOOK} statusline 2>/dev/null
for client in codex gemini copilot qwen kimi opencode; do printf '%s' "$payload" | "${groundwork}" hook $client; done
printf '%s' "$payload" | "${join(projectRoot, "hooks/auto-tool-orchestrator.sh")}"
printf '%s' "$payload" | "${join(projectRoot, "hooks/augment-context-global.sh")}"
"${codexAutoDoor}" 'who calls priceOf?'
for command in try explain enrich investigate search; do "${groundwork}" $command 'who calls priceOf?'; done
"${groundwork}" call-chain priceOf; "${groundwork}" hotspot; "${groundwork}" config explain; "${groundwork}" off; "${groundwork}" on
${BY_MCP}
printf '%s\\n' '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | "${join(projectRoot, "mcp/server.sh")}"
"${groundwork}" install --dry-run; "${groundwork}" doctor; "${groundwork}" stats --team --pending
"${groundwork}" resident stop
`,
      {},
    );
    expect(calls.filter((line) => /AF_INET|send-figures/.test(line))).toEqual([]);
  });

  it("[T-13] also with shared figures: only the sender, started by the resident and the builder, opens one", () => {
    // The resident stores runs when it is idle: the first time it starts counting, later it sends.
    const calls = watchScript(
      `"${groundwork}" resident start
for turn in $(seq 30); do
  ${HOOK} 2>/dev/null
  while [ -e "$GROUNDWORK_HOME/history/spool.jsonl" ]; do sleep 0.2; done
  sleep 1
  "${groundwork}" stats --team --pending | grep 'last attempt' && break
done
${HOOK} statusline 2>/dev/null
${BY_MCP}
"${groundwork}" resident stop
`,
      { GROUNDWORK_TEAM_FIGURES: "on" },
    );
    const pidOf = (line: string) => line.split(" ")[0] ?? "";
    const senders = calls.filter((line) => /execve\(.*send-figures\.cjs/.test(line)).map(pidOf);
    const connected = calls.filter((line) => /connect\(.*AF_INET/.test(line)).map(pidOf);
    expect(senders).toHaveLength(1);
    expect(new Set(connected)).toEqual(new Set(senders));
    const opened = calls.filter((line) => /AF_INET/.test(line)).map(pidOf);
    expect(opened.filter((pid) => !senders.includes(pid))).toEqual([]);
  });

  it("the same check detects a socket that is opened", async () => {
    const place = makePlace({ GROUNDWORK_OTEL: "1", OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" });
    const log = join(place.home, "calls");
    const args = ["-f", "-qq", "-e", "trace=socket,connect", "-o", log, groundwork, "try", QUESTION];
    spawnSync(WATCHER, args, { cwd: place.root, env: place.env });
    expect(readFileSync(log, "utf8")).toMatch(/AF_INET/);
  });
});
