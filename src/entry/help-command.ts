import type { Command } from "../adapters/cli/commands/command.ts";
import { SHELLS } from "../adapters/cli/commands/setup.ts";
import { COMMANDS } from "../adapters/cli/commands/table.ts";
import { bashCompletions } from "../adapters/cli/completions/bash.ts";
import { fishCompletions } from "../adapters/cli/completions/fish.ts";
import { zshCompletions } from "../adapters/cli/completions/zsh.ts";
import { printHelp, printOverview } from "../adapters/cli/help.ts";
import { sayUnknown } from "../adapters/cli/read-command.ts";
import { toolCommands } from "../adapters/cli/tool-command.ts";
import type { ToolDeclaration } from "../contract/tool.ts";
import { misuse, type Printed } from "./printed.ts";
import { screenOf } from "./screen.ts";

/** Help text for `groundwork help [command]` and for `--help` with or without a command. */
export function sayHelp(
  path: readonly string[],
  { tools, color }: { readonly tools: readonly ToolDeclaration[]; readonly color?: string | undefined },
): Printed {
  const screen = screenOf({ color });
  const all = allCommands(tools);
  if (path.length === 0) return { text: printOverview(all, screen), exitCode: 0 };
  let found: Command | undefined;
  for (const [at, word] of path.entries()) {
    const known: readonly Command[] = at === 0 ? all : (found?.commands ?? []);
    found = known.find(({ name }) => name === word);
    const names = known.map(({ name }) => name);
    if (found === undefined) return misuse(sayUnknown("command", word, names));
  }
  return { text: found === undefined ? "" : printHelp(found, path.join(" "), screen), exitCode: 0 };
}

/** Every command, including those derived from tools. */
export function allCommands(tools: readonly ToolDeclaration[]): readonly Command[] {
  return [...COMMANDS, ...toolCommands(tools)];
}

const MAKERS = { bash: bashCompletions, zsh: zshCompletions, fish: fishCompletions } as const;

/** `groundwork completions bash|zsh|fish`: prints a script that completes commands and options with the Tab key. */
export async function printCompletions(
  words: readonly string[],
  _options: object,
  tools: readonly ToolDeclaration[],
): Promise<Printed> {
  const shell = SHELLS.find((one) => one === words[0]);
  if (shell === undefined || words.length > 1)
    return misuse("completions needs a shell: bash, zsh or fish", "completions");
  return { text: MAKERS[shell](allCommands(tools)), exitCode: 0 };
}
