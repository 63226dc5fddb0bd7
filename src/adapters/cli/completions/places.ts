import { COMMON_OPTIONS, type Command, type CommandOption, type Completes, takenOptions } from "../commands/command.ts";
import { TOP } from "../help.ts";

/** A place in a command line, and what can stand there. */
export interface CompletionPlace {
  /** The commands in front of it: none, one, or two where a command has commands of its own. */
  readonly path: readonly string[];
  readonly options: Readonly<Record<string, CommandOption>>;
  /** Commands that can follow. */
  readonly commands: readonly Pick<Command, "name" | "summary">[];
  /** What other words can be completed to. */
  readonly words: Completes | undefined;
}

/** Every place of the table. */
export function listPlaces(commands: readonly Command[]): readonly CompletionPlace[] {
  const top: CompletionPlace = { path: [], options: { ...TOP.options, ...COMMON_OPTIONS }, commands, words: undefined };
  const below = (path: readonly string[], list: readonly Command[]): CompletionPlace[] =>
    list.flatMap((command) => {
      const own = [...path, command.name];
      const { commands: inner = [], words } = command;
      // Behind `help` stands what stands behind nothing.
      const following = command.name === "help" ? commands : inner;
      return [{ path: own, options: takenOptions(command), commands: following, words }, ...below(own, inner)];
    });
  const helped = commands
    .filter((command) => command.commands !== undefined)
    .map(({ name, commands: inner = [] }) => ({
      path: ["help", name],
      options: COMMON_OPTIONS,
      commands: inner,
      words: undefined,
    }));
  return [top, ...below([], commands), ...helped];
}

/** What the value of an option can be completed to; undefined for a switch and for free text. */
export function completionOf({ value, values, completes }: CommandOption): Completes | undefined {
  return value === undefined ? undefined : (values ?? completes);
}

/** All spellings of an option. */
export function spellingsOf(name: string, { short }: CommandOption): string[] {
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
}

/** A text for a shell that reads it as it is. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
