// The code caches that tests and benchmarks share: each has a state folder of its own, which would have none at first.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

const project = resolve(import.meta.dirname, "..");
/** Folder of the caches, for GROUNDWORK_CODE_CACHE. */
const codeCache = resolve(project, "node_modules/.cache/groundwork-code");

/** Makes what is missing; returns the variable that names the folder. */
export function makeCodeCache() {
  const env = { PATH: process.env.PATH, GROUNDWORK_CODE_CACHE: codeCache };
  spawnSync(process.execPath, [resolve(project, "dist/make-code-cache.cjs")], { env });
  return { GROUNDWORK_CODE_CACHE: codeCache };
}
