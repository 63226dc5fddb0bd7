import { writtenEndings } from "../../base/languages.ts";
import { findFrames, type StackFrame } from "./traces.ts";
import { toPlainPath } from "./traits.ts";
import { wordsOf } from "./words.ts";

/** The parsed text of an issue. */
export interface IssueText {
  readonly title: string;
  /** The whole text without links and issue-template boilerplate. */
  readonly text: string;
  /** Only what is marked as code. */
  readonly code: string;
  /** Paths and file names, with forward slashes, without leading dots. */
  readonly files: readonly string[];
  /** Stack frames, the failing one first. */
  readonly frames: readonly StackFrame[];
  /** Qualified names: `package.module.Type`. */
  readonly dotted: readonly (readonly string[])[];
  /** Names that look like code or occur in code, with their counts. */
  readonly names: ReadonlyMap<string, number>;
  readonly titleNames: ReadonlySet<string>;
}

const MAX_CHARS = 20_000;
const LINK = /https?:\/\/\S{1,2000}/g;
const FORM = /<!--[\s\S]*?-->|^[ \t]*(?:[-*] \[[ xX]\]|#{1,6}|\*\*[^*\n]{1,60}\*\*:?[ \t]*$).*$/gm;
const CODE = /```[\s\S]*?(?:```|$(?![\s\S]))|`[^`\n]+`|^(?: {4}|\t|>>>|\.\.\. ).*$/gm;
const FILE = new RegExp(`([\\w./\\\\@-]{0,300}[\\w-]\\.(?:${writtenEndings("code")}))\\b`, "g");
const DOTTED = /\b[A-Za-z_]\w*(?:(?:\.|::|\\|#)[A-Za-z_]\w*)+/g;
const NAME_LIKE = /[a-z][A-Z]|_[a-z]|^[A-Z][a-z]+[A-Z]|^[A-Z][a-z]{3,}$|^_/;

/** Parses an issue. Contract: reads at most 20,000 characters; depends only on the text. */
export function readIssue(issue: string): IssueText {
  const whole = issue.slice(0, MAX_CHARS);
  const title = whole.split("\n").find((line) => line.trim() !== "") ?? "";
  const linkless = whole.replace(LINK, " ");
  const text = linkless.replace(FORM, (line) =>
    line.startsWith("#") && line.length < 200 && line === title ? line : " ",
  );
  const code = (text.match(CODE) ?? []).join("\n");
  const inCode = new Set(wordsOf(code));
  const names = new Map<string, number>();
  for (const word of wordsOf(text)) {
    if (NAME_LIKE.test(word) || inCode.has(word)) names.set(word, (names.get(word) ?? 0) + 1);
  }
  return {
    title,
    text: text.includes(title) ? text : `${title}\n${text}`,
    code,
    files: [...new Set(Array.from(linkless.matchAll(FILE), ([, path = ""]) => toPlainPath(path)))],
    frames: findFrames(linkless),
    dotted: [...new Set(text.match(DOTTED) ?? [])].map((name) => name.split(/\.|::|\\|#/)),
    names,
    titleNames: new Set(wordsOf(title)),
  };
}
