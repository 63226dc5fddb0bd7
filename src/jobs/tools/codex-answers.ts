import { isRecord } from "../../base/text.ts";
import type { ForegroundEnd } from "./foreground-run.ts";

/** What a client reads of an answer. */
export interface ShownAnswer {
  /** Exactly what scripts know: JSON, or the words of a program. */
  readonly text: string;
  /** The same as data, with more where that helps a model; null for what is no object. */
  readonly structured: Readonly<Record<string, unknown>> | null;
}

/** The fields of a run's end that its text has; what Codex said is beside them. */
const END_KEYS: readonly (keyof ForegroundEnd)[] = [
  "runId",
  "exitCode",
  "cwd",
  "logFile",
  "instructionsFile",
  "metaFile",
  "lastMessageFile",
  "tag",
  "processExit",
];

/** An answer of the tools, as clients read it. Contract: pure; data of another shape is shown as it is. */
export function toShown(data: Readonly<Record<string, unknown>>): ShownAnswer {
  const { printed, jobs, joined, count, totalLines } = data;
  if (typeof printed === "string") return { text: printed, structured: toRecord(printed) };
  if (Array.isArray(jobs)) return { text: JSON.stringify(jobs), structured: null };
  if (typeof joined === "string") {
    const lines = { lines: count === 0 ? [] : joined.split("\n"), totalLines };
    return { text: JSON.stringify(lines), structured: lines };
  }
  const isEnd = END_KEYS.every((key) => key in data);
  const known = isEnd ? Object.fromEntries(shownKeys(data).map((key) => [key, data[key]])) : data;
  return { text: JSON.stringify(known), structured: data };
}

/** A run that was refused also says why: many clients show the text alone. */
function shownKeys(data: Readonly<Record<string, unknown>>): readonly string[] {
  return "error" in data ? [...END_KEYS, "error"] : END_KEYS;
}

function toRecord(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
