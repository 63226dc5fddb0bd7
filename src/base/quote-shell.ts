/** Quotes a text for a POSIX shell. Contract: the shell parses the result back to exactly this text. */
export function quoteShell(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
