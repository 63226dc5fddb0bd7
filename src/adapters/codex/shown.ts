import { cutText, isRecord, toOneLine } from "../../base/text.ts";
import type { ReadLine } from "../../jobs/run/events.ts";

/** What somebody in the loop is shown of one line of Codex's output. */
export interface Shown {
  /** What Codex says to them; empty where the line says nothing. */
  readonly answer: string;
  /** What it does meanwhile, one line each. */
  readonly progress: readonly string[];
}

const MAX_PROGRESS_CHARS = 160;
/** How Codex runs a command: the shell is of no interest. */
const BY_SHELL = /^exec: \S*\/(?:ba|z|da)?sh -l?c (['"]?)(.*)\1$/s;
/** Nothing that one needs to see while one waits. */
const QUIET = new Set(["thread.started", "turn.started", "turn.completed", "item.updated"]);
const QUIET_ITEMS = new Set(["reasoning", "todo_list"]);

/** Chooses what is shown. Contract: what is no event is an answer as it stands. */
export function toShown({ event, lines }: ReadLine): Shown {
  if (event === null) return { answer: `${lines.join("\n")}\n`, progress: [] };
  const { type, item } = event;
  const kind = isRecord(item) ? String(item["type"] ?? "") : "";
  if (kind === "agent_message") return { answer: `${lines.slice(1).join("\n")}\n`, progress: [] };
  if (QUIET.has(String(type)) || QUIET_ITEMS.has(kind) || isGood(kind, item)) return { answer: "", progress: [] };
  // What commands print is for Codex; a person sees that they run.
  const told = kind === "command_execution" ? lines.slice(0, 1) : lines;
  return { answer: "", progress: told.map((line) => cutText(toOneLine(toPlain(line)), MAX_PROGRESS_CHARS).text) };
}

/** True for a command that has ended well: that it began was told. */
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
