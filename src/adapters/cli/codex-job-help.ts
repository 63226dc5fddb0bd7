import { CODEX_COMMANDS, JOB_COMMON_OPTIONS } from "./commands/codex.ts";
import type { Command } from "./commands/command.ts";
import { printHelp, printOptions, printUsage, toWritten, widthOf } from "./help.ts";
import { type Screen, table, wrap } from "./layout.ts";

/** Help text of job.sh and `groundwork codex`, or of one of their commands. */
export function printJobHelp(of: string, screen: Screen): string {
  const commands: readonly Command[] = CODEX_COMMANDS;
  const command = commands.find(({ name }) => name === of);
  return command === undefined ? printAll(commands, screen) : printHelp(command, `codex ${of}`, screen);
}

function printAll(commands: readonly Command[], screen: Screen): string {
  const width = widthOf(screen);
  const rows = commands.flatMap((command) => {
    const [form = ""] = command.usage;
    const typed = `${command.name} ${form.replace(" [-- arguments of codex…]", "")}`;
    const said = command.name === "exec" ? `${command.summary} (groundwork codex alone)` : command.summary;
    // The many options of a run are listed by start.sh.
    const options = command.name === "exec" ? [] : Object.entries(command.options);
    const own = options.filter(([name]) => !Object.hasOwn(JOB_COMMON_OPTIONS, name));
    const below = own.map(([name, option]) => [`    ${toWritten(name, option)}`, option.doc]);
    return [[{ text: typed, paint: screen.paint.accent }, said], ...below];
  });
  const all = table(rows, { width, indent: 2, columns: [{ most: 26 }, { tooWide: "wrap" }] });
  const about =
    "start and resume also take the options of start.sh (start.sh --help): --task TEXT, -f FILE, --sandbox MODE.";
  const parts = [
    printUsage(["job.sh <command> [options]", "groundwork codex <command> [options]"], width),
    all,
    wrap(about, { width }),
    printOptions(JOB_COMMON_OPTIONS, width),
    wrap("Exit codes: 0 done; 1 asked to stop, but not ended yet; 2 wrong command line or no such job.", { width }),
  ];
  return `${parts.join("\n\n")}\n`;
}
