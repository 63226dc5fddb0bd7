import { loadCached } from "./load-cached.ts";
import { startQuickly } from "./start-quickly.ts";

/** Commands that share nothing with the others have a bundle of their own. */
function bundleOf([, , first, second, ...rest]: readonly string[]): string {
  if (first === "mcp" && second === undefined) return "mcp-server.cjs";
  if (first !== "codex") return "command-line.cjs";
  const isRun = second === "exec";
  // The bundle finds its own arguments as if it had been started by its own door.
  process.argv.splice(2, process.argv.length, ...(isRun || second === undefined ? rest : [second, ...rest]));
  return isRun ? "codex-start.cjs" : "codex-job.cjs";
}

// Nothing but the way to the code cache.
startQuickly();
loadCached(bundleOf(process.argv));
