/** Recognises lines of documents and comments that only look like a turn of a conversation. */

/** An item in a list of options in a documentation comment: ` * - name: what it does`. */
const OPTION = /^[ \t]+\*[ \t]+-[ \t]+$/;
/** A speaker with nothing around it. */
const SPEAKER = /^(?:[Aa]ssistant:|助手：)$/;
/** Typical first words of an assistant in an example: what it is about to do, or how something is done. */
const SAID =
  /^ ?(?:I'(?:ll|ve) (?!now\b)[a-z]+ |Let me [a-z]+ |Here(?: is| are|'s) |You can [a-z]+ |(?:In|To|With) [\w .+#-]{2,40}, you can |好的，我|我来|您好，)/;
const SAID_CHARS = 80;

/** True if the text before a name shows that it is an option in a description. */
export function isOption(lead: string): boolean {
  return OPTION.test(lead);
}

/**
 * True for an assistant's turn in an example of a document: its own words follow on the same line, and no blank line
 * precedes it. A planted turn is preceded by a blank line, which ends the text before it, or gives an order. Contract:
 * `label` is at the start of a line.
 */
export function isExample(label: string, at: number, text: string): boolean {
  if (!SPEAKER.test(label)) return false;
  const from = at + label.length;
  if (!SAID.test(text.slice(from, from + SAID_CHARS))) return false;
  return at === 0 || /\S[ \t]{0,40}\n$/.test(text.slice(Math.max(0, at - 60), at));
}
