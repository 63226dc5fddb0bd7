/** An English word without its plural or tense suffix. Contract: never cut to fewer than `shortest` letters. */
export function toStem(word: string, shortest: number): string {
  if (word.length <= 4) return word;
  return word.replace(/(?:ations?|ings?|ers?|ies|ied|es|ed|s|ly)$/, (ending) =>
    word.length - ending.length >= shortest ? "" : ending,
  );
}
