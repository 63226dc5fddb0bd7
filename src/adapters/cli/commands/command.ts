import { COLOUR_CHOICES } from "../colour.ts";

/** What a word of a command line can be completed to: paths, or one of these words. */
export type Completes = "file" | "folder" | readonly string[];

/** An option of a command. Its name, without the dashes, is its key. */
export interface CommandOption {
  /** One letter. */
  readonly short?: string;
  /** What its value is called; absent for a switch. */
  readonly value?: string;
  /** True if the value may be left out, which counts as an empty one. */
  readonly isOptional?: boolean;
  /** The only values that it takes. */
  readonly values?: readonly string[];
  /** What its value can be completed to, where that is not `values`. */
  readonly completes?: Completes;
  /** True if the folder that it names may no longer be there. */
  readonly mayBeGone?: boolean;
  readonly doc: string;
}

/** A command line that does something useful in a repository. */
export interface CommandExample {
  readonly line: string;
  readonly about: string;
}

/** Headings of the overview, in its order. */
export const GROUPS = {
  ask: "Ask",
  tool: "One tool by itself",
  see: "See and steer",
  keep: "Index and resident",
  team: "For a team",
  setup: "Set up",
  machine: "For clients and scripts",
} as const;

/** Everything that is to be known of a command: help, parser, completions, man page and docs are made from it. */
export interface Command {
  readonly name: string;
  readonly group: keyof typeof GROUPS;
  /** One line for the overview: what it does, without a full stop. */
  readonly summary: string;
  /** What stands behind the name, in each of its forms. */
  readonly usage: readonly string[];
  /** What it does, in sentences, where the summary is only a part of that. */
  readonly intro?: string;
  /** More than that; empty where it is all. */
  readonly about: string;
  readonly options: Readonly<Record<string, CommandOption>>;
  /** Options that it takes as well, and that another command describes. */
  readonly more?: Readonly<Record<string, CommandOption>>;
  /** What its words can be completed to. */
  readonly words?: Completes;
  readonly examples: readonly CommandExample[];
  /** What its exit codes mean, besides those of all commands. */
  readonly exits: Readonly<Record<number, string>>;
  /** Commands of its own. */
  readonly commands?: readonly Command[];
  /** True where another program reads its options, which are then all that it takes. */
  readonly isApart?: boolean;
}

/** Options that every command takes. */
export const COMMON_OPTIONS = {
  color: { value: "WHEN", values: COLOUR_CHOICES, doc: "colours: auto (default: on a terminal), always or never" },
  help: { short: "h", doc: "this text" },
} as const satisfies Command["options"];

/** All options of a command that its help describes. */
export function optionsOf({ options, isApart }: Pick<Command, "options" | "isApart">): Command["options"] {
  return isApart === true ? options : { ...options, ...COMMON_OPTIONS };
}

/** All options that a command takes. */
export function takenOptions(command: Pick<Command, "options" | "more" | "isApart">): Command["options"] {
  return { ...command.more, ...optionsOf(command) };
}

/** The values of options as they were read. */
type Values<O> = {
  readonly [Name in keyof O]?: (O[Name] extends { readonly value: string } ? string : boolean) | undefined;
};

/** What a command gets besides its words. */
export type OptionValues<C extends Pick<Command, "options">> = Values<C["options"]> & Values<typeof COMMON_OPTIONS>;

/** Options that many commands have. */
export const REPO = {
  value: "DIR",
  completes: "folder",
  doc: "repository to ask about (default: the current folder)",
} as const satisfies CommandOption;
/** Answers for programs. */
export const JSON_OPTION = { doc: "the answer as JSON" } as const satisfies CommandOption;
/** Nobody is asked. */
export const YES = { doc: "do it without asking" } as const satisfies CommandOption;
