import { createInterface, type Interface, type Key } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { INTERRUPT } from "../../base/signals.ts";
import { joinLines, type LoopLine } from "./loop-input.ts";

/** How somebody at the terminal ended an input. */
type Typed =
  | { readonly kind: "text"; readonly text: string }
  /** Ctrl-C: what was typed is gone. */
  | { readonly kind: "dropped"; readonly wasEmpty: boolean }
  /** Ctrl-D, or the terminal is gone. */
  | { readonly kind: "end" };

/** The terminal that inputs come from. */
export interface LoopTerminal {
  readonly input: Readable;
  readonly output: Writable;
  /** True if the output can be drawn on: then lines can be edited, and pastes are told apart. */
  readonly isDrawable: boolean;
}

/** What is shown while an input is typed. */
interface Asking {
  readonly prompt: string;
  /** In place of the prompt from the second line on. */
  readonly goOn: string;
  /** Earlier inputs, newest first. */
  readonly history: readonly string[];
}

/** Reads one input after the other. */
export interface LineReader {
  readonly read: (asking: Asking) => Promise<Typed>;
  /** Ends what `read` changed at the terminal. Contract: may be called at any time. */
  readonly close: () => void;
}

/** Asks a terminal to say where a paste begins and ends, and to stop that. */
const PASTE_ON = "\u001b[?2004h";
const PASTE_OFF = "\u001b[?2004l";

/**
 * Makes a reader. Contract: between inputs the terminal is in its usual mode, so that Ctrl-C is a signal again and output
 * looks as it should; what was typed meanwhile is the beginning of the next input; a paste of several lines is one input.
 */
export function makeLoopReader({ input, output, isDrawable }: LoopTerminal): LineReader {
  const waiting: LoopLine[] = [];
  let rest = "";
  let isPasting = false;
  let isReading = false;
  const close = () => {
    if (isReading && isDrawable) output.write(PASTE_OFF);
    isReading = false;
  };

  const read = ({ prompt, goOn, history }: Asking) =>
    new Promise<Typed>((resolve) => {
      const lines = createInterface({
        input,
        output,
        terminal: isDrawable,
        prompt,
        history: [...history],
        historySize: history.length + 100,
        crlfDelay: Number.POSITIVE_INFINITY,
      });
      const taken: LoopLine[] = [];
      let typed: Typed | null = null;

      const take = (line: LoopLine) => {
        if (typed !== null) return waiting.push(line);
        taken.push(line);
        const { text, isOpen } = joinLines(taken);
        if (!isOpen && !line.isPasted) return finish({ kind: "text", text });
        lines.setPrompt(goOn);
        lines.prompt();
      };
      const finish = (how: Typed) => {
        if (typed !== null) return;
        typed = how;
        // The rest of what came at once is still on its way through the interface.
        setImmediate(() => leave(how));
      };
      const leave = (how: Typed) => {
        rest = how.kind === "text" ? lineOf(lines) : "";
        input.off("keypress", notice).off("error", end);
        lines.close();
        close();
        resolve(how);
      };
      const notice = (_text: string | undefined, key: Key | undefined) => {
        if (key?.name === "paste-start") isPasting = true;
        if (key?.name === "paste-end") isPasting = false;
      };
      const end = () => finish({ kind: "end" });

      // Before the interface's own listener: a line must know whether it is pasted.
      input.prependListener("keypress", notice).once("error", end);
      // Node 24 separates the lines of an input that the arrow brought back by this character.
      lines.on("line", (text) => take({ text: text.replaceAll("\r", "\n"), isPasted: isPasting }));
      lines.once("close", end);
      lines.on(INTERRUPT, () => {
        output.write("\n");
        finish({ kind: "dropped", wasEmpty: lineOf(lines) === "" && taken.length === 0 });
      });
      isReading = true;
      if (isDrawable) {
        output.write(PASTE_ON);
        lines.on("SIGCONT", () => output.write(PASTE_ON));
      }
      lines.prompt();
      for (const line of waiting.splice(0)) {
        if (typed === null) output.write(`${line.text}\n`);
        take(line);
      }
      if (rest !== "") lines.write(rest);
    });
  return { read, close };
}

/** What stands in the line that is being edited. */
function lineOf(lines: Interface): string {
  return lines.line ?? "";
}
