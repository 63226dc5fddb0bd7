import { wrapToWidth } from "../../base/display-width.ts";
import { COMMON_OPTIONS, type Command, type CommandOption, GROUPS, optionsOf } from "./commands/command.ts";
import { COMMON_EXITS } from "./exit-codes.ts";
import { type Screen, table, wrap } from "./layout.ts";

/** Where it is no terminal, and where lines would be too long to read. */
const [USUAL_COLUMNS, MOST_COLUMNS] = [80, 100];
const INDENT = 2;

/** Options of `groundwork` itself. */
export const TOP = {
  options: { version: { short: "v", doc: "which version this is" } },
} as const satisfies Pick<Command, "options">;

const MORE = [
  ["groundwork", "the state of this repository, and what to do next"],
  ["groundwork help try", "all about one command; also docs/commands.md, man groundwork"],
  ["CI_AUTO_TOOLS=off", "in the environment: nothing runs, nothing is injected"],
] as const;

/** What `groundwork --help` says: every command in a line, in groups. */
export function printOverview(commands: readonly Command[], screen: Screen): string {
  const width = widthOf(screen);
  const { bold, accent } = screen.paint;
  const most = Math.max(...commands.map(({ name }) => name.length));
  const groups = Object.entries(GROUPS).flatMap(([group, title]) => {
    const own = commands.filter((command) => command.group === group);
    if (own.length === 0) return [];
    const rows = own.map(({ name, summary }) => [{ text: name.padEnd(most), paint: accent }, summary]);
    return [bold(title), `${table(rows, { width, indent: INDENT, columns: [{}, { tooWide: "wrap" }] })}\n`];
  });
  const parts = [
    `${bold("Usage:")} groundwork <command> [options]\n`,
    ...groups,
    bold("Options"),
    `${printOptions({ ...TOP.options, ...COMMON_OPTIONS }, width)}\n`,
    bold("More"),
    table(MORE, { width, indent: INDENT, columns: [{}, { tooWide: "wrap" }] }),
  ];
  return `${parts.join("\n")}\n`;
}

/** What `groundwork help COMMAND` says. `path` is all that is typed in front of its words. */
export function printHelp(command: Command, path: string, screen: Screen): string {
  const width = widthOf(screen);
  const { bold, accent } = screen.paint;
  const options = optionsOf(command);
  const below = (command.commands ?? []).map(({ name, summary }) => [{ text: name, paint: accent }, summary]);
  const columns = [{}, { tooWide: "wrap" }] as const;
  const exits = Object.entries(exitsOf(command)).map(([code, meaning]) => [code, meaning]);
  const sections: readonly (readonly [string, string])[] = [
    ["Commands", table(below, { width, indent: INDENT, columns })],
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

/** `Usage:` and the forms of a command line, one below the other. */
export function printUsage(forms: readonly string[], width: number): string {
  const label = "Usage: ";
  const lines = forms.map((form) => wrap(form, { width, indent: label.length })).join("\n");
  return `${label}${lines.slice(label.length)}`;
}

/** The forms of a command line, each as it is typed. */
export function toForms({ usage }: Pick<Command, "usage">, path: string): string[] {
  return usage.map((form) => `groundwork ${path}${form === "" ? "" : ` ${form}`}`);
}

/** What a command does, in sentences. */
export function describe({ summary, intro, about }: Pick<Command, "summary" | "intro" | "about">): string {
  const first = intro ?? `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`;
  return about === "" ? first : `${first} ${about}`;
}

/** What the exit codes of a command mean. */
export function exitsOf({ exits }: Pick<Command, "exits">): Readonly<Record<number, string>> {
  return { ...COMMON_EXITS, ...exits };
}

/** How an option is written: `-h, --help`, `--repo DIR`. */
export function toWritten(name: string, { short, value, isOptional }: CommandOption): string {
  const shown = value === undefined ? "" : isOptional === true ? ` [${value}]` : ` ${value}`;
  return `${short === undefined ? "" : `-${short}, `}--${name}${shown}`;
}

/** Options in two columns; a long one stands above what is said of it. */
export function printOptions(options: Command["options"], width: number): string {
  const rows = Object.entries(options).map(([name, option]) => [toWritten(name, option), option.doc]);
  const most = Math.max(12, Math.floor(width / 3));
  return table(rows, { width, indent: INDENT, columns: [{ most }, { tooWide: "wrap" }] });
}

/** A line that is too long goes on in the next one, as a shell reads it. */
function printExample({ line, about }: Command["examples"][number], width: number, { paint }: Screen): string {
  const [hang, end] = ["    ", " \\"];
  const parts = wrapToWidth(line, width - INDENT - hang.length - end.length);
  const typed = parts.map((part, at) => `${at === 0 ? "" : hang}${part}${at === parts.length - 1 ? "" : end}`);
  const said = wrap(`# ${about}`, { width, indent: INDENT }).split("\n").map(paint.faint);
  return [...said, ...typed.map((part) => `${" ".repeat(INDENT)}${paint.accent(part)}`)].join("\n");
}

/** Columns that help is written for. */
export function widthOf({ columns }: Screen): number {
  return Math.min(MOST_COLUMNS, columns ?? USUAL_COLUMNS);
}
