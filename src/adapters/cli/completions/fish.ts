import type { Command, CommandOption, Completes } from "../commands/command.ts";
import { type CompletionPlace, completionOf, listCommandPlaces } from "./places.ts";

/** Generates a completion script for fish. */
export function fishCompletions(commands: readonly Command[]): string {
  const lines = listCommandPlaces(commands).flatMap(toLines);
  return `# Completions of groundwork for fish. Made by "groundwork completions fish".
# Whether the command line is at this place: the words behind the program begin with these, and no other command follows.
function __groundwork_at
    set -l words (commandline -opc)
    set -e words[1]
    set -l own
    for word in $words
        string match -q -- '-*' $word; and break
        set -a own $word
    end
    test (count $own) -ge (count $argv); or return 1
    for at in (seq (count $argv))
        test $own[$at] = $argv[$at]; or return 1
    end
end
function __groundwork_only
    __groundwork_at $argv; or return 1
    set -l words (commandline -opc)
    set -e words[1]
    test (count (string match -v -- '-*' $words)) -eq (count $argv)
end
complete -c groundwork -f
${lines.join("\n")}
complete -c groundwork-context -w groundwork
`;
}

function toLines({ path, options, commands, words }: CompletionPlace): string[] {
  const at = (test: string) => `complete -c groundwork -n ${quote([test, ...path].join(" "))}`;
  // After a subcommand these options belong to the subcommand.
  const here = commands.length === 0 ? "__groundwork_at" : "__groundwork_only";
  return [
    ...commands.map(({ name, summary }) => `${at("__groundwork_only")} -a ${name} -d ${quote(summary)}`),
    ...(words === undefined ? [] : [`${at(here)} ${toArguments(words)}`]),
    ...Object.entries(options).map(([name, option]) => `${at(here)} ${toOption(name, option)}`),
  ];
}

function toOption(name: string, option: CommandOption): string {
  const kind = completionOf(option);
  const value =
    option.value === undefined
      ? ""
      : kind === undefined
        ? " -x"
        : ` ${kind === "file" ? "-r -F" : `-x ${toArguments(kind)}`}`;
  return `-l ${name}${option.short === undefined ? "" : ` -s ${option.short}`}${value} -d ${quote(option.doc)}`;
}

function toArguments(completes: Completes): string {
  if (completes === "file") return "-F";
  return `-a ${completes === "folder" ? "'(__fish_complete_directories)'" : quote(completes.join(" "))}`;
}

/** Quotes a text for fish, which has two escapes inside single quotes. */
function quote(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
