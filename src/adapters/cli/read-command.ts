import { parseArgs } from "node:util";
import { editDistance, findNearest } from "../../base/edit-distance.ts";
import { cutText, toOneLine } from "../../base/text.ts";
import { fail, type Outcome, succeed } from "../../contract/faults.ts";
import { type Command, type CommandOption, takenOptions } from "./commands/command.ts";

/** The words of a command line, and the values of its options. */
export interface ReadWords {
  readonly words: readonly string[];
  readonly values: Readonly<Record<string, string | boolean>>;
}

/** Longest word of a person that is repeated to them. */
const MAX_SHOWN_CHARS = 60;
/** Shorter words are near to too many others. */
const SHORTEST_GUESS = 3;

/**
 * Reads what stands behind a command. Contract: never throws; an option that the command does not have is refused, with the
 * nearest one that it has; so are a value that is missing and one that it does not take. All behind `--` are words.
 */
export function readWords(
  command: Pick<Command, "options" | "more" | "isApart">,
  argv: readonly string[],
): Outcome<ReadWords> {
  const options = takenOptions(command);
  const { tokens } = parseArgs({
    args: withEmptyValues(argv, options),
    options: Object.fromEntries(Object.entries(options).map(([name, option]) => [name, toParsed(option)])),
    allowPositionals: true,
    // What is wrong is said below, in our own words.
    strict: false,
    tokens: true,
  });
  const words: string[] = [];
  const values: Record<string, string | boolean> = {};
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (option === undefined) return misuse(sayUnknown("option", token.rawName, Object.keys(options).map(toFlag)));
    const value = readValue(token.rawName, option, token);
    if (!value.ok) return value;
    values[token.name] = value.value;
  }
  return succeed({ words, values });
}

/** The first word that is neither an option nor the value of one, and everything else. */
export function splitCommand(
  argv: readonly string[],
  commands: readonly Pick<Command, "options">[],
): { readonly name: string; readonly rest: readonly string[] } {
  const takesValue = (word: string) =>
    commands.some((command) => takenOptions(command)[word.replace(/^--/, "")]?.value !== undefined);
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? "";
    if (word === "--") break;
    if (!word.startsWith("-")) return { name: word, rest: argv.toSpliced(at, 1) };
    if (takesValue(word)) at++;
  }
  return { name: "", rest: argv };
}

/** What is said of a command or an option that is none. */
export function sayUnknown(what: "command" | "option", word: string, known: readonly string[]): string {
  const nearest = findMeant(word, known);
  const shown = cutText(toOneLine(word), MAX_SHOWN_CHARS).text;
  return `unknown ${what} ${shown}${nearest === "" ? "" : `; did you mean ${nearest}?`}`;
}

function findMeant(word: string, known: readonly string[]): string {
  const bare = word.replace(/^-+/, "");
  if (bare.length < SHORTEST_GUESS) return "";
  const nearest = findNearest(word, known);
  const isLikely = editDistance(word, nearest) === 1 || nearest.replace(/^-+/, "")[0] === bare[0];
  return nearest !== "" && isLikely ? nearest : "";
}

const toFlag = (name: string) => `--${name}`;

function toParsed({ short, value }: CommandOption) {
  return { type: value === undefined ? ("boolean" as const) : ("string" as const), ...(short ? { short } : {}) };
}

/** An option whose value may be left out gets an empty one where none follows. */
function withEmptyValues(argv: readonly string[], options: Command["options"]): string[] {
  const end = argv.indexOf("--");
  return argv.map((word, at) => {
    const isOptional = word.startsWith("--") && options[word.slice(2)]?.isOptional === true;
    const next = argv[at + 1];
    const isLeftOut = next === undefined || next.startsWith("-");
    return isOptional && isLeftOut && (end === -1 || at < end) ? `${word}=` : word;
  });
}

function readValue(
  written: string,
  option: CommandOption,
  given: { readonly value?: string | undefined; readonly inlineValue?: boolean | undefined },
): Outcome<string | boolean> {
  const { value, inlineValue } = given;
  if (option.value === undefined) return value === undefined ? succeed(true) : misuse(`${written} takes no value`);
  // An option's name is hardly meant as a value.
  const isOption = inlineValue !== true && value !== undefined && /^-./.test(value);
  if (value === undefined || isOption) return misuse(`${written} needs a value: ${option.value}`);
  if (option.values?.includes(value) !== false) return succeed(value);
  const last = option.values.at(-1) ?? "";
  return misuse(`${written} takes ${option.values.slice(0, -1).join(", ")} or ${last}`);
}

function misuse(message: string): Outcome<never> {
  return fail("E_INVALID_ARGS", message);
}
