// Code caches shared by tests and benchmarks: each has its own state folder, which would start without a cache.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

const project = resolve(import.meta.dirname, "..");
/** Folder of the caches, for GROUNDWORK_CODE_CACHE. */
const codeCache = resolve(project, "node_modules/.cache/groundwork-code");

/** Makes missing caches; returns the variable that names the folder. */
export function makeCodeCache() {
  const env = { PATH: process.env.PATH, GROUNDWORK_CODE_CACHE: codeCache };
  spawnSync(process.execPath, [resolve(project, "dist/make-code-cache.cjs")], { env });
  return { GROUNDWORK_CODE_CACHE: codeCache };
}
