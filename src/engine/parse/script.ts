import { LANGUAGES } from "../../base/languages.ts";

/** The ending of the files that an interpreter runs, by its name. */
const ENDINGS = new Map(
  LANGUAGES.flatMap(({ endings, programs = [] }) => programs.map((program) => [program, `.${endings[0]}`])),
);
const FIRST_LINE = /^#![ \t]*(?:\S*\/)?([\w.+-]+)(?:[ \t]+(?:-S[ \t]+)?([\w.+-]+))?/;
const HEAD_CHARS = 200;

/** Whether a file name has an extension. */
export function hasEnding(path: string): boolean {
  return path.lastIndexOf(".") > path.lastIndexOf("/") + 1;
}

/**
 * Returns the ending that a script without one would have, derived from its first line. Contract: includes the dot;
 * empty for a file that has an ending, or if the first line names no known program. Called for every file that is read,
 * so it does not depend on the rule tables.
 */
export function endingOfScript(path: string, text: string): string {
  if (!text.startsWith("#!") || hasEnding(path)) return "";
  const [, program = "", argument = ""] = FIRST_LINE.exec(text.slice(0, HEAD_CHARS)) ?? [];
  const name = (program === "env" ? argument : program).replace(/[\d.]+$/, "");
  return ENDINGS.get(name) ?? "";
}
