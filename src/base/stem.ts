/** An English word without the ending of plural or tense. Contract: never shorter than `shortest` letters. */
export function toStem(word: string, shortest: number): string {
  if (word.length <= 4) return word;
  return word.replace(/(?:ations?|ings?|ers?|ies|ied|es|ed|s|ly)$/, (ending) =>
    word.length - ending.length >= shortest ? "" : ending,
  );
}
