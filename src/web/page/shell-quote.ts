/** Joins words to a command line. Contract: a shell reads exactly these words, whatever they contain. */
export function toCommand(words: readonly string[]): string {
  return words.map(shellQuote).join(" ");
}

/** Quotes a word for a shell if needed. */
function shellQuote(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
