/**
 * Makes text from a repository unable to act as anything but text: no invisible characters, no terminal control, no
 * tags or tokens that a client or a model treats as structure, no copies of our own frame.
 */

/** Format characters (zero-width, bidirectional, tags) and every control character but tab and newline. */
const INVISIBLE = /(?![\t\n])[\p{Cf}\p{Cc}]/gu;
/** Fillers, variation selectors and joiners that are drawn as nothing but count as letters or marks. */
const BLANK_MARKS =
  /\u034F|\u115F|\u1160|\u17B4|\u17B5|[\u180B-\u180F]|\u3164|[\uFE00-\uFE0F]|\uFFA0|[\u{E0100}-\u{E01EF}]/gu;
/** Terminal sequences go whole; what is left of a broken one loses its escape character above. */
const TERMINAL = /\u001B(?:\[[0-9;?]{0,32}[ -/]{0,4}[@-~]|\][^\u0007\u001B]{0,512}(?:\u0007|\u001B\\)|[@-Z\\^_])/g;
const LINE_BREAKS = /\r\n?|[\u0085\u2028\u2029]/g;
/** Tags that open or close a block of a prompt: reminders, roles, ours. Only these: code is full of other tags. */
const TAGS =
  /<(?=\s{0,4}\/?\s{0,4}(?:system|assistant|user|human|developer|tool|function|important|instructions?|prompt|context|claude|codex|antml|persisted-output|command-|local-command|task-notification|gw-)[^<>\n]{0,200}>?)/gi;
/** Special tokens of chat templates. */
const TOKENS = /<\|(?=[^|\n]{0,64}\|>)|\[(?=\/?(?:INST|SYS)\])|<<(?=\/?SYS>>)|<(?=\/?s>)|<(?=(?:start|end)_of_turn>)/gi;
/** A line that pretends to be another speaker. */
const ROLE_LINES = /^([ \t>*#/-]{0,12})(system|assistant|human|user|developer)(?=[ \t]{0,4}[:：])/gim;
/** Lines and marks that only we write. */
const OUR_FRAME = /\[(?=\s{0,4}(?:Limits|Auto Tools|Results)\s{0,4}\])|【(?=\s{0,4}Auto Tools)/gi;

/** Makes a text harmless as structure. Contract: linear; keeps the number of lines; applying it twice changes nothing. */
export function defang(text: string): string {
  return text
    .toWellFormed()
    .replace(LINE_BREAKS, "\n")
    .replace(TERMINAL, "")
    .replace(INVISIBLE, "")
    .replace(BLANK_MARKS, "")
    .replace(TAGS, "‹")
    .replace(TOKENS, (mark) => (mark.startsWith("[") ? "(" : "‹"))
    .replace(ROLE_LINES, "$1$2 ")
    .replace(OUR_FRAME, "(");
}
