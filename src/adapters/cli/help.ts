import { wrapToWidth } from "../../base/display-width.ts";
import { COMMON_OPTIONS, type Command, type CommandOption, GROUPS, optionsOf } from "./commands/command.ts";
import { COMMON_EXITS } from "./exit-codes.ts";
import { NAME_AND_TEXT, type Screen, table, wrap } from "./layout.ts";

/** Width if there is no terminal, and maximum width for readability. */
const [USUAL_COLUMNS, MOST_COLUMNS] = [80, 100];
const INDENT = 2;

/** Options of `groundwork` without a command. */
export const TOP_OPTIONS = {
  version: { short: "v", doc: "which version this is" },
  ...COMMON_OPTIONS,
} as const satisfies Command["options"];

const MORE = [
  ["groundwork", "the state of this repository, and what to do next"],
  ["groundwork help try", "all about one command; also docs/commands.md, man groundwork"],
  ["CI_AUTO_TOOLS=off", "in the environment: nothing runs, nothing is injected"],
] as const;

/** Output of `groundwork --help`: one line per command, in groups. */
export function printOverview(commands: readonly Command[], screen: Screen): string {
  const width = widthOf(screen);
  const { bold, accent } = screen.paint;
  const most = Math.max(...commands.map(({ name }) => name.length));
  const groups = Object.entries(GROUPS).flatMap(([group, title]) => {
    const own = commands.filter((command) => command.group === group);
    if (own.length === 0) return [];
    const rows = own.map(({ name, summary }) => [{ text: name.padEnd(most), paint: accent }, summary]);
    return [bold(title), `${table(rows, { width, indent: INDENT, columns: NAME_AND_TEXT })}\n`];
  });
  const parts = [
    `${bold("Usage:")} groundwork <command> [options]\n`,
    ...groups,
    bold("Options"),
    `${printOptions(TOP_OPTIONS, width)}\n`,
    bold("More"),
    table(MORE, { width, indent: INDENT, columns: NAME_AND_TEXT }),
  ];
  return `${parts.join("\n")}\n`;
}

/** Output of `groundwork help COMMAND`. `path` is everything that is typed before its arguments. */
export function printHelp(command: Command, path: string, screen: Screen): string {
  const width = widthOf(screen);
  const { bold, accent } = screen.paint;
  const options = optionsOf(command);
  const below = (command.commands ?? []).map(({ name, summary }) => [{ text: name, paint: accent }, summary]);
  const exits = Object.entries(exitsOf(command)).map(([code, meaning]) => [code, meaning]);
  const sections: readonly (readonly [string, string])[] = [
    ["Commands", table(below, { width, indent: INDENT, columns: NAME_AND_TEXT })],
    ["Options", printOptions(options, width)],
    ["Examples", command.examples.map((example) => printExample(example, width, screen)).join("\n")],
    ["Exit codes", table(exits, { width, indent: INDENT, columns: [{ align: "right" }, { tooWide: "wrap" }] })],
  ];
  const parts = [
    printUsage(toForms(command, path), width),
    wrap(describe(command), { width }),
    ...sections.filter(([, text]) => text !== "").map(([title, text]) => `${bold(title)}\n${text}`),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** `Usage:` and the forms of a command line, one per line. */
export function printUsage(forms: readonly string[], width: number): string {
  const label = "Usage: ";
  const lines = forms.map((form) => wrap(form, { width, indent: label.length })).join("\n");
  return `${label}${lines.slice(label.length)}`;
}

/** The forms of a command line as they are typed. */
export function toForms({ usage }: Pick<Command, "usage">, path: string): string[] {
  return usage.map((form) => `groundwork ${path}${form === "" ? "" : ` ${form}`}`);
}

/** Description of a command in sentences. */
export function describe({ summary, intro, about }: Pick<Command, "summary" | "intro" | "about">): string {
  const first = intro ?? `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`;
  return [first, about].filter(Boolean).join(" ");
}

/** Meaning of a command's exit codes. */
export function exitsOf({ exits }: Pick<Command, "exits">): Readonly<Record<number, string>> {
  return { ...COMMON_EXITS, ...exits };
}

/** Formats an option: `-h, --help`, `--repo DIR`. */
export function toWritten(name: string, { short, value, isOptional }: CommandOption): string {
  const shown = value === undefined ? "" : isOptional === true ? ` [${value}]` : ` ${value}`;
  return `${short === undefined ? "" : `-${short}, `}--${name}${shown}`;
}

/** Formats options in two columns; a long option is on the line above its description. */
export function printOptions(options: Command["options"], width: number): string {
  const rows = Object.entries(options).map(([name, option]) => [toWritten(name, option), option.doc]);
  const most = Math.max(12, Math.floor(width / 3));
  return table(rows, { width, indent: INDENT, columns: [{ most }, { tooWide: "wrap" }] });
}

/** Breaks a long line with a backslash, as shells do. */
function printExample({ line, about }: Command["examples"][number], width: number, { paint }: Screen): string {
  const [hang, end] = ["    ", " \\"];
  const parts = wrapToWidth(line, width - INDENT - hang.length - end.length);
  const typed = parts.map((part, at) => `${at === 0 ? "" : hang}${part}${at === parts.length - 1 ? "" : end}`);
  const said = wrapToWidth(about, width - INDENT - 2).map((part) => paint.faint(`# ${part}`));
  return [...said, ...typed.map(paint.accent)].map((part) => `${" ".repeat(INDENT)}${part}`).join("\n");
}

/** Width of help texts in columns. */
export function widthOf({ columns }: Screen): number {
  return Math.min(MOST_COLUMNS, columns ?? USUAL_COLUMNS);
}
