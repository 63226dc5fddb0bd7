import { join } from "node:path";
import { DAY_MS } from "../base/duration.ts";
import type { Environment } from "../base/environment.ts";
import { isOwnFolder, lstatOrNull } from "../base/file-facts.ts";
import { liesInside, readStateFile, whyNotOurs, writeStateFile } from "../base/state-files.ts";
import { SESSIONS_FOLDER, sessionFileName, stateFolder } from "../config/places.ts";
import { LIMITS, type Limit } from "../contract/limits.ts";
import { type GuardPolicy, guard, guardOwn } from "../lifecycle/guard.ts";
import { MAX_ANALYSED_CHARS, type PromptClues } from "./clues.ts";
import type { FusedFinding } from "./fuse.ts";
import {
  type Evidence,
  MAX_MEMORY_BYTES,
  readTurns,
  remember,
  type Subject,
  type Turn,
  toKeys,
  toTurnKey,
  writeTurns,
} from "./memory.ts";

/** What is remembered of the conversation that a prompt belongs to. */
export interface Session {
  /** Earlier turns in this repository, newest last. */
  readonly turns: readonly Turn[];
  /** Memory that was stored but could not be read. */
  readonly limits: readonly Limit[];
  /** Stores a turn for later prompts. Contract: never throws; a turn that cannot be written is lost. */
  readonly remember: (turn: Omit<Turn, "of">) => void;
}

interface SessionPlace {
  readonly env: Environment;
  readonly root: string;
  readonly sessionId: string;
  readonly nowMs: number;
}

const MAX_SESSIONS = 200;
const MAX_AGE_MS = 14 * DAY_MS;
const OURS = /^[0-9a-f]{24}\.json$/;

/**
 * Opens a session's memory. Contract: never throws; null if there is no place for it outside the repository; a file
 * that is damaged, of another version or not ours is treated as empty.
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
    // A file that we wrote holds at least one turn, so an empty list may mean damage.
    limits: turns.length > 0 ? [] : findMemoryDamage(folder, name).map(LIMITS.memoryDamaged),
    remember: (turn) => {
      // Read again: another prompt of this session may have been answered in the meantime.
      const now = read();
      const next = remember(now, { of, ...turn });
      if (next !== now) writeStateFile(folder, name, writeTurns(next), keeping);
    },
  };
}

/** Returns why the existing file of a session has no turns; empty if there is no file. */
function findMemoryDamage(folder: string, name: string): string[] {
  if (lstatOrNull(folder) !== null && !isOwnFolder(folder)) return [`${SESSIONS_FOLDER}/ is not a folder of your own`];
  const why = whyNotOurs(join(folder, name));
  if (why !== null) return [why];
  return lstatOrNull(join(folder, name)) === null ? [] : [`${name} cannot be read`];
}

interface TurnParts {
  readonly text: string;
  readonly clues: PromptClues;
  /** The clues' paths that are inside the repository. */
  readonly paths: readonly string[];
  /** All findings, ordered by relevance. */
  readonly findings: readonly FusedFinding[];
  /** The evidence that the prompt's block contained. */
  readonly shown: Evidence;
  readonly policy: GuardPolicy;
}

/**
 * Returns what is to be remembered of a turn. Contract: names, paths and keys only; a name that the guard would change,
 * by itself or in the context of the prompt, is left out, so that no secret is stored.
 */
export function toTurn({ text, clues, paths, findings, shown, policy }: TurnParts): Omit<Turn, "of"> {
  const isClean = makeCleanTest(text, policy);
  const found = findings.filter(({ symbol, path }) => symbol !== "" && isClean(symbol) && isClean(path));
  // For `Printer.format` either the method or its class may have been found.
  const placeOf = (name: string) =>
    toParts(name).reduceRight((path, part) => path || (found.find(({ symbol }) => symbol === part)?.path ?? ""), "");
  const named = clues.symbols.filter(isClean).map((symbol) => ({ symbol, path: placeOf(symbol), named: true }));
  const others = found
    .map(({ symbol, path }) => ({ symbol, path, named: false }))
    .filter(({ symbol }) => !named.some((subject) => toParts(subject.symbol).includes(symbol)));
  // Names found in the repository precede those that only the question mentions, such as methods of the language.
  const known = [...named.filter(({ path }) => path !== ""), ...named.filter(({ path }) => path === "")];
  return { subjects: unique([...known, ...others]), paths: paths.filter(isClean), given: toKeys(shown) };
}

function toParts(name: string): string[] {
  return name.split(/\.|::|#|->/);
}

function unique(subjects: readonly Subject[]): Subject[] {
  return subjects.filter(({ symbol }, at) => subjects.findIndex((other) => other.symbol === symbol) === at);
}

function makeCleanTest(text: string, policy: GuardPolicy): (name: string) => boolean {
  const head = text.slice(0, MAX_ANALYSED_CHARS).normalize("NFKC");
  const clean = guardOwn(head);
  return (name) => guard(name, policy).value === name && (clean.includes(name) || !head.includes(name));
}
