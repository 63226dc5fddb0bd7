import { join } from "node:path";
import { liesInside, readStateFile, writeStateFile } from "../base/state-files.ts";
import { SESSIONS_FOLDER, sessionFileName, stateFolder } from "../config/places.ts";
import { MAX_MEMORY_BYTES, readTurns, remember, type Turn, toTurnKey, writeTurns } from "./memory.ts";

/** What is known of the conversation that a prompt belongs to. */
export interface Session {
  /** Earlier turns in this repository, newest last. */
  readonly turns: readonly Turn[];
  /** Adds a turn for the prompts that follow. Contract: never throws; where it cannot be written it is forgotten. */
  readonly remember: (turn: Omit<Turn, "of">) => void;
}

/** Whose conversation it is, and where. */
export interface SessionPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
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
  const keeping = { isOurs: (file: string) => OURS.test(file), most: MAX_SESSIONS, maxAgeMs: MAX_AGE_MS, nowMs };
  return {
    turns: read().filter((turn) => turn.of === of),
    remember: (turn) => {
      // Read anew: another prompt of this session may have been answered meanwhile.
      const turns = read();
      const next = remember(turns, { of, ...turn });
      if (next !== turns) writeStateFile(folder, name, writeTurns(next), keeping);
    },
  };
}
