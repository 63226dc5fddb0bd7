/** A word for a shell, in quotes where it needs them. Contract: a shell reads exactly this word, whatever it holds. */
export function shellQuote(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A command line. */
export function toCommand(words: readonly string[]): string {
  return words.map(shellQuote).join(" ");
}
