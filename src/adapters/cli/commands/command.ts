import { COLOUR_CHOICES } from "../colour.ts";

/** Completions of a word: paths, or one of these words. */
export type Completes = "file" | "folder" | readonly string[];

/** An option of a command. Its key is its name without dashes. */
export interface CommandOption {
  /** One letter. */
  readonly short?: string;
  /** Placeholder of its value; absent for a switch. */
  readonly value?: string;
  /** True if the value may be omitted, which counts as an empty value. */
  readonly isOptional?: boolean;
  /** The only values that it accepts. */
  readonly values?: readonly string[];
  /** Completions of its value, if they differ from `values`. */
  readonly completes?: Completes;
  /** True if the folder that it names may have been deleted. */
  readonly mayBeGone?: boolean;
  readonly doc: string;
}

/** An example of a useful command line. */
export interface CommandExample {
  readonly line: string;
  readonly about: string;
}

/** Headings of the overview, in order. */
export const GROUPS = {
  ask: "Ask",
  tool: "One tool by itself",
  see: "See and steer",
  keep: "Index and resident",
  team: "For a team",
  setup: "Set up",
  machine: "For clients and scripts",
} as const;

/** Description of a command, from which help, parser, completions, man page and docs are generated. */
export interface Command {
  readonly name: string;
  readonly group: keyof typeof GROUPS;
  /** One line for the overview, without a full stop. */
  readonly summary: string;
  /** Arguments after the name, for each form of the command. */
  readonly usage: readonly string[];
  /** What it does, in sentences, if the summary is incomplete. */
  readonly intro?: string;
  /** Further information. */
  readonly about?: string;
  readonly options: Readonly<Record<string, CommandOption>>;
  /** Further options that it accepts and that another command documents. */
  readonly more?: Readonly<Record<string, CommandOption>>;
  /** Completions of its words. */
  readonly words?: Completes;
  readonly examples: readonly CommandExample[];
  /** Meaning of its own exit codes, in addition to the common ones. */
  readonly exits?: Readonly<Record<number, string>>;
  /** Subcommands. */
  readonly commands?: readonly Command[];
  /** True if another program reads its options, so that the common ones do not apply. */
  readonly isApart?: boolean;
}

/** Options of every command. */
export const COMMON_OPTIONS = {
  color: { value: "WHEN", values: COLOUR_CHOICES, doc: "colours: auto (default: on a terminal), always or never" },
  help: { short: "h", doc: "this text" },
} as const satisfies Command["options"];

/** All options that a command's help lists. */
export function optionsOf({ options, isApart }: Pick<Command, "options" | "isApart">): Command["options"] {
  return isApart === true ? options : { ...options, ...COMMON_OPTIONS };
}

/** All options that a command accepts. */
export function takenOptions(command: Pick<Command, "options" | "more" | "isApart">): Command["options"] {
  return { ...command.more, ...optionsOf(command) };
}

/** The parsed values of options. */
type Values<O> = {
  readonly [Name in keyof O]?: (O[Name] extends { readonly value: string } ? string : boolean) | undefined;
};

/** Parsed option values of a command, including the common ones. */
export type OptionValues<C extends Pick<Command, "options">> = Values<C["options"]> & Values<typeof COMMON_OPTIONS>;

/** Options shared by many commands. */
export const REPO = {
  value: "DIR",
  completes: "folder",
  doc: "repository to ask about (default: the current folder)",
} as const satisfies CommandOption;
/** JSON output for programs. */
export const JSON_OPTION = { doc: "the answer as JSON" } as const satisfies CommandOption;
/** Skips the confirmation. */
export const YES = { doc: "do it without asking" } as const satisfies CommandOption;
