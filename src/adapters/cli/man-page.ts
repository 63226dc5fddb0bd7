import { COMMON_OPTIONS, type Command, GROUPS, optionsOf } from "./commands/command.ts";
import { EXIT_CODES } from "./exit-codes.ts";
import { describe, exitsOf, TOP_OPTIONS, toForms, toWritten } from "./help.ts";

/** The environment variables that command line users need most; the documentation lists the others. */
const VARIABLES: readonly (readonly [string, string])[] = [
  ["CI_AUTO_TOOLS", "off: nothing runs, nothing is injected"],
  ["CI_AUTO_TOOLS_INDEX", "off: no index; files are read for each question"],
  ["GROUNDWORK_RESIDENT", "off: no process in the background"],
  ["GROUNDWORK_HOME", "folder of index, sessions and history (default: ~/.cache/groundwork)"],
  ["NO_COLOR", "anything: no colours"],
];
const FILES: readonly (readonly [string, string])[] = [
  ["~/.groundwork/auto-tools.yaml", "your settings"],
  ["config/auto-tools.yaml", "settings of a repository, which may only narrow unless you trust it"],
  ["~/.cache/groundwork/", "state; all of it may be deleted at any time"],
];

/** The man page in man(7) format. Contract: deterministic. */
export function manPage(commands: readonly Command[], version: string): string {
  const lines = [
    `.\\" Made by "npm run generate".`,
    `.TH GROUNDWORK 1 "" "groundwork ${version}" "User Commands"`,
    ".SH NAME",
    "groundwork \\- evidence from a repository for Claude Code, Codex and other terminal clients",
    ".SH SYNOPSIS",
    ".B groundwork",
    "[\\fIcommand\\fR] [\\fIoptions\\fR]",
    ".SH DESCRIPTION",
    text(
      "Runs read-only code-intelligence tools for a question about a repository and shows, or hands to a client, a short and sourced block of evidence. Without a command it says what state the repository is in and what to do next.",
    ),
    ".SH OPTIONS",
    ...toOptions(TOP_OPTIONS),
    ...Object.entries(GROUPS).flatMap(([group, title]) => {
      const own = commands.filter((command) => command.group === group);
      return own.length === 0 ? [] : [`.SH ${quote(title.toUpperCase())}`, ...own.flatMap((one) => toPart(one, []))];
    }),
    ".SH EXIT STATUS",
    ...Object.entries(EXIT_CODES).flatMap(([code, meaning]) => item(code, meaning)),
    ".SH ENVIRONMENT",
    ...VARIABLES.flatMap(([name, doc]) => item(name, doc)),
    ".SH FILES",
    ...FILES.flatMap(([path, doc]) => item(path, doc)),
    ".SH SEE ALSO",
    text("The documentation beside the program: docs/commands.md, docs/configuration.md, docs/troubleshooting.md."),
  ];
  return `${lines.join("\n")}\n`;
}

/** Formats one command and its subcommands. */
function toPart(command: Command, above: readonly string[]): string[] {
  const path = [...above, command.name];
  const exits = Object.entries(exitsOf(command)).map(([code, meaning]) => `${code} ${meaning}`);
  return [
    `.SS ${quote(path.join(" "))}`,
    ...toForms(command, path.join(" ")).flatMap((form) => [text(form), ".br"]),
    ".PP",
    text(describe(command)),
    ...toOptions(withoutCommon(command)),
    ...(command.examples.length === 0 ? [] : [".PP", "Examples:", ".PP", ".nf", ".RS 4"]),
    ...command.examples.flatMap(({ line, about }) => [text(`# ${about}`), text(line)]),
    ...(command.examples.length === 0 ? [] : [".RE", ".fi"]),
    ".PP",
    text(`Exit status: ${exits.join("; ")}.`),
    ...(command.commands ?? []).flatMap((inner) => toPart(inner, path)),
  ];
}

/** Options of a command without the common ones, which are at the top of the page. */
function withoutCommon(command: Command): Command["options"] {
  const common: readonly unknown[] = Object.values(COMMON_OPTIONS);
  return Object.fromEntries(Object.entries(optionsOf(command)).filter(([, option]) => !common.includes(option)));
}

function toOptions(options: Command["options"]): string[] {
  return Object.entries(options).flatMap(([name, option]) => item(toWritten(name, option), option.doc));
}

function item(term: string, doc: string): string[] {
  return [".TP", `\\fB${text(term)}\\fR`, text(doc)];
}

/** Escapes a text for man: backslashes, dashes, some other characters and a dot at the start of a line are special. */
function text(words: string): string {
  return words
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("'", "\\(aq")
    .replaceAll("`", "\\(ga")
    .replaceAll("~", "\\(ti")
    .replaceAll("^", "\\(ha")
    .replaceAll("…", "...")
    .replace(/^\./, "\\&.");
}

function quote(title: string): string {
  return `"${text(title).replaceAll('"', "\\(dq")}"`;
}
