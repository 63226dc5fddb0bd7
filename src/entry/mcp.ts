import { loadCached } from "./load-cached.ts";
import { startQuickly } from "./start-quickly.ts";

// Nothing but the way to the code cache.
startQuickly();
loadCached("mcp-server.cjs");
