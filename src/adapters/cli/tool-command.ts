import * as z from "zod/mini";
import { splitNames } from "../../base/text.ts";
import { type Outcome, succeed } from "../../contract/faults.ts";
import type { ToolDeclaration } from "../../contract/tool.ts";
import type { Command, CommandOption } from "./commands/command.ts";
import { TOOL_OPTIONS, TOOL_WORDS } from "./commands/tools.ts";
import { CALL_EXITS } from "./exit-codes.ts";
import { readWords } from "./read-command.ts";

interface ToolInput {
  readonly name: string;
  readonly kind: "string" | "number" | "flag" | "list";
  readonly isRequired: boolean;
  readonly option: CommandOption;
}

/** Parsed arguments of a tool's command. */
export interface ToolCommand {
  readonly args: Readonly<Record<string, unknown>>;
  readonly repo: string | null;
  readonly json: boolean;
  readonly help: boolean;
  /** The value of `--color`; null if not given. */
  readonly color: string | null;
  /** File with one call per line, as a JSON object of inputs; `-` is standard input. */
  readonly each: string | null;
}

/** Command name of a tool: `ci_call_chain` → `call-chain`; empty if it has no command. */
function commandOf({ name }: Pick<ToolDeclaration, "name">): string {
  const command = name.startsWith("ci_") ? name.slice(3).replaceAll("_", "-") : "";
  return TAKEN.includes(command) ? "" : command;
}

/** Names of separate commands, which take precedence over tools. */
const TAKEN = ["index"];
/** The command that both shows and changes the index, and the words that change it. */
const [STATUS, CHANGES] = ["index-status", ["build", "clear"]] as const;

/** Finds the tool of a command: `index-status clear` calls the tool that may write. */
export function findTool(
  tools: readonly ToolDeclaration[],
  command: string,
  words: readonly string[],
): ToolDeclaration | undefined {
  if (command === "") return undefined;
  const own = tools.find((tool) => commandOf(tool) === command);
  const changes = command === STATUS && words.some((word) => CHANGES.some((change) => change === word));
  return changes ? tools.find(({ name }) => name === own?.name.replace(/_status$/, "")) : own;
}

/** The commands of the tools, described like all others. */
export function toolCommands(tools: readonly ToolDeclaration[]): readonly Command[] {
  return tools.filter((tool) => commandOf(tool) !== "").map((tool) => toolCommand(tool));
}

function toolCommand(tool: ToolDeclaration): Command {
  const name = commandOf(tool);
  const inputs = inputsOf(tool);
  const [main] = inputs;
  const { summary = firstSentence(tool.summary), examples = [], ...more } = TOOL_WORDS[name] ?? {};
  const word = main === undefined ? "" : main.isRequired ? `<${main.name}> ` : `[${main.name}] `;
  return {
    name,
    group: "tool",
    summary,
    usage: [`${word}[options]`],
    intro: tool.summary,
    about: main?.kind === "string" && main.isRequired ? `A ${main.name} that is - is read from standard input.` : "",
    options: { ...Object.fromEntries(inputs.map((input) => [toFlag(input.name), input.option])), ...TOOL_OPTIONS },
    examples,
    exits: CALL_EXITS,
    ...more,
  };
}

function firstSentence(text: string): string {
  const [first = ""] = text.split(/[.:] /);
  return `${first.slice(0, 1).toLowerCase()}${first.slice(1)}`;
}

interface PropertySchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly description?: string;
}

const KINDS: Readonly<Record<string, ToolInput["kind"]>> = {
  integer: "number",
  number: "number",
  boolean: "flag",
  array: "list",
};
/** Placeholders for the values of options, by kind; null for no value. */
const VALUES = { string: "TEXT", number: "N", flag: null, list: "A,B" } as const;

/** The inputs of a tool, in the order of its declaration. The first one takes the words of the command. */
function inputsOf(tool: ToolDeclaration): ToolInput[] {
  const { properties = {}, required = [] } = z.toJSONSchema(tool.input(), { io: "input" }) as {
    readonly properties?: Readonly<Record<string, PropertySchema>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => {
    const kind = KINDS[schema.type ?? ""] ?? "string";
    const doc = [
      schema.description ?? "",
      schema.enum === undefined ? "" : schema.enum.join(" | "),
      schema.default === undefined || kind === "flag" || kind === "list" ? "" : `(default: ${String(schema.default)})`,
    ];
    const completes = schema.enum ?? (/^(?:path|file)$/.test(name) ? ("file" as const) : undefined);
    const value = VALUES[kind];
    const option = { ...(value === null ? {} : { value }), doc: doc.filter(Boolean).join("  ") };
    const isRequired = required.includes(name);
    return { name, kind, isRequired, option: completes === undefined ? option : { ...option, completes } };
  });
}

const toFlag = (input: string) => input.replaceAll("_", "-");

function toValue(kind: ToolInput["kind"], written: string): unknown {
  if (kind === "number") return Number(written);
  return kind === "list" ? splitNames(written) : written;
}

/** Parses the words and options of a tool's command; the tool validates the values. Contract: never throws. */
export function readToolCommand(tool: ToolDeclaration, argv: readonly string[]): Outcome<ToolCommand> {
  const inputs = inputsOf(tool);
  const options = Object.fromEntries(inputs.map(({ name, option }) => [toFlag(name), option]));
  const read = readWords({ options: { ...options, ...TOOL_OPTIONS } }, argv);
  if (!read.ok) return read;
  const { words, values } = read.value;
  const text = (name: string) => (typeof values[name] === "string" ? values[name] : null);
  const args: Record<string, unknown> = {};
  for (const { name, kind } of inputs) {
    const value = text(toFlag(name));
    if (kind === "flag" && values[toFlag(name)] === true) args[name] = true;
    else if (value !== null) args[name] = toValue(kind, value);
  }
  const [main] = inputs;
  if (words.length > 0 && main !== undefined) args[main.name] = toValue(main.kind, words.join(" "));
  return succeed({
    args,
    repo: text("repo"),
    json: values["json"] === true,
    help: values["help"] === true,
    color: text("color"),
    each: text("each"),
  });
}
