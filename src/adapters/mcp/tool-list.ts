import * as z from "zod/mini";
import type { ToolDeclaration } from "../../contract/tool.ts";

/** JSON Schema of an object, as clients are given it. */
interface ObjectSchema {
  readonly type: "object";
  readonly [key: string]: unknown;
}

/** A tool as `tools/list` tells it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema?: ObjectSchema;
  readonly annotations: { readonly readOnlyHint: boolean };
}

/** Says nothing that a model could use: every word of a schema is paid for in every session. */
const NEEDLESS = ["$schema", "additionalProperties", "minLength", "maxLength"];

/** The list of tools. Contract: pure; schemas are as short as they can be without saying less. */
export function listTools(tools: readonly ToolDeclaration[]): ListedTool[] {
  return tools.map(({ name, summary, effect, input, output }) => ({
    name,
    description: summary,
    inputSchema: toSchema(input(), NEEDLESS),
    // What must be there is not said: a program that stands in for the tool may answer with less.
    ...(output === undefined ? {} : { outputSchema: toSchema(output(), [...NEEDLESS, "required"]) }),
    annotations: { readOnlyHint: effect === "read" },
  }));
}

function toSchema(schema: z.ZodMiniObject, needless: readonly string[]): ObjectSchema {
  const whole = z.toJSONSchema(schema, { io: "input" });
  return { type: "object", ...(strip(whole, needless) as object) };
}

/** Removes keywords at every level; below `properties` stand names, not keywords. */
function strip(value: unknown, needless: readonly string[], areNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => strip(item, needless));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      // That nothing else is taken is worth saying, and only tools that mean it do.
      .filter(([key, item]) => areNames || item === false || !needless.includes(key))
      .map(([key, item]) => [key, strip(item, needless, !areNames && key === "properties")]),
  );
}
