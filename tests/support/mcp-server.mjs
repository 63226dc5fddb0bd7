// An MCP server for tests, using the real SDK: good tools, and some that break the server in various ways.
import { spawn } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

const READS = { readOnlyHint: true };
const text = (value) => ({ content: [{ type: "text", text: value }] });

/** Prints a line that is not an answer to standard output, and never answers. */
const printing = (line) => () => {
  process.stdout.write(`${line}\n`);
  return new Promise(() => {});
};

function makeServer() {
  const server = new McpServer({ name: "test", version: "7.1.0" }, { capabilities: { tools: {} } });
  const add = (name, input, run, annotations = READS) =>
    server.registerTool(name, { description: `About ${name}`, inputSchema: z.object(input), annotations }, run);
  add("find", { query: z.string(), limit: z.number().optional() }, ({ query, limit = 3 }) => ({
    content: [{ type: "text", text: `hits for ${query}` }],
    structuredContent: {
      results: [
        { path: "src/a.ts", line: 2, symbol: "alpha", summary: `declares ${query}`, score: 0.9 },
        { path: "../outside.ts", line: 1, summary: "not to be told" },
        { path: "src/b.ts", line: limit, summary: "uses it", score: 0.4 },
      ],
    },
  }));
  add("notes", { topic: z.string() }, ({ topic }) => ({
    content: [
      { type: "text", text: `first note on ${topic}` },
      { type: "text", text: "second note, Bearer abcdefghijklmnop1234567890" },
      { type: "image", data: "AA==", mimeType: "image/png" },
    ],
  }));
  add("remember", { topic: z.string() }, ({ topic }) => text(`wrote ${topic}`), {});
  add("surroundings", {}, () => {
    const [, , mode, root = "."] = process.argv;
    const lines = [
      `pid=${process.pid}`,
      `mode=${mode}`,
      `cwd=${process.cwd() === process.env.HOME ? "home" : "elsewhere"}`,
      `files=${readdirSync(".")}`,
      `root=${readdirSync(root)}`,
      ...Object.entries(process.env).map(([name, value]) => `env.${name}=${value}`),
    ];
    // Random folder names may look like a secret or an order.
    return text(lines.join("\n").replaceAll(/groundwork-\w{6}/g, "folder"));
  });
  add("fails", {}, () => ({ ...text("the disk is full"), isError: true }));
  add("slow", { ms: z.number() }, async ({ ms }) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return text(`after ${ms} ms`);
  });
  add("progress", {}, async (_input, context) => {
    const { progressToken } = context.mcpReq._meta ?? {};
    await context.mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: 1, total: 2 } });
    // An immediate answer would overtake the notification.
    await new Promise((resolve) => setTimeout(resolve, 100));
    return text("done");
  });
  add("noisy", {}, () => {
    process.stdout.write('starting up…\n{"level":30,"msg":"a log line"}\n');
    return text("heard");
  });
  add("dies", {}, () => {
    process.stderr.write("panic: token=ghp_0123456789abcdefghijklmnopqrstuvwxyz12 is bad\n");
    setTimeout(() => process.exit(3), 20);
    return new Promise(() => {});
  });
  add("hangs", {}, () => new Promise(() => {}));
  add("blocks", {}, () => {
    for (;;);
  });
  add("broken-json", {}, printing('{"jsonrpc":"2.0","id":2,"res'));
  add("chatter", {}, printing("%%% not a message %%%"));
  add("huge", {}, () => text("x".repeat(5_000_000)));
  add("large", {}, () => text("x".repeat(400_000)));
  add("leaves-child", { file: z.string() }, ({ file }) => {
    const child = spawn("sleep", ["300"], { stdio: "ignore", detached: true });
    child.unref();
    writeFileSync(file, String(child.pid));
    return text(String(process.pid));
  });
  return server;
}

/** Serves over HTTP on this machine. Returns its address and the requests that it received. */
export async function serveHttp() {
  const handler = createMcpHandler(makeServer);
  const requests = [];
  const state = { answer: null };
  const server = createServer(async (incoming, outgoing) => {
    const chunks = [];
    for await (const chunk of incoming) chunks.push(chunk);
    requests.push({ method: incoming.method, headers: incoming.headers });
    if (state.answer !== null) return state.answer(outgoing);
    const { method, headers, url } = incoming;
    const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
    const response = await handler.fetch(new Request(new URL(url, "http://127.0.0.1"), { method, headers, ...body }));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => new Promise((resolve) => server.closeAllConnections() ?? server.close(resolve));
  return { url: `http://127.0.0.1:${server.address().port}/mcp`, requests, state, close };
}

const [mode] = process.argv.slice(2);
if (mode === "stdio") serveStdio(makeServer);
else if (mode === "mute") setInterval(() => {}, 1_000);
else if (mode === "garbage") setInterval(() => process.stdout.write("garbage\n"), 20);
else if (mode === "flood") setInterval(() => process.stdout.write("x".repeat(1_000_000)), 1);
else if (mode === "exit") {
  process.stderr.write("cannot find its database\n");
  process.exit(9);
}
