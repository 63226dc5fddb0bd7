import { SHELLS } from "../adapters/cli/commands/setup.ts";
import { bashCompletions } from "../adapters/cli/completions/bash.ts";
import { fishCompletions } from "../adapters/cli/completions/fish.ts";
import { zshCompletions } from "../adapters/cli/completions/zsh.ts";
import type { ToolDeclaration } from "../contract/tool.ts";
import { allCommands } from "./help-command.ts";
import { misuse, type Printed } from "./printed.ts";

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
