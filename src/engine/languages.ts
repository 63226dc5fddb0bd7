import { COMMENTS, type CommentMarks, LANGUAGES, type LanguageEntry } from "../base/languages.ts";

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
