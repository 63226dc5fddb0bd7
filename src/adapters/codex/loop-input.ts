/** A line of the loop's input: typed, or part of a paste. */
export interface LoopLine {
  readonly text: string;
  readonly isPasted: boolean;
}

interface JoinedLines {
  readonly text: string;
  /** True if more lines belong to the input. */
  readonly isOpen: boolean;
}

/** The commands of the loop, with their arguments and descriptions. */
const COMMANDS = {
  plan: { with: "<question>", doc: "show what would be looked up for it, without starting anything" },
  show: { with: "", doc: "what was looked up for the last question" },
  off: { with: "", doc: "ask without evidence" },
  on: { with: "", doc: "ask with evidence again" },
  new: { with: "", doc: "start a new session" },
  help: { with: "", doc: "this text" },
  exit: { with: "", doc: "leave, as do Ctrl-D, exit and quit" },
} as const;

/** A command to execute; leaving is a separate kind of input. */
export type LoopCommand = Exclude<keyof typeof COMMANDS, "exit">;

type LoopInput =
  | { readonly kind: "nothing" }
  | { readonly kind: "leave" }
  | { readonly kind: "prompt"; readonly text: string }
  | { readonly kind: "command"; readonly name: LoopCommand; readonly rest: string }
  | { readonly kind: "unknown"; readonly name: string };

/**
 * Joins the lines of an input. A line that ends in a backslash continues, as does an open fence until it is closed.
 * Contract: removes the backslash but keeps the line break; pasted lines and lines inside a fence are unchanged.
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

/** An escaped backslash does not count. */
function endsInBackslash(text: string): boolean {
  return (/\\+$/.exec(text)?.[0].length ?? 0) % 2 === 1;
}

/** Parses a whole input. Contract: a path is not a command, nor is anything that starts with a space. */
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

/** Text of `/help`. */
export const LOOP_HELP = `A line is a question: Codex is given it together with the code that it is about.

${Object.entries(COMMANDS)
  .map(([name, { with: rest, doc }]) => `  ${`/${name} ${rest}`.trim().padEnd(17)} ${doc}`)
  .join("\n")}

A line that ends in a backslash goes on, and so does an opened \`\`\` fence; a paste is one question.
A space in front sends a line that begins with a slash. Ctrl-C ends the turn, not the loop.
`;
