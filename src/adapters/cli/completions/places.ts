import { COMMON_OPTIONS, type Command, type CommandOption, type Completes, takenOptions } from "../commands/command.ts";
import { TOP_OPTIONS } from "../help.ts";

/** A position in a command line, and what may follow. */
export interface CompletionPlace {
  /** The preceding commands: none, one, or two for a subcommand. */
  readonly path: readonly string[];
  readonly options: Readonly<Record<string, CommandOption>>;
  /** Commands that may follow. */
  readonly commands: readonly Pick<Command, "name" | "summary">[];
  /** Completions of other words. */
  readonly words: Completes | undefined;
}

/** All positions in the command table. */
export function listCommandPlaces(commands: readonly Command[]): readonly CompletionPlace[] {
  const top: CompletionPlace = { path: [], options: TOP_OPTIONS, commands, words: undefined };
  const below = (path: readonly string[], list: readonly Command[]): CompletionPlace[] =>
    list.flatMap((command) => {
      const own = [...path, command.name];
      const { commands: inner = [], words } = command;
      // `help` is followed by the same commands as the program itself.
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

/** Completions of an option's value; undefined for a switch and for free text. */
export function completionOf({ value, values, completes }: CommandOption): Completes | undefined {
  return value === undefined ? undefined : (values ?? completes);
}

/** All spellings of an option. */
export function spellingsOf(name: string, { short }: CommandOption): string[] {
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
}

/** Quotes a text for a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
