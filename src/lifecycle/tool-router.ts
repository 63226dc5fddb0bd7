import { isRecord } from "../base/text.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import type { FindTool, ToolDeclaration } from "../contract/tool.ts";

/** Inputs that callers like to send as JSON in a text. */
const STRUCTURED_KEYS = ["filePath", "files", "paths", "items", "options"];

/**
 * The one form of arguments that hooks and tools see. Contract: pure; for some keys a text that looks like a JSON array or
 * object becomes what it says; everything else is untouched, and what is no object is returned as it is.
 */
export function normalizeToolArgs<T>(args: T): T {
  if (!isRecord(args)) return args;
  const found = Object.entries(args).map(([key, value]) => [
    key,
    STRUCTURED_KEYS.includes(key) ? toData(value) : value,
  ]);
  return Object.fromEntries(found) as T;
}

function toData(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*(?:\[.*\]|\{.*\})\s*$/s.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** Finds tools by name, wherever they live. */
export interface ToolRouter {
  readonly find: (name: string, signal: AbortSignal) => Promise<Outcome<ToolDeclaration>>;
}

/** Routes names to our own tools first, then to others. Contract: finding a tool of ours asks nobody else. */
export function makeRouter(own: readonly ToolDeclaration[], others: FindTool = async () => undefined): ToolRouter {
  const byName = new Map(own.map((tool) => [tool.name, tool]));
  return {
    find: async (name, signal) => {
      const tool = byName.get(name);
      if (tool !== undefined) return succeed(tool);
      return (await others(name, signal)) ?? fail("E_TOOL_UNAVAILABLE", `unknown tool ${name}`);
    },
  };
}

/** Tokens of the model's context, characters of one, and the share of them that one result may have. */
const CONTEXT_TOKENS = 200_000;
const TOKEN_CHARS = 4;
const RESULT_SHARE = 0.3;
const MOST_TOKENS = CONTEXT_TOKENS * RESULT_SHARE;

/** Why a result is too large to be given to a model; null where it is not. */
export function tooLarge(data: unknown): string | null {
  const tokens = Math.ceil((JSON.stringify(data) ?? "").length / TOKEN_CHARS);
  if (tokens <= MOST_TOKENS) return null;
  return `Content is too large: ${tokens} tokens (exceeds ${MOST_TOKENS} token limit); ask for less`;
}
