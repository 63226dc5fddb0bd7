/**
 * Puts a text into a shell command in the place of a mark, as one word that the shell does not read: between single quotes,
 * double quotes or none, as the mark stands. Contract: null where the mark stands in something that cannot be told apart
 * (a command substitution, a here document, a comment), because then the text might be run.
 */
export function insertText(command: string, mark: string, text: string): string | null {
  if (!command.includes(mark)) return command;
  if (/`|\$\(|<<|(?:^|\s)#/.test(command)) return null;
  let quote = "";
  let out = "";
  for (let at = 0; at < command.length; at++) {
    if (command.startsWith(mark, at)) {
      out += quoted(text, quote);
      at += mark.length - 1;
      continue;
    }
    const char = command.charAt(at);
    if (char === "\\" && quote !== "'") {
      // Whatever is escaped opens and closes nothing; a mark behind it would lose its first character.
      if (command.startsWith(mark, at + 1)) return null;
      out += char + command.charAt(++at);
      continue;
    }
    if (quote === "" && (char === "'" || char === '"')) quote = char;
    else if (char === quote) quote = "";
    out += char;
  }
  return out;
}

function quoted(text: string, quote: string): string {
  const safe = text.replaceAll("\0", "");
  if (quote === '"') return safe.replace(/[\\"$`]/g, "\\$&");
  const inside = safe.replaceAll("'", "'\\''");
  return quote === "'" ? inside : `'${inside}'`;
}
