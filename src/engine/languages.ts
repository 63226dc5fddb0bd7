import { COMMENTS, type CommentMarks, LANGUAGES, type LanguageEntry } from "../base/languages.ts";

/** All endings of a language's files, without the dot. */
export const endingsOf = ({ endings, ambiguousEndings = [] }: LanguageEntry): readonly string[] => [
  ...endings,
  ...ambiguousEndings,
];

const byEnding = new Map(LANGUAGES.flatMap((entry) => endingsOf(entry).map((ending) => [`.${ending}`, entry])));
const byId = new Map(LANGUAGES.map((entry) => [entry.id, entry]));

/** What the table says about files with an ending (with the dot, lower case); undefined for one that it does not know. */
export const entryOfEnding = (ending: string): LanguageEntry | undefined => byEnding.get(ending);

/** What the table says about a language; undefined for an id that it does not have. */
export const entryOfLanguage = (id: string): LanguageEntry | undefined => byId.get(id);

/** How comments are written in a language; with slashes where nothing is known of it. */
export const commentsOf = (entry: LanguageEntry | undefined): CommentMarks => COMMENTS[entry?.comments ?? "slashes"];

/** Endings, with the dot, of all languages of which something is true. */
export function endingsWhere(isMeant: (entry: LanguageEntry) => boolean): ReadonlySet<string> {
  return new Set(LANGUAGES.filter(isMeant).flatMap((entry) => endingsOf(entry).map((ending) => `.${ending}`)));
}
