/** Relation of a hook's command to us. "same": our own, in any spelling. "older": of another version or location. */
export type Kinship = "same" | "older";
/** Classifies a command; null if it is not ours. */
export type Judge = (command: string) => Kinship | null;

/** Optional prefix of our commands: a shell, `exec`, a test whether the program exists, or npx. */
const BEFORE =
  /^(?:(?:command -v \S+|\[ -x .+? \]|test -x .+?)(?: >\s?\/dev\/null(?: 2>&1)?)? && )?(?:exec )?(?:(?:\/usr)?\/bin\/)?(?:(?:ba|da|z|k)?sh )?(?:npx (?:-y |--yes )?)?/;
/** Includes the script names of the project from which this one descends. */
const OUR_SCRIPT = /^[/~$].*\/(?:context-inject-global|augment-context-global)\.sh(?: |$)/;
const OUR_LAUNCHER = /^[/~$].*\/hooks\/groundwork\.sh(?: |$)/;
const OUR_DOOR = /^(?:[/~$].*\/)?groundwork(?:-context(?:@\S+)?)? hook(?: |$)/;

/** True for a command that runs a prompt hook of ours, in any location and of any version. */
export function isOurCommand(command: string): boolean {
  const plain = toPlain(command).replace(BEFORE, "");
  return [OUR_SCRIPT, OUR_LAUNCHER, OUR_DOOR].some((pattern) => pattern.test(plain));
}

/**
 * Classifies a command relative to `ours`. Contract: null for a foreign one. A path counts as the same in any spelling.
 */
export function judgeCommand(command: string, ours: string, home: string): Kinship | null {
  if (command === ours) return "same";
  const toPath = (text: string) =>
    toPlain(text)
      .replace(/^(?:(?:\/usr)?\/bin\/)?(?:ba)?sh /, "")
      .replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/)/, () => home);
  // If `ours` is more than a path, it does something for its client that a path alone would not.
  if (/^[/~]/.test(toPlain(ours)) && toPath(command) === toPath(ours)) return "same";
  return isOurCommand(command) ? "older" : null;
}

/** Argument of our launcher that requests the status line. */
export const STATUS_LINE_WORD = "statusline";

/**
 * Classifies the command of a status line: our launcher or program, with that argument. Contract: as `judgeCommand`.
 */
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
