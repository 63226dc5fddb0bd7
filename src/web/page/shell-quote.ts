/** Quotes a word for a shell if needed. Contract: a shell reads exactly this word, whatever it contains. */
export function shellQuote(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Joins words to a command line. */
export function toCommand(words: readonly string[]): string {
  return words.map(shellQuote).join(" ");
}
