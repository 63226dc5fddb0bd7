// Generates the man page and the reference in docs/commands.md from the table of commands.
import { COMMON_OPTIONS, type Command, GROUPS, optionsOf } from "../src/adapters/cli/commands/command.ts";
import { COMMANDS } from "../src/adapters/cli/commands/table.ts";
import { EXIT_CODES } from "../src/adapters/cli/exit-codes.ts";
import { describe, exitsOf, toForms, toWritten } from "../src/adapters/cli/help.ts";
import { toolCommands } from "../src/adapters/cli/tool-command.ts";
import { systemClock } from "../src/base/clock.ts";
import { makeFileEngine } from "../src/engine/engine.ts";
import { makeRegistry } from "../src/tools/registry.ts";

/** Every command, as `groundwork --help` lists them. */
export function everyCommand(): readonly Command[] {
  return [...COMMANDS, ...toolCommands(makeRegistry(makeFileEngine(systemClock)))];
}

/** The reference: every command with usage, options, examples and exit codes. */
export function commandReference(): string {
  const commands = everyCommand();
  return Object.entries(GROUPS)
    .flatMap(([group, title]) => {
      const own = commands.filter((command) => command.group === group);
      return own.length === 0 ? [] : [`## ${title}\n`, ...own.flatMap((command) => toSection(command, []))];
    })
    .map((part) => `${part}\n`)
    .join("");
}

/** Returns one row per exit code. */
export function exitRows(): string[][] {
  return Object.entries(EXIT_CODES).map(([code, meaning]) => [code, meaning]);
}

function toSection(command: Command, above: readonly string[]): string[] {
  const path = [...above, command.name];
  const common: readonly unknown[] = Object.values(COMMON_OPTIONS);
  const options = Object.entries(optionsOf(command)).filter(([, option]) => !common.includes(option));
  const rows = options.map(
    ([name, option]) => `| \`${toWritten(name, option)}\` | ${option.doc.replaceAll("|", "\\|")} |\n`,
  );
  const exits = Object.entries(exitsOf(command)).map(([code, meaning]) => `${code} ${meaning}`);
  const examples = command.examples.map(({ line, about }) => `# ${about}\n${line}\n`);
  return [
    `${"#".repeat(2 + path.length)} ${path.join(" ")}\n`,
    `\`\`\`\n${toForms(command, path.join(" ")).join("\n")}\n\`\`\`\n`,
    `${describe(command)}\n`,
    ...(rows.length === 0 ? [] : [`| option | what it does |\n| --- | --- |\n${rows.join("")}`]),
    ...(examples.length === 0 ? [] : [`\`\`\`sh\n${examples.join("")}\`\`\`\n`]),
    `Exit codes: ${exits.join("; ")}.\n`,
    ...(command.commands ?? []).flatMap((inner) => toSection(inner, path)),
  ];
}
