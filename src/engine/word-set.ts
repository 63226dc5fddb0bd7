/** The set of some words, written with spaces between them. */
export const toWordSet = (words = ""): ReadonlySet<string> => new Set(words.split(" ").filter((word) => word !== ""));
