/** One line as it came into the loop: typed, or part of a paste. */
export interface LoopLine {
  readonly text: string;
  readonly isPasted: boolean;
}

/** What the lines of one input say together. */
export interface JoinedLines {
  readonly text: string;
  /** True if more lines belong to it. */
  readonly isOpen: boolean;
}

/** The commands of the loop, with what stands behind each and what it does. */
const COMMANDS = {
  plan: { with: "<question>", doc: "what would be looked up for it; starts nothing" },
  show: { with: "", doc: "what was looked up for the last question" },
  off: { with: "", doc: "ask without evidence" },
  on: { with: "", doc: "ask with evidence again" },
  new: { with: "", doc: "begin a new session" },
  help: { with: "", doc: "this text" },
  exit: { with: "", doc: "leave, as do Ctrl-D, exit and quit" },
} as const;

/** A command that something is done for; leaving is an input of its own. */
export type LoopCommand = Exclude<keyof typeof COMMANDS, "exit">;

/** What an input asks for. */
export type LoopInput =
  | { readonly kind: "nothing" }
  | { readonly kind: "leave" }
  | { readonly kind: "prompt"; readonly text: string }
  | { readonly kind: "command"; readonly name: LoopCommand; readonly rest: string }
  | { readonly kind: "unknown"; readonly name: string };

/**
 * Puts the lines of an input together. A line that ends in a backslash goes on, and an opened fence goes on until it closes.
 * Contract: the backslash goes, the line's end stays; what was pasted or stands inside a fence is left as it is.
 */
export function joinLines(lines: readonly LoopLine[]): JoinedLines {
  let fence = "";
  let goesOn = false;
  const texts = lines.map(({ text, isPasted }) => {
    const [, marks = "", info = ""] = /^ {0,3}(`{3,})(.*)$/.exec(text) ?? [];
    const wasInside = fence !== "";
    if (!wasInside && marks !== "" && !info.includes("`")) fence = marks;
    else if (wasInside && marks.length >= fence.length && info.trim() === "") fence = "";
    const isCode = wasInside || fence !== "";
    goesOn = !isCode && !isPasted && endsInBackslash(text);
    return goesOn ? text.slice(0, -1) : text;
  });
  return { text: texts.join("\n"), isOpen: goesOn || fence !== "" };
}

/** Two backslashes are one that was meant. */
function endsInBackslash(text: string): boolean {
  return (/\\+$/.exec(text)?.[0].length ?? 0) % 2 === 1;
}

/** Reads a whole input. Contract: a path is no command, and what begins with a space never is one. */
export function readLoopInput(text: string): LoopInput {
  const trimmed = text.trim();
  if (trimmed === "") return { kind: "nothing" };
  if (/^\/?(?:exit|quit)$/i.test(trimmed)) return { kind: "leave" };
  const [, word, rest = ""] = /^\/([a-z][\w-]*)(?:\s+([\s\S]*))?$/i.exec(text.trimEnd()) ?? [];
  if (word === undefined) return { kind: "prompt", text };
  const name = word.toLowerCase();
  return isCommand(name) ? { kind: "command", name, rest: rest.trim() } : { kind: "unknown", name: word };
}

function isCommand(name: string): name is LoopCommand {
  return Object.hasOwn(COMMANDS, name) && name !== "exit";
}

/** What `/help` says. */
export const LOOP_HELP = `A line is a question: Codex is given it together with the code that it is about.

${Object.entries(COMMANDS)
  .map(([name, { with: rest, doc }]) => `  ${`/${name} ${rest}`.trim().padEnd(17)} ${doc}`)
  .join("\n")}

A line that ends in a backslash goes on, and so does an opened \`\`\` fence; a paste is one question.
A space in front sends a line that begins with a slash. Ctrl-C ends the turn, not the loop.
`;
