// Call sites of Python as pyright resolves them (`textDocument/definition` of the called name). Sites and definitions
// come from Python's own parser. External packages are not installed, so their definitions are unknown.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** See `compare` in call-graph.mjs. */
export async function readSites(root, paths) {
  const script = join(import.meta.dirname, "calls.py");
  const listed = spawnSync("python3", [script, root], {
    input: paths.join("\n"),
    maxBuffer: 1 << 30,
    encoding: "utf8",
  });
  const files = JSON.parse(listed.stdout);
  const server = startServer();
  try {
    await server.ask("initialize", {
      processId: process.pid,
      rootUri: uriOf(root),
      capabilities: {},
      workspaceFolders: [{ uri: uriOf(root), name: "root" }],
    });
    server.tell("initialized", {});
    const defs = new Map(Object.entries(files).map(([path, { defs }]) => [path, new Set(defs.map(String))]));
    const sites = [];
    for (const [path, { calls }] of Object.entries(files)) {
      const uri = uriOf(join(root, path));
      server.tell("textDocument/didOpen", {
        textDocument: { uri, languageId: "python", version: 1, text: readFileSync(join(root, path), "utf8") },
      });
      for (const [line, column, name, caller] of calls) {
        const position = { line: line - 1, character: column };
        const answer = await server.ask("textDocument/definition", { textDocument: { uri }, position });
        const places = (Array.isArray(answer) ? answer : answer ? [answer] : []).map((place) => ({
          file: relative(root, fileURLToPath(place.uri ?? place.targetUri)),
          line: (place.range ?? place.targetSelectionRange).start.line + 1,
          column: (place.range ?? place.targetSelectionRange).start.character,
        }));
        const own = places.filter(({ file }) => defs.has(file));
        sites.push({
          file: path,
          line,
          name,
          caller,
          targets: own.map((place) => `${place.file}:${place.line}`),
          counts: own.some((place) => defs.get(place.file).has(`${place.line},${place.column}`)),
          known: places.length > 0,
        });
      }
      server.tell("textDocument/didClose", { textDocument: { uri } });
    }
    return sites;
  } finally {
    await server.stop();
  }
}

const uriOf = (path) => pathToFileURL(path).href;

function startServer() {
  const main = createRequire(import.meta.url).resolve("pyright/langserver.index.js");
  const child = spawn(process.execPath, [main, "--stdio"], { stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map();
  let last = 0;
  let buffer = Buffer.alloc(0);
  const send = (message) => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  child.stdout.on("data", (chunk) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const split = buffer.indexOf("\r\n\r\n");
      const length = Number(/Content-Length: (\d+)/.exec(buffer.subarray(0, split).toString())?.[1]);
      if (split < 0 || buffer.length < split + 4 + length) return;
      const message = JSON.parse(buffer.subarray(split + 4, split + 4 + length).toString());
      buffer = buffer.subarray(split + 4 + length);
      if (message.method && message.id !== undefined) {
        send({
          id: message.id,
          result: message.method === "workspace/configuration" ? message.params.items.map(() => ({})) : null,
        });
      } else if (message.id !== undefined) waiting.get(message.id)?.(message.result);
    }
  });
  return {
    tell: (method, params) => send({ method, params }),
    ask: (method, params) =>
      new Promise((resolve) => {
        const id = ++last;
        waiting.set(id, resolve);
        send({ id, method, params });
      }),
    stop: async () => {
      child.kill();
      await once(child, "exit");
    },
  };
}
