import * as z from "zod/mini";
import type { ToolDeclaration } from "../../contract/tool.ts";

/** JSON Schema of an object, as sent to clients. */
interface ObjectSchema {
  readonly type: "object";
  readonly [key: string]: unknown;
}

/** A tool in the response to `tools/list`. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema?: ObjectSchema;
  readonly annotations: { readonly readOnlyHint: boolean };
}

/** Keywords of no use to a model: every word of a schema costs tokens in every session. */
const NEEDLESS = ["$schema", "additionalProperties", "minLength", "maxLength"];

/** The list of tools. Contract: pure; schemas are as short as possible without loss of meaning. */
export function toListedTools(tools: readonly ToolDeclaration[]): ListedTool[] {
  return tools.map(({ name, summary, effect, input, output }) => ({
    name,
    description: summary,
    inputSchema: toSchema(input(), NEEDLESS),
    // `required` is omitted: a program that replaces the tool may return less.
    ...(output === undefined ? {} : { outputSchema: toSchema(output(), [...NEEDLESS, "required"]) }),
    annotations: { readOnlyHint: effect === "read" },
  }));
}

function toSchema(schema: z.ZodMiniObject, needless: readonly string[]): ObjectSchema {
  const whole = z.toJSONSchema(schema, { io: "input" });
  return { type: "object", ...(strip(whole, needless) as object) };
}

/** Removes keywords at every level; the keys below `properties` are names, not keywords. */
function strip(value: unknown, needless: readonly string[], areNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => strip(item, needless));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      // `additionalProperties: false` is kept: it matters, and only tools that mean it declare it.
      .filter(([key, item]) => areNames || item === false || !needless.includes(key))
      .map(([key, item]) => [key, strip(item, needless, !areNames && key === "properties")]),
  );
}
