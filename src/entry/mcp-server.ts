import type { McpCall } from "../adapters/mcp/server.ts";
import { systemClock } from "../base/clock.ts";
import { once } from "../base/once.ts";
import { sleep, startTimer } from "../base/timers.ts";
import { MCP_INSTRUCTIONS, MCP_SERVER_NAME } from "../contract/mcp.ts";
import { loadCached } from "./load-cached.ts";
import { endTogether } from "./process.ts";
import { folderFor, serveMcp } from "./serve-mcp.ts";
import { VERSION } from "./version.ts";

/** How long calls may still take once the client has closed its end. */
const LAST_CALLS_MS = 5_000;
/** Calls that run at once; the others wait. */
const WIDTH = 8;

// Typed as the module, loaded as the bundle, once somebody asks: the tools are not needed to say hello.
const loadTools = once(() => loadCached("mcp-tools.cjs") as typeof import("./mcp-tools.ts"));

// Programs are started, and ended, by the bundle of the tools.
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
    // Answers that wait go first.
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
    // A client that went away is the usual end.
    onGone: () => process.exit(0),
  },
);
