import { loadCached } from "./load-cached.ts";
import { startQuickly } from "./start-quickly.ts";

// Only loads the bundle through the code cache.
startQuickly();
loadCached("mcp-server.cjs");
