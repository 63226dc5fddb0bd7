import { ASKING } from "./asking.ts";
import type { Command, OptionValues } from "./command.ts";
import { KEEPING } from "./keeping.ts";
import { MACHINE } from "./machine.ts";
import { SEEING } from "./seeing.ts";
import { SETUP } from "./setup.ts";
import { TEAM } from "./team.ts";

/** All commands of `groundwork` except those of tools, in the order of the overview. */
export const COMMANDS = [
  ...ASKING,
  ...SEEING,
  ...KEEPING,
  ...TEAM,
  ...SETUP,
  ...MACHINE,
] as const satisfies readonly Command[];

/** The names of all commands. */
export type CommandName = (typeof COMMANDS)[number]["name"];

/** The parsed option values of the command with this name. */
export type OptionsOf<Name extends CommandName> = OptionValues<
  Extract<(typeof COMMANDS)[number], { readonly name: Name }>
>;
