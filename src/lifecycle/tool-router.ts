import { isRecord } from "../base/text.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import type { FindTool, ToolDeclaration } from "../contract/tool.ts";

/** Inputs that callers often send as a JSON string. */
const STRUCTURED_KEYS = ["filePath", "files", "paths", "items", "options"];

/**
 * Normalises arguments to the only form that hooks and tools see. Contract: pure; for some keys, a string that looks
 * like a JSON array or object is parsed; everything else is unchanged, and arguments that are no object are returned as
 * given.
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

/** Finds tools by name, whatever their source. */
export interface ToolRouter {
  readonly find: (name: string, signal: AbortSignal) => Promise<Outcome<ToolDeclaration>>;
}

/** Looks up names among our own tools first, then among others. Contract: `others` is not called for our own tools. */
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

/** Tokens in the model's context, characters per token, and the share of the context that one result may take. */
const CONTEXT_TOKENS = 200_000;
const TOKEN_CHARS = 4;
const RESULT_SHARE = 0.3;
const MOST_TOKENS = CONTEXT_TOKENS * RESULT_SHARE;

/** Reason why a result is too large for a model; null if it is not. */
export function tooLarge(data: unknown): string | null {
  const tokens = Math.ceil((JSON.stringify(data) ?? "").length / TOKEN_CHARS);
  if (tokens <= MOST_TOKENS) return null;
  return `Content is too large: ${tokens} tokens (exceeds ${MOST_TOKENS} token limit); ask for less`;
}
