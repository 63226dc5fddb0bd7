import { cutText, isRecord, parseObject, textOf, toOneLine } from "../../base/text.ts";

interface EventFacts {
  /** Sum of the input and output tokens of all turns; null if no turn reported any. */
  readonly tokens: number | null;
  /** Codex's id of the session; null if it reported none. */
  readonly threadId: string | null;
  /** The errors that ended it, in its own words. */
  readonly errors: readonly string[];
}

/** One line of Codex's output. */
export interface ReadLine {
  /** The event, or null for a line that is not one: then it is plain text. */
  readonly event: Record<string, unknown> | null;
  /** The lines shown to a person. */
  readonly lines: readonly string[];
}

const MAX_ERRORS = 20;
const MAX_ARGUMENTS = 500;

/** True for a text that may be passed to Codex as a session id: never an option, a path or prose. */
export function isThreadId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(text);
}

/**
 * Creates a reader for the output of `codex exec --json`. Contract: accepts any line; a line that is not an event is
 * text.
 */
export function makeEventReader(): {
  readonly read: (line: string) => ReadLine;
  readonly facts: () => EventFacts;
} {
  let tokens: number | null = null;
  let threadId: string | null = null;
  const errors: string[] = [];
  return {
    read: (line) => {
      const event = parseEvent(line);
      if (event === null) return { event, lines: [line] };
      const type = textOf(event, "type");
      if (type === "thread.started" && threadId === null) threadId = textOf(event, "thread_id") || null;
      if (type === "turn.completed") tokens = (tokens ?? 0) + usedBy(event["usage"]);
      const failure = failureOf(type, event);
      // A failed turn repeats the preceding error.
      if (failure !== "" && errors.at(-1) === failure) return { event, lines: [] };
      if (failure !== "" && errors.length < MAX_ERRORS) errors.push(failure);
      return { event, lines: failure === "" ? toLines(type, event) : prefixed("ERROR: ", failure) };
    },
    facts: () => ({ tokens, threadId, errors }),
  };
}

function parseEvent(line: string): Record<string, unknown> | null {
  const value = line.startsWith("{") ? parseObject(line) : null;
  return typeof value?.["type"] === "string" ? value : null;
}

function failureOf(type: string, event: Record<string, unknown>): string {
  if (type === "error") return textOf(event, "message") || "unknown error";
  if (type !== "turn.failed") return "";
  const { error } = event;
  return (isRecord(error) ? textOf(error, "message") : "") || "the turn failed";
}

function usedBy(usage: unknown): number {
  if (!isRecord(usage)) return 0;
  const count = (name: string) => (Number.isSafeInteger(usage[name]) ? Number(usage[name]) : 0);
  return count("input_tokens") + count("output_tokens");
}

function toLines(type: string, event: Record<string, unknown>): string[] {
  if (type === "thread.started") return [`session id: ${textOf(event, "thread_id")}`];
  if (type === "turn.started" || type === "item.updated") return [];
  if (type === "turn.completed") return [`tokens used: ${usedBy(event["usage"])}`];
  const { item } = event;
  if (!isRecord(item)) return [`[${toOneLine(type)}]`];
  const kind = textOf(item, "type");
  return type === "item.started" ? startedLines(kind, item) : completedLines(kind, item);
}

/** Only items that take time are reported when they start. */
function startedLines(kind: string, item: Record<string, unknown>): string[] {
  if (kind === "command_execution") return prefixed("exec: ", textOf(item, "command"));
  return kind === "mcp_tool_call" ? [`tool: ${toolOf(item)}`] : [];
}

function completedLines(kind: string, item: Record<string, unknown>): string[] {
  switch (kind) {
    case "agent_message":
      return ["codex", ...textOf(item, "text").split("\n")];
    case "reasoning":
      return ["thinking", ...textOf(item, "text").split("\n")];
    case "command_execution": {
      const printed = textOf(item, "aggregated_output").replace(/\n$/, "");
      const code = item["exit_code"];
      const end = typeof code === "number" ? `exited ${code}` : textOf(item, "status") || "ended";
      return [`exec ${end}`, ...(printed === "" ? [] : printed.split("\n"))];
    }
    case "mcp_tool_call":
      return [`tool ${textOf(item, "status") || "ended"}: ${toolOf(item)}`];
    case "file_change":
      return ["file update", ...changesOf(item)];
    case "web_search":
      return [`web search: ${toOneLine(textOf(item, "query"))}`];
    case "error":
      return prefixed("warning: ", textOf(item, "message"));
    default:
      return [`[${toOneLine(kind) || "item"}]`];
  }
}

function changesOf(item: Record<string, unknown>): string[] {
  const changes = Array.isArray(item["changes"]) ? item["changes"] : [];
  return changes.filter(isRecord).map((change) => `${textOf(change, "kind")} ${toOneLine(textOf(change, "path"))}`);
}

function toolOf(item: Record<string, unknown>): string {
  const given = item["arguments"] === undefined ? "" : JSON.stringify(item["arguments"]);
  return toOneLine(`${textOf(item, "server")}.${textOf(item, "tool")} ${cutText(given, MAX_ARGUMENTS).text}`);
}

function prefixed(prefix: string, text: string): string[] {
  return `${prefix}${text}`.split("\n");
}
