import { loadCached } from "./load-cached.ts";
import { startQuickly } from "./start-quickly.ts";

// Nothing but the way to the code cache. A server shares nothing with the other commands.
startQuickly();
loadCached(process.argv.length === 3 && process.argv[2] === "mcp" ? "mcp-server.cjs" : "command-line.cjs");
