import type { Environment } from "../../base/environment.ts";
import { liesInside, readStateFile, writeStateFile } from "../../base/state-files.ts";
import { folderInState } from "../../config/places.ts";
import { hidePrivate } from "../../orchestrator/prompt-marks.ts";
import { redact } from "../../safety/redact/redact.ts";

/** The inputs of the loop, including those of earlier runs. */
export interface LoopHistory {
  /** Newest first. */
  readonly entries: () => readonly string[];
  readonly add: (text: string) => void;
}

/** Where a history is stored, and whether. */
export interface HistoryPlace {
  readonly env: Environment;
  /** The repository, which must not contain the history. */
  readonly root: string;
  /** False if the user does not want inputs to be stored. */
  readonly isKept: boolean;
  readonly nowMs: () => number;
}

const NAME = "history.jsonl";
const MOST = 500;
/** Maximum length of a stored input; longer ones are pastes, which can be copied again from their source. */
const MAX_ENTRY_CHARS = 4_000;
const MAX_BYTES = 256 * 1024;

/**
 * Opens the history. Contract: never throws; the file is private and holds at most 500 inputs and 256 KiB, no secrets
 * and nothing marked private; if nothing may be stored, only the inputs of this run are available.
 */
export function openHistory({ env, root, isKept, nowMs }: HistoryPlace): LoopHistory {
  const folder = (isKept ? folderInState(env, "codex-auto") : null) ?? "";
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
      // Read again: another loop may have written in the meantime.
      const kept = [...read().filter((entry) => entry !== hidden), hidden].slice(-MOST);
      const keeping = { isOurs: (name: string) => name === NAME, most: 1, maxAgeMs: Number.MAX_VALUE, nowMs: nowMs() };
      writeStateFile(folder, NAME, toText(kept), keeping);
    },
  };
}

/** Parses one JSON string per line, because an input may have several lines. Unreadable lines are skipped. */
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

/** Serialises the newest entries that fit into the file. */
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
