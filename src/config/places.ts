import { statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { toRealFolder } from "../base/repo-root.ts";

/** Settings file of a repository, relative to its root. */
export const REPOSITORY_FILE = "config/auto-tools.yaml";
/** Settings file of the user, relative to the home folder. */
export const USER_FILE = ".groundwork/auto-tools.yaml";

/** Record of `groundwork off`, relative to the home folder. */
export const OFF_FILE = ".groundwork/off.json";
/** Record of the repositories that the user trusts, relative to the home folder. */
export const TRUST_FILE = ".groundwork/trust.json";
/** Record of the stores whose bases the user has joined, relative to the home folder. */
export const JOINS_FILE = ".groundwork/bases.json";
/** Folders whose `*.json` files name commands to run, in a trusted repository and in the home folder. */
export const HOOK_FOLDERS = [".groundwork/hooks", ".snow/hooks"];

/**
 * Returns the user's home folder, or null if HOME is missing or relative: a relative path would lead into the
 * repository.
 */
export function homeFolder(env: Environment): string | null {
  const home = env["HOME"];
  return home !== undefined && isAbsolute(home) ? home : null;
}

/**
 * Returns the folder of our own state, or null if there is no location for it. Contract: relative paths are ignored;
 * null if the grandparent folder does not exist, so that a missing home folder is never created.
 */
export function stateFolder(env: Environment): string | null {
  const folder = nameStateFolder(env);
  return folder !== null && isFolder(dirname(dirname(folder))) ? folder : null;
}

function nameStateFolder(env: Environment): string | null {
  const named = env["GROUNDWORK_HOME"];
  if (named !== undefined && isAbsolute(named)) return named;
  const cache = env["XDG_CACHE_HOME"];
  if (cache !== undefined && isAbsolute(cache)) return join(cache, "groundwork");
  const home = homeFolder(env);
  return home === null ? null : join(home, ".cache", "groundwork");
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    // A symlink loop, or a folder that may not be accessed.
    return false;
  }
}

/** Returns a folder below that of our state, or null if there is no location for it. */
export function folderInState(env: Environment, ...path: readonly string[]): string | null {
  const state = stateFolder(env);
  return state === null ? null : join(state, ...path);
}

/** Folder of session files, below the state folder. */
export const SESSIONS_FOLDER = "sessions";

/**
 * Returns the file name of a session. Contract: 24 hex digits and `.json`, whatever the id is. Not a cryptographic
 * hash, because the hook looks for the file before it loads one; the file itself names its session.
 */
export function sessionFileName(sessionId: string): string {
  return `${mixedHash(sessionId)}.json`;
}

/**
 * Returns the folder of a root's index, or null if there is no location for it. Contract: the index itself names its
 * root.
 */
export function indexFolder(env: Environment, root: string): string | null {
  return folderInState(env, "index", mixedHash(root));
}

/** Deterministic hash of 24 hex digits. */
export function mixedHash(text: string): string {
  const parts = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    parts.forEach((part, index) => {
      parts[index] = Math.imul(part ^ unit, 0x01000193 + 2 * index) ^ (part >>> 13);
    });
  }
  return parts.map((part) => (part >>> 0).toString(16).padStart(8, "0")).join("");
}

/** Returns the real path of the user's home folder, or null if the environment does not name an existing one. */
export function findHome(env: Environment): string | null {
  const home = homeFolder(env);
  return home === null ? null : toRealFolder(home);
}

/** Returns the folder of the run history, or null if there is no location for it. */
export function historyFolder(env: Environment): string | null {
  return folderInState(env, "history");
}
