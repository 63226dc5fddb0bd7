import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { linkSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../base/environment.ts";
import { readStateFile, replaceFile } from "../../base/state-files.ts";
import { findHome } from "../../config/places.ts";

const KEY_FILE = "job-key";
const KEY = /^[0-9a-f]{64}\n$/;

/**
 * Seals the options of a job with a key of the user. A repository can bring the record of a job, and code that runs in
 * a job's folder can change it; only the user can produce options that are started again. Contract: never throws; empty
 * if there is no home folder to keep a key in.
 */
export function makeSeal(folder: string, args: readonly string[] | null, env: Environment): string {
  const key = readKey(env);
  return key === null
    ? ""
    : createHmac("sha256", key)
        .update(JSON.stringify([folder, args]))
        .digest("hex");
}

/** True if exactly these options were sealed by this user for this folder. */
export function hasValidSeal(folder: string, args: readonly string[] | null, seal: string, env: Environment): boolean {
  const wanted = Buffer.from(makeSeal(folder, args, env));
  const given = Buffer.from(seal);
  return wanted.length > 0 && wanted.length === given.length && timingSafeEqual(wanted, given);
}

/** The user's key, created on first use. */
function readKey(env: Environment): string | null {
  const home = findHome(env);
  if (home === null) return null;
  const folder = join(home, ".groundwork");
  const read = () => {
    const text = readStateFile(folder, KEY_FILE, 100);
    return text !== null && KEY.test(text) ? text.trim() : null;
  };
  return read() ?? (makeKey(folder) ? read() : null);
}

/** Creates the key. Contract: concurrent processes all end up with the same key. */
function makeKey(folder: string): boolean {
  const draft = `${KEY_FILE}.${process.pid}`;
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true });
    if (!replaceFile(folder, draft, `${randomBytes(32).toString("hex")}\n`)) return false;
    linkSync(join(folder, draft), join(folder, KEY_FILE));
    return true;
  } catch {
    // Another process was faster, or the existing file is not a key and not ours to replace.
    return true;
  } finally {
    rmSync(join(folder, draft), { force: true });
  }
}
