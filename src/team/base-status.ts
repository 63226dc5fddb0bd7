import { readStateFile, replaceFile } from "../base/state-files.ts";
import { isRecord, parseObject } from "../base/text.ts";
import type { Brought } from "./bring-base.ts";

/** The base that an index was last to be layered on. */
export interface LaidBase {
  readonly commit: string;
  /** Sequence of the list that named the base. */
  readonly sequence: number;
  /** Commit time. */
  readonly madeMs: number;
}

/** Result of the last request to a store; for display only, never trusted. */
export interface AskedStore extends Pick<Brought, "state" | "reason"> {
  readonly atMs: number;
  readonly laid: LaidBase | null;
}

const FILE = "base.json";
const MAX_BYTES = 10_000;

/** Reads the recorded result of the last try for an index; null if there is none. */
export function readAsked(indexFolder: string): AskedStore | null {
  const { state, reason, atMs, laid } = parseObject(readStateFile(indexFolder, FILE, MAX_BYTES) ?? "") ?? {};
  const isWhole = typeof state === "string" && typeof reason === "string" && typeof atMs === "number";
  if (!isWhole || !(laid === null || isLaid(laid))) return null;
  return { state: state as Brought["state"], reason, atMs, laid };
}

function isLaid(value: unknown): value is LaidBase {
  if (!isRecord(value)) return false;
  const { commit, sequence, madeMs } = value;
  return typeof commit === "string" && typeof sequence === "number" && typeof madeMs === "number";
}

/** Records the result of a try. */
export function writeAsked(indexFolder: string, asked: AskedStore): void {
  replaceFile(indexFolder, FILE, `${JSON.stringify(asked)}\n`);
}
