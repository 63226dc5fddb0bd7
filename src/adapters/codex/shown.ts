import { cutText, isRecord, toOneLine } from "../../base/text.ts";
import type { ReadLine } from "../../jobs/run/events.ts";

/** What the loop shows of one line of Codex's output. */
export interface Shown {
  /** Codex's message to the person; empty if there is none. */
  readonly answer: string;
  /** Codex's activity, one line each. */
  readonly progress: readonly string[];
}

const MAX_PROGRESS_CHARS = 160;
/** Shell wrapper around Codex's commands, which is not shown. */
const BY_SHELL = /^exec: \S*\/(?:ba|z|da)?sh -l?c (['"]?)(.*)\1$/s;
/** Events that are not worth showing. */
const QUIET = new Set(["thread.started", "turn.started", "turn.completed", "item.updated"]);
const QUIET_ITEMS = new Set(["reasoning", "todo_list"]);

/** Selects what is shown. Contract: a line that is not an event is an answer, unchanged. */
export function selectShown({ event, lines }: ReadLine): Shown {
  if (event === null) return { answer: `${lines.join("\n")}\n`, progress: [] };
  const { type, item } = event;
  const kind = isRecord(item) ? String(item["type"] ?? "") : "";
  if (kind === "agent_message") return { answer: `${lines.slice(1).join("\n")}\n`, progress: [] };
  if (QUIET.has(String(type)) || QUIET_ITEMS.has(kind) || isGood(kind, item)) return { answer: "", progress: [] };
  // The output of commands is for Codex; the person only sees that they run.
  const told = kind === "command_execution" ? lines.slice(0, 1) : lines;
  return { answer: "", progress: told.map((line) => cutText(toOneLine(toPlain(line)), MAX_PROGRESS_CHARS).text) };
}

/** True for a command or call that succeeded: its start has already been shown. */
function isGood(kind: string, item: unknown): boolean {
  if (!isRecord(item)) return false;
  return (
    (kind === "command_execution" && item["exit_code"] === 0) ||
    (kind === "mcp_tool_call" && item["status"] === "completed")
  );
}

function toPlain(line: string): string {
  return line.replace(BY_SHELL, "exec: $2");
}
