import { parseArgs } from "node:util";
import { editDistance, findNearest } from "../../base/edit-distance.ts";
import { cutText, toOneLine } from "../../base/text.ts";
import { fail, type Outcome, succeed } from "../../contract/faults.ts";
import { type Command, type CommandOption, takenOptions } from "./commands/command.ts";

/** The words of a command line, and the values of its options. */
interface ReadWords {
  readonly words: readonly string[];
  readonly values: Readonly<Record<string, string | boolean>>;
}

/** Maximum length of a typed word that is quoted in an error. */
const MAX_SHOWN_CHARS = 60;
/** Minimum length for a suggestion; shorter words are similar to too many others. */
const SHORTEST_GUESS = 3;

/**
 * Parses the arguments of a command. Contract: never throws; refuses unknown options, suggesting the nearest known one,
 * as well as missing and unexpected values. Everything after `--` is a word.
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
    // We report errors ourselves, in our own words.
    strict: false,
    tokens: true,
  });
  const words: string[] = [];
  const values: Record<string, string | boolean> = {};
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (option === undefined) return wrongLine(sayUnknown("option", token.rawName, Object.keys(options).map(toFlag)));
    const value = readValue(token.rawName, option, token);
    if (!value.ok) return value;
    values[token.name] = value.value;
  }
  return succeed({ words, values });
}

/** Returns the first word that is neither an option nor an option's value, and all other words. */
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

/** Error message for an unknown command or option. */
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

/** Adds an empty value to options with an optional value if none follows. */
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
  if (option.value === undefined) return value === undefined ? succeed(true) : wrongLine(`${written} takes no value`);
  // A word that looks like an option is probably not meant as a value.
  const isOption = inlineValue !== true && value !== undefined && /^-./.test(value);
  if (value === undefined || isOption) return wrongLine(`${written} needs a value: ${option.value}`);
  if (option.values?.includes(value) !== false) return succeed(value);
  const last = option.values.at(-1) ?? "";
  return wrongLine(`${written} takes ${option.values.slice(0, -1).join(", ")} or ${last}`);
}

/** The fault for a wrong command line. */
export function wrongLine(message: string): Outcome<never> {
  return fail("E_INVALID_ARGS", message);
}
