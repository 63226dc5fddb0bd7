/** What a hook's command is to us. "same": our own, however it is spelled. "older": of another version or place. */
export type Kinship = "same" | "older";

/** `sh`, `exec`, a test whether the program is there, or npx: what may stand before a command of ours. */
const BEFORE =
  /^(?:(?:command -v \S+|\[ -x .+? \]|test -x .+?)(?: >\s?\/dev\/null(?: 2>&1)?)? && )?(?:exec )?(?:(?:\/usr)?\/bin\/)?(?:(?:ba|da|z|k)?sh )?(?:npx (?:-y |--yes )?)?/;
/** The scripts of the project that this one goes back to had these names, too. */
const OUR_SCRIPT = /^[/~$].*\/(?:context-inject-global|augment-context-global)\.sh(?: |$)/;
const OUR_LAUNCHER = /^[/~$].*\/hooks\/groundwork\.sh(?: |$)/;
const OUR_DOOR = /^(?:[/~$].*\/)?groundwork(?:-context(?:@\S+)?)? hook(?: |$)/;

/** True for a command that runs a prompt hook of ours, wherever it lies and whichever version wrote it. */
export function isOurCommand(command: string): boolean {
  const plain = toPlain(command).replace(BEFORE, "");
  return [OUR_SCRIPT, OUR_LAUNCHER, OUR_DOOR].some((pattern) => pattern.test(plain));
}

/** How a command is related to `ours`. Contract: null for a foreign one. A path counts as the same in any spelling. */
export function judgeCommand(command: string, ours: string, home: string): Kinship | null {
  if (command === ours) return "same";
  const toPath = (text: string) =>
    toPlain(text)
      .replace(/^(?:(?:\/usr)?\/bin\/)?(?:ba)?sh /, "")
      .replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/)/, () => home);
  // A longer command than a path does something for its client that a path alone would not.
  if (/^[/~]/.test(toPlain(ours)) && toPath(command) === toPath(ours)) return "same";
  return isOurCommand(command) ? "older" : null;
}

/** The word behind a launcher of ours that asks for the line of a status bar. */
export const STATUS_LINE_WORD = "statusline";

/** The same for the command of a status line: a launcher of ours, or our program, with that word. */
export function judgeStatusLine(command: string, ours: string, home: string): Kinship | null {
  const plain = toPlain(command);
  const word = ` ${STATUS_LINE_WORD}`;
  if (!plain.endsWith(word)) return null;
  const program = plain.slice(0, -word.length);
  const own = toPlain(ours).slice(0, -word.length);
  if (judgeCommand(program, own, home) === "same") return "same";
  return isOurCommand(program) || isOurCommand(`${program} hook`) ? "older" : null;
}

function toPlain(command: string): string {
  return command.replace(/["']/g, "").replace(/\s+/g, " ").trim();
}
