import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { chooseFolder } from "../adapters/mcp/client-folder.ts";
import { makeMcpServer } from "../adapters/mcp/server.ts";
import { StdioTransport } from "../adapters/mcp/stdio-transport.ts";
import { systemClock } from "../base/clock.ts";
import { once } from "../base/once.ts";
import { toRealFolder } from "../base/repo-root.ts";
import { toMessage } from "../base/text.ts";
import { loadCached } from "./load-cached.ts";
import { endTogether, workingFolder } from "./process.ts";
import { VERSION } from "./version.ts";

/** How long calls may still take once the client has closed its end. */
const LAST_CALLS_MS = 5_000;

// Standard output belongs to the protocol alone: whatever else is printed goes to standard error.
const print = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

// Typed as the module, loaded as the bundle, once somebody asks: the tools are not needed to say hello.
const loadTools = once(() => loadCached("mcp-tools.cjs") as typeof import("./mcp-tools.ts"));

const folderFor = (roots: readonly string[], meta?: Readonly<Record<string, unknown>>) =>
  chooseFolder({
    current: workingFolder(),
    meta,
    roots,
    project: process.env["CLAUDE_PROJECT_DIR"],
    toFolder: toRealFolder,
  });

const backend = {
  version: VERSION,
  clock: systemClock,
  listTools: async () => loadTools().listTools(),
  callTool: async (call: Parameters<ReturnType<typeof loadTools>["callTool"]>[0]) =>
    loadTools().callTool(call, folderFor(call.roots, call.meta)),
  // Answers that wait go first.
  onReady: once(() => {
    setTimeout(() => {
      loadTools()
        .warmUp(folderFor([]))
        .catch(() => {});
    }, 50).unref();
  }),
};

const transport = new StdioTransport({
  input: process.stdin,
  write: (line) => {
    print(line);
    return process.stdout.writableLength;
  },
  whenTaken: (then) => process.stdout.once("drain", then),
});
const leave = () => print("", () => process.exit(0));
transport.onend = (allAnswered) => {
  allAnswered.then(leave);
  setTimeout(leave, LAST_CALLS_MS);
};
// A client that went away is the usual end.
process.stdout.on("error", () => process.exit(0));
process.on("uncaughtException", (error) => process.stderr.write(`groundwork mcp: ${toMessage(error)}\n`));
// Programs are started, and ended, by the bundle of the tools.
endTogether(
  () => {},
  () => 0,
);
serveStdio(({ era }) => makeMcpServer(backend, era === "modern"), { transport });
