/**
 * Replaces a mark in a shell command with a text, escaped as one word that the shell does not interpret, to match the
 * quoting at the mark: single quotes, double quotes or none. Contract: null if the text might be executed: the command
 * contains a construct that is not parsed here (a command substitution, a here document, a comment), or passes words to
 * a program that interprets them as code.
 */
export function insertText(command: string, mark: string, text: string): string | null {
  if (!command.includes(mark)) return command;
  if (/`|\$\(|<<|(?:^|\s)#/.test(command) || runsWords(command)) return null;
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
      // An escaped character opens and closes no quote; a mark after the backslash would lose its first character.
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

/** Programs that interpret their arguments or their input as commands or code, whatever their options. */
const ALWAYS = new Set(
  "eval source xargs parallel ssh su runuser doas watch trap awk gawk mawk sed find make at batch expect script screen tmux".split(
    " ",
  ),
);
/** Programs that do so only with certain options: `bash -c`, `node -e`. */
const INTERPRETER =
  /^(?:(?:ba|da|z|k|a|fi|c|tc)?sh|busybox|node|nodejs|deno|bun|python[\d.]*|pypy[\d.]*|perl[\d.]*|ruby[\d.]*|php[\d.]*|lua[\d.]*|Rscript|osascript|pwsh|powershell|cmd|docker|podman|kubectl|sudo|env)$/;
const CODE_OPTION =
  /^(?:-[A-Za-z]*[cepEr]|--(?:eval|print|command|execute|run|shell|login)(?:=.*)?|\/[cCkK]|exec|-S|-s|-i)$/;

/** True if a word of the command is a program that may execute the words after it. */
function runsWords(command: string): boolean {
  if (/(?:^|[;|&({])\s*\.\s/.test(command)) return true;
  const words = command.split(/[\s;|&()<>'"]+/).filter(Boolean);
  return words.some((word, at) => {
    const name = word.split("/").at(-1) ?? "";
    if (ALWAYS.has(name)) return true;
    return INTERPRETER.test(name) && words.slice(at + 1).some((next) => CODE_OPTION.test(next));
  });
}

function quoted(text: string, quote: string): string {
  const safe = text.replaceAll("\0", "");
  if (quote === '"') return safe.replace(/[\\"$`]/g, "\\$&");
  const inside = safe.replaceAll("'", "'\\''");
  return quote === "'" ? inside : `'${inside}'`;
}
