import { cutText, isRecord, parseObject, textOf, toOneLine } from "../../base/text.ts";

interface EventFacts {
  /** Input and output tokens of all turns; null where no turn told any. */
  readonly tokens: number | null;
  /** Codex's own id of the session; null where it named none. */
  readonly threadId: string | null;
  /** What ended it, in its own words. */
  readonly errors: readonly string[];
}

/** One line of Codex's output. */
export interface ReadLine {
  /** The event, or null for a line that is none: then it is text as it stands. */
  readonly event: Record<string, unknown> | null;
  /** What a person reads of it. */
  readonly lines: readonly string[];
}

const MAX_ERRORS = 20;
const MAX_ARGUMENTS = 500;

/** True for what may be handed to Codex as the id of a session: never an option, a path or a text. */
export function isThreadId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(text);
}

/** Reads the output of `codex exec --json`. Contract: takes any line; what is no event is text. */
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
      // A failed turn repeats the error before it.
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

/** Only what takes time is told when it begins. */
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
