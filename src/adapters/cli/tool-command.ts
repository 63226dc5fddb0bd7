import { parseArgs } from "node:util";
import * as z from "zod/mini";
import { toMessage } from "../../base/text.ts";
import { fail, type Outcome, succeed } from "../../contract/faults.ts";
import type { ToolDeclaration } from "../../contract/tool.ts";

/** One input of a tool as the command line offers it. */
interface ToolOption {
  readonly input: string;
  readonly kind: "string" | "number";
  readonly doc: string;
}

/** What a tool's command was called with. */
export interface ToolCommand {
  readonly args: Readonly<Record<string, unknown>>;
  readonly repo: string | null;
  readonly json: boolean;
  readonly help: boolean;
  /** File with one JSON object a line, each of which is one call; `-` is standard input. */
  readonly each: string | null;
}

/** Name of a tool's command: `ci_call_chain` → `call-chain`. */
function commandOf({ name }: Pick<ToolDeclaration, "name">): string {
  return name.replace(/^ci_/, "").replaceAll("_", "-");
}

/** Commands of their own, whatever tool has their name. */
const TAKEN = ["index"];

/**
 * The tool that a command stands for. What a person types has one name for telling and changing: `index-status clear` is a
 * call of the tool that may write.
 */
export function findTool(
  tools: readonly ToolDeclaration[],
  command: string,
  words: readonly string[],
): ToolDeclaration | undefined {
  if (TAKEN.includes(command)) return undefined;
  const changes = command === "index-status" && words.some((word) => word === "build" || word === "clear");
  return tools.find((tool) => commandOf(tool) === (changes ? "index" : command));
}

interface PropertySchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly description?: string;
}

/** The inputs of a tool, in the order of its declaration. The first is what the words of the command are for. */
function optionsOf(tool: ToolDeclaration): ToolOption[] {
  const { properties = {} } = z.toJSONSchema(tool.input(), { io: "input" }) as {
    readonly properties?: Readonly<Record<string, PropertySchema>>;
  };
  return Object.entries(properties).map(([input, schema]) => ({
    input,
    kind: schema.type === "integer" || schema.type === "number" ? "number" : "string",
    doc: [
      schema.description ?? "",
      schema.enum === undefined ? "" : schema.enum.join(" | "),
      schema.default === undefined ? "" : `(default: ${String(schema.default)})`,
    ]
      .filter(Boolean)
      .join("  "),
  }));
}

const toFlag = (input: string) => input.replaceAll("_", "-");

/** Reads the words and options of a tool's command. Contract: a fault names what is wrong; the tool checks the values. */
export function readToolCommand(tool: ToolDeclaration, argv: readonly string[]): Outcome<ToolCommand> {
  const options = optionsOf(tool);
  try {
    const parsed = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        ...Object.fromEntries(options.map(({ input }) => [toFlag(input), { type: "string" as const }])),
        repo: { type: "string" },
        each: { type: "string" },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
    const values: Readonly<Record<string, unknown>> = parsed.values;
    const { positionals } = parsed;
    const args: Record<string, unknown> = {};
    for (const { input, kind } of options) {
      const value = values[toFlag(input)];
      if (typeof value === "string") args[input] = kind === "number" ? Number(value) : value;
    }
    const [main] = options;
    if (positionals.length > 0 && main !== undefined) args[main.input] = positionals.join(" ");
    return succeed({
      args,
      repo: typeof values["repo"] === "string" ? values["repo"] : null,
      json: values["json"] === true,
      help: values["help"] === true,
      each: typeof values["each"] === "string" ? values["each"] : null,
    });
  } catch (thrown) {
    return fail("E_INVALID_ARGS", toMessage(thrown).split(". ")[0] ?? "");
  }
}

/** Usage of a tool's command. */
export function toolUsage(tool: ToolDeclaration): string {
  const options = optionsOf(tool);
  const [main] = options;
  const rows = [
    ...options.map(({ input, kind, doc }) => [`--${toFlag(input)} ${kind === "number" ? "N" : "TEXT"}`, doc]),
    ["--repo DIR", "repository to ask about (default: the current folder)"],
    ["--each FILE", "one call for each line of FILE, a JSON object of inputs; - is standard input"],
    ["--json", "all data as JSON"],
  ];
  const width = Math.max(...rows.map(([flag = ""]) => flag.length)) + 2;
  return [
    `Usage: groundwork ${commandOf(tool)} ${main === undefined ? "" : `<${main.input}> `}[options]`,
    "",
    tool.summary,
    "",
    ...rows.map(([flag = "", doc = ""]) => `  ${flag.padEnd(width)}${doc}`),
    "",
  ].join("\n");
}
