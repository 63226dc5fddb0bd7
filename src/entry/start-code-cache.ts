import { join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { startDetached } from "../base/subprocess/start-detached.ts";
import { codeFolder, isCodeCached } from "./code-cache.ts";
import { projectRoot } from "./process.ts";

/**
 * Makes missing code caches in the background. For processes that no prompt waits for. Contract: never throws; does not
 * wait for the caches.
 */
export async function offerCodeCache(env: Environment): Promise<void> {
  if (codeFolder(env) === null || isCodeCached(env)) return;
  await startDetached(process.execPath, [join(projectRoot, "dist", "make-code-cache.cjs")], { cwd: "/", env });
}
