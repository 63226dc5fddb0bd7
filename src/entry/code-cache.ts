import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { isOurs, isOwnFolder } from "../base/file-facts.ts";
import { folderInState } from "../config/places.ts";
import { readBuild } from "./build-id.ts";

/** The bundles that `loadCached` loads for a question; `quick` ones are loaded after `startQuickly`. */
export const CACHED_BUNDLES: readonly { readonly name: string; readonly quick: boolean }[] = [
  { name: "hook-judge.cjs", quick: false },
  { name: "hook-answer.cjs", quick: true },
  { name: "command-line.cjs", quick: true },
  { name: "mcp-server.cjs", quick: true },
  { name: "mcp-tools.cjs", quick: true },
];

/** Folder of the code caches of all builds; null if there is no place for them. */
function allCodeFolder(env: Environment): string | null {
  const named = env["GROUNDWORK_CODE_CACHE"];
  if (named !== undefined && isAbsolute(named)) return named;
  return folderInState(env, "code");
}

/** Folder of this build's code caches: V8 accepts a cache only from the version of Node that made it. */
export function codeFolder(env: Environment): string | null {
  const folder = allCodeFolder(env);
  const build = readBuild();
  return folder === null || build === "" ? null : join(folder, `${build}-${process.version}-${process.arch}`);
}

/**
 * Wraps a bundle in the function that V8 compiles. Contract: the same text when a cache is made and when it is used.
 */
export function wrapBundle(source: Buffer): string {
  return `(function (exports, require, module, __filename, __dirname) {${source.toString("utf8")}\n})`;
}

/**
 * Contents of a code cache file: the code twice, then the bundle that it belongs to. V8 runs whatever is in a cache and
 * checks only the length of the bundle; a checksum would take as long as the cache saves.
 */
export function packCode(code: Buffer, source: Buffer): Buffer {
  return Buffer.concat([code, code, source]);
}

/**
 * Returns the code cache of a bundle. Contract: never throws; undefined unless the cache is intact, belongs to exactly
 * this bundle, and lies in a file and a folder that no other user can write to.
 */
export function readCode(folder: string | null, name: string, source: Buffer): Buffer | undefined {
  if (folder === null || !isOwnFolder(folder)) return undefined;
  try {
    const descriptor = openSync(join(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(descriptor);
      // Code that others may have written, or may read, is not run.
      const isPrivate = stats.isFile() && isOurs(stats) && (stats.mode & 0o077) === 0;
      return isPrivate ? unpackCode(readFileSync(descriptor), source) : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

function unpackCode(packed: Buffer, source: Buffer): Buffer | undefined {
  const end = packed.length - source.length;
  if (end <= 0 || end % 2 !== 0) return undefined;
  const code = packed.subarray(0, end / 2);
  const isWhole = code.equals(packed.subarray(end / 2, end)) && source.equals(packed.subarray(end));
  return isWhole ? code : undefined;
}

/** True if every bundle has a valid code cache. Contract: never throws; reads every cache until one is missing. */
export function isCodeCached(env: Environment): boolean {
  const folder = codeFolder(env);
  return CACHED_BUNDLES.every(({ name }) => {
    const source = readBundle(name);
    return source === null || readCode(folder, name, source) !== undefined;
  });
}

/** Reads a bundle that lies beside this one; null if it is missing. */
export function readBundle(name: string): Buffer | null {
  try {
    return readFileSync(join(__dirname, name));
  } catch {
    return null;
  }
}
