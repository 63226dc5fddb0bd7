import { constants, setPriority } from "node:os";
import { toRealFolder } from "../base/repo-root.ts";
import { foldHistory } from "./own-history.ts";
import { runBuild } from "./run-build.ts";

/** Time limit of the background builder; the next build continues with whatever is unfinished. */
const MAX_MS = 30 * 60_000;

/** The background builder that a prompt starts: brings one index up to date and exits, whatever happens. */
async function main(): Promise<void> {
  const root = toRealFolder(process.argv[2] ?? "");
  if (root === null) return;
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // If lowering the priority is not permitted, run at normal priority.
  }
  // Without a resident, it may be long before another process does this.
  await foldHistory(process.env);
  await runBuild(root, process.env, { signal: AbortSignal.timeout(MAX_MS), onProgress: () => {} });
}

main().then(
  () => process.exit(0),
  // Nothing waits for the result; the next prompt starts another build.
  () => process.exit(1),
);
