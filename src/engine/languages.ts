import { LANGUAGES, type LanguageEntry } from "../base/languages.ts";

/** Comment syntax of a language. */
interface CommentMarks {
  /** Start of a line comment; if `isAlone` is set, recognised only at the beginning of a line. */
  readonly line: string;
  readonly isAlone: boolean;
  /** Start and end of block comments and doc strings. */
  readonly blocks: readonly (readonly [string, string])[];
  /** Matches a trimmed line that belongs to a comment above a definition. */
  readonly above: RegExp;
}

/** Syntax of each comment style. */
export const COMMENTS: Readonly<Record<NonNullable<LanguageEntry["comments"]>, CommentMarks>> = {
  slashes: { line: "//", isAlone: false, blocks: [["/*", "*/"]], above: /^(?:\/\/|\/\*|\*)/ },
  slashesOrHash: { line: "//", isAlone: false, blocks: [["/*", "*/"]], above: /^(?:\/\/|\/\*|\*|#(?!\[))/ },
  hash: {
    line: "#",
    isAlone: true,
    blocks: [
      ['"""', '"""'],
      ["'''", "'''"],
    ],
    above: /^#/,
  },
  dashes: {
    line: "--",
    isAlone: false,
    blocks: [
      ["{-", "-}"],
      ["--[[", "]]"],
    ],
    above: /^--/,
  },
  // Of languages without an entry above, whose definitions are found line by line: Clojure, MATLAB and the like.
  semicolons: { line: ";", isAlone: true, blocks: [], above: /^;/ },
  percents: { line: "%", isAlone: true, blocks: [], above: /^%/ },
};

/** All endings of a language's files, without the dot. */
export const endingsOf = ({ endings, ambiguousEndings = [] }: LanguageEntry): readonly string[] => [
  ...endings,
  ...ambiguousEndings,
];

const byEnding = new Map(LANGUAGES.flatMap((entry) => endingsOf(entry).map((ending) => [`.${ending}`, entry])));
const byId = new Map(LANGUAGES.map((entry) => [entry.id, entry]));

/** Table entry for a file ending (with the dot, lower case); undefined if the ending is unknown. */
export const entryOfEnding = (ending: string): LanguageEntry | undefined => byEnding.get(ending);

/** Table entry for a language; undefined if the id is unknown. */
export const entryOfLanguage = (id: string): LanguageEntry | undefined => byId.get(id);

/** Comment syntax of a language; slashes by default. */
export const commentsOf = (entry: LanguageEntry | undefined): CommentMarks => COMMENTS[entry?.comments ?? "slashes"];

/** Endings, with the dot, of all languages that satisfy a condition. */
export function endingsWhere(isMeant: (entry: LanguageEntry) => boolean): ReadonlySet<string> {
  return new Set(LANGUAGES.filter(isMeant).flatMap((entry) => endingsOf(entry).map((ending) => `.${ending}`)));
}
