import { constants, setPriority } from "node:os";
import { toRealFolder } from "../base/repo-root.ts";
import { runBuild } from "./run-build.ts";

/** Longest that the builder in the background may take: what is not done then is done by the next. */
const MAX_MS = 30 * 60_000;

/** The builder that a prompt leaves behind: brings one index up to date and ends, whatever happens. */
async function main(): Promise<void> {
  const root = toRealFolder(process.argv[2] ?? "");
  if (root === null) return;
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // Where that is not allowed, it runs like everybody else.
  }
  await runBuild(root, process.env, { signal: AbortSignal.timeout(MAX_MS), onProgress: () => {} });
}

main().then(
  () => process.exit(0),
  // Nobody listens; the next prompt starts another.
  () => process.exit(1),
);
