import type { McpCall } from "../adapters/mcp/server.ts";
import { systemClock } from "../base/clock.ts";
import { once } from "../base/once.ts";
import { sleep, startTimer } from "../base/timers.ts";
import { MCP_INSTRUCTIONS, MCP_SERVER_NAME } from "../contract/mcp.ts";
import { loadCached } from "./load-cached.ts";
import { endTogether } from "./process.ts";
import { folderFor, serveMcp } from "./serve-mcp.ts";
import { VERSION } from "./version.ts";

/** How long running calls may still take after the client has closed its end. */
const LAST_CALLS_MS = 5_000;
/** Maximum number of concurrent calls; further calls wait. */
const WIDTH = 8;

// Typed as the module, loaded as the bundle on first use: the handshake does not need the tools.
const loadTools = once(() => loadCached("mcp-tools.cjs") as typeof import("./mcp-tools.ts"));

// The tools' bundle starts and stops subprocesses.
endTogether(() => {});
serveMcp(
  {
    name: MCP_SERVER_NAME,
    instructions: MCP_INSTRUCTIONS,
    version: VERSION,
    width: WIDTH,
    clock: systemClock,
    listTools: async () => loadTools().listTools(),
    callTool: async (call: McpCall) => loadTools().callTool(call, folderFor(call.roots, call.meta)),
    // Pending answers are sent first.
    onReady: once(() => {
      startTimer(50, () => {
        loadTools()
          .warmUp(folderFor([]))
          .catch(() => {});
      }).unref();
    }),
  },
  {
    afterInput: (allAnswered) => Promise.race([allAnswered, sleep(LAST_CALLS_MS)]),
    // A client that disconnects is the normal end.
    onGone: () => process.exit(0),
  },
);
