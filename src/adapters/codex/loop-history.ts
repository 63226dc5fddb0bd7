import { join } from "node:path";
import type { Environment } from "../../base/environment.ts";
import { liesInside, readStateFile, writeStateFile } from "../../base/state-files.ts";
import { LOOP_FOLDER, stateFolder } from "../../config/places.ts";
import { hidePrivate } from "../../orchestrator/prompt-marks.ts";
import { redact } from "../../safety/redact/redact.ts";

/** What was typed into the loop, also in earlier runs. */
export interface LoopHistory {
  /** Newest first. */
  readonly entries: () => readonly string[];
  readonly add: (text: string) => void;
}

/** Where a history is kept, and whether. */
export interface HistoryPlace {
  readonly env: Environment;
  /** The repository, which must not hold it. */
  readonly root: string;
  /** False if the user wants nothing to be remembered. */
  readonly isKept: boolean;
  readonly nowMs: () => number;
}

const NAME = "history.jsonl";
const MOST = 500;
/** Longer inputs are pastes; they can be had again from where they came. */
const MAX_ENTRY_CHARS = 4_000;
const MAX_BYTES = 256 * 1024;

/**
 * Opens the history. Contract: never throws; the file is the user's alone, holds at most 500 inputs and 256 KiB, no
 * secrets and nothing marked private; where nothing may be kept, nothing is read or written, and this run's own inputs are still there.
 */
export function openHistory({ env, root, isKept, nowMs }: HistoryPlace): LoopHistory {
  const state = isKept ? stateFolder(env) : null;
  const folder = state === null ? "" : join(state, LOOP_FOLDER);
  const isFiled = folder !== "" && !liesInside(folder, root);
  const read = () => (isFiled ? parseEntries(readStateFile(folder, NAME, MAX_BYTES) ?? "") : []);
  let entries = read().toReversed();
  return {
    entries: () => entries,
    add: (text) => {
      entries = [text, ...entries.filter((entry) => entry !== text)].slice(0, MOST);
      if (!isFiled || text.length > MAX_ENTRY_CHARS) return;
      const hidden = redact(hidePrivate(text)).text;
      if (hidden === "") return;
      // Read anew: another loop may have written meanwhile.
      const kept = [...read().filter((entry) => entry !== hidden), hidden].slice(-MOST);
      const keeping = { isOurs: (name: string) => name === NAME, most: 1, maxAgeMs: Number.MAX_VALUE, nowMs: nowMs() };
      writeStateFile(folder, NAME, toText(kept), keeping);
    },
  };
}

/** One JSON string a line, because an input may have several lines. What cannot be read is left out. */
function parseEntries(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line);
      return typeof entry === "string" ? [entry] : [];
    } catch {
      return [];
    }
  });
}

/** The newest entries that fit into the file. */
function toText(entries: readonly string[]): string {
  const lines: string[] = [];
  let bytes = 0;
  for (const entry of entries.toReversed()) {
    const line = `${JSON.stringify(entry)}\n`;
    bytes += Buffer.byteLength(line, "utf8");
    if (bytes > MAX_BYTES) break;
    lines.unshift(line);
  }
  return lines.join("");
}
