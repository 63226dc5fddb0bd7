import { loadCached } from "./load-cached.ts";
import { startQuickly } from "./start-quickly.ts";

/** Selects the bundle: commands that share no code with the others have their own. */
function bundleOf([, , first, second, ...rest]: readonly string[]): string {
  if (first === "mcp" && second === undefined) return "mcp-server.cjs";
  if (first !== "codex") return "command-line.cjs";
  const isRun = second === "exec";
  // The bundle parses the arguments as if it had been started directly.
  process.argv.splice(2, process.argv.length, ...(isRun || second === undefined ? rest : [second, ...rest]));
  return isRun ? "codex-start.cjs" : "codex-job.cjs";
}

// Only loads the bundle through the code cache.
startQuickly();
loadCached(bundleOf(process.argv));
