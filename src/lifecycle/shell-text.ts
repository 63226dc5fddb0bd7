/**
 * Puts a text into a shell command in the place of a mark, as one word that the shell does not read: between single quotes,
 * double quotes or none, as the mark stands. Contract: null where the text might be run: the mark stands in something that
 * cannot be told apart (a command substitution, a here document, a comment), or the command hands words on to something
 * that reads them as code.
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

/** Programs that read their words, or what they are fed, as commands or code, whatever their options are. */
const ALWAYS = new Set(
  "eval source xargs parallel ssh su runuser doas watch trap awk gawk mawk sed find make at batch expect script screen tmux".split(
    " ",
  ),
);
/** Programs that do so after an option: `bash -c`, `node -e`. */
const INTERPRETER =
  /^(?:(?:ba|da|z|k|a|fi|c|tc)?sh|busybox|node|nodejs|deno|bun|python[\d.]*|pypy[\d.]*|perl[\d.]*|ruby[\d.]*|php[\d.]*|lua[\d.]*|Rscript|osascript|pwsh|powershell|cmd|docker|podman|kubectl|sudo|env)$/;
const CODE_OPTION =
  /^(?:-[A-Za-z]*[cepEr]|--(?:eval|print|command|execute|run|shell|login)(?:=.*)?|\/[cCkK]|exec|-S|-s|-i)$/;

/** True where some word of a command is a program that may run the words behind it. */
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
