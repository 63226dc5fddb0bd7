import { LANGUAGES } from "../../base/languages.ts";

/** The ending that a file would have which a program runs. */
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
 * The ending that a script would have if it had one, told by its first line. Contract: with the dot; empty for a file
 * that has an ending, and where the first line names no program that is known. It is asked of every file that is read,
 * so that it needs no table of rules.
 */
export function endingOfScript(path: string, text: string): string {
  if (!text.startsWith("#!") || hasEnding(path)) return "";
  const [, program = "", argument = ""] = FIRST_LINE.exec(text.slice(0, HEAD_CHARS)) ?? [];
  const name = (program === "env" ? argument : program).replace(/[\d.]+$/, "");
  return ENDINGS.get(name) ?? "";
}
