import { lstatSync, readdirSync, rmSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { dirname, join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";
import { isOwnFolder } from "../base/file-facts.ts";
import { writeStateFile } from "../base/state-files.ts";
import { CACHED_BUNDLES, codeFolder, packCode, readBundle, readCode, wrapBundle } from "./code-cache.ts";
import { SLOW_FLAGS } from "./start-quickly.ts";

/**
 * Number of caches kept, each for one build and Node version: a machine may have a clone and a package, and two
 * versions.
 */
const MOST_KEPT = 3;
const OF_A_BUILD = /^[0-9a-f]{16}-v\d[\w.+-]{0,60}$/;

/** Compiles all of a bundle for callers that load it with these flags. */
function compile(name: string, source: Buffer, quick: boolean): Buffer {
  // Lazily compiled functions would be missing from the cache.
  setFlagsFromString("--no-lazy");
  const script = new Script(wrapBundle(source), { filename: join(__dirname, name) });
  setFlagsFromString("--lazy");
  // V8 accepts a cache only under the flags it was made with; see `startQuickly`.
  for (const flag of SLOW_FLAGS) setFlagsFromString(quick ? `--no-${flag}` : `--${flag}`);
  return script.createCachedData();
}

function removeOld(folder: string): void {
  const all = dirname(folder);
  if (!isOwnFolder(all)) return;
  const old = readdirSync(all)
    .filter((name) => OF_A_BUILD.test(name) && join(all, name) !== folder)
    .map((name) => ({ path: join(all, name), atMs: lstatSync(join(all, name)).mtimeMs }))
    .sort((one, other) => other.atMs - one.atMs)
    .slice(MOST_KEPT - 1);
  for (const { path } of old) rmSync(path, { recursive: true, force: true });
}

/**
 * Makes the code caches that are missing or damaged, and exits. Runs in a process of its own, because flags of the
 * caller, such as a memory limit, would make the caches useless to other processes.
 */
function main(): void {
  const folder = codeFolder(process.env);
  if (folder === null) return;
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // Continue at normal priority.
  }
  // Everything in the folder is a cache of this build.
  const keeping = { isOurs: () => false, most: CACHED_BUNDLES.length, maxAgeMs: 0, nowMs: 0 };
  for (const { name, quick } of CACHED_BUNDLES) {
    const source = readBundle(name);
    if (source === null || readCode(folder, name, source) !== undefined) continue;
    writeStateFile(folder, name, packCode(compile(name, source, quick), source), keeping);
  }
  removeOld(folder);
}

main();
