/** Lines of documents and comments that look like a turn of a conversation and are none. */

/** The list of options in a comment of documented code: ` * - name: what it does`. */
const OPTION = /^[ \t]+\*[ \t]+-[ \t]+$/;
/** A speaker with nothing around it. */
const SPEAKER = /^(?:[Aa]ssistant:|助手：)$/;
/** What an assistant says in an example: what it is about to do, or how something is done. */
const SAID =
  /^ ?(?:I'(?:ll|ve) (?!now\b)[a-z]+ |Let me [a-z]+ |Here(?: is| are|'s) |You can [a-z]+ |(?:In|To|With) [\w .+#-]{2,40}, you can |好的，我|我来|您好，)/;
const SAID_CHARS = 80;

/** True if what precedes a name makes it an option that is described. */
export function isOption(lead: string): boolean {
  return OPTION.test(lead);
}

/**
 * True for a turn of an assistant in the example of a document: its own words follow on the same line, and no blank
 * line precedes it. A planted turn has one, to end the text before it, or it orders something. Contract: `label` is at
 * the start of a line.
 */
export function isExample(label: string, at: number, text: string): boolean {
  if (!SPEAKER.test(label)) return false;
  const from = at + label.length;
  if (!SAID.test(text.slice(from, from + SAID_CHARS))) return false;
  return at === 0 || /\S[ \t]{0,40}\n$/.test(text.slice(Math.max(0, at - 60), at));
}
