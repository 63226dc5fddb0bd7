import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { isOwnFolder, liesInside, readStateFile, whyNotOurs, writeStateFile } from "../base/state-files.ts";
import { SESSIONS_FOLDER, sessionFileName, stateFolder } from "../config/places.ts";
import { LIMITS, type Limit } from "../contract/limits.ts";
import { MAX_MEMORY_BYTES, readTurns, remember, type Turn, toTurnKey, writeTurns } from "./memory.ts";

/** What is known of the conversation that a prompt belongs to. */
export interface Session {
  /** Earlier turns in this repository, newest last. */
  readonly turns: readonly Turn[];
  /** What is not known of it, though it was written down. */
  readonly limits: readonly Limit[];
  /** Adds a turn for the prompts that follow. Contract: never throws; where it cannot be written it is forgotten. */
  readonly remember: (turn: Omit<Turn, "of">) => void;
}

/** Whose conversation it is, and where. */
export interface SessionPlace {
  readonly env: Environment;
  readonly root: string;
  readonly sessionId: string;
  readonly nowMs: number;
}

const MAX_SESSIONS = 200;
const MAX_AGE_MS = 14 * 24 * 3_600_000;
const OURS = /^[0-9a-f]{24}\.json$/;

/**
 * Opens a session's memory. Contract: never throws; null where there is no place for it outside the repository; a file
 * that is damaged, of another version or not ours counts as none.
 */
export function openSession({ env, root, sessionId, nowMs }: SessionPlace): Session | null {
  const state = stateFolder(env);
  if (state === null || sessionId === "") return null;
  const folder = join(state, SESSIONS_FOLDER);
  if (liesInside(folder, root)) return null;
  const name = sessionFileName(sessionId);
  const of = toTurnKey(root, sessionId);
  const read = () => readTurns(readStateFile(folder, name, MAX_MEMORY_BYTES) ?? "");
  const turns = read();
  const keeping = { isOurs: (file: string) => OURS.test(file), most: MAX_SESSIONS, maxAgeMs: MAX_AGE_MS, nowMs };
  return {
    turns: turns.filter((turn) => turn.of === of),
    // What is written down has a turn at least.
    limits: turns.length > 0 ? [] : findMemoryDamage(folder, name).map(LIMITS.memoryDamaged),
    remember: (turn) => {
      // Read anew: another prompt of this session may have been answered meanwhile.
      const now = read();
      const next = remember(now, { of, ...turn });
      if (next !== now) writeStateFile(folder, name, writeTurns(next), keeping);
    },
  };
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A part of the path is a file.
    return false;
  }
}

/** Why a session's file, which is there, says nothing; none where there is no file. */
function findMemoryDamage(folder: string, name: string): string[] {
  if (isThere(folder) && !isOwnFolder(folder)) return [`${SESSIONS_FOLDER}/ is not a folder of your own`];
  const why = whyNotOurs(join(folder, name));
  if (why !== null) return [why];
  return isThere(join(folder, name)) ? [`${name} cannot be read`] : [];
}
