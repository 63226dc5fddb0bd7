import { createInterface, type Interface, type Key } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { INTERRUPT } from "../../base/signals.ts";
import { joinLines, type LoopLine } from "./loop-input.ts";

/** How an input at the terminal ended. */
type Typed =
  | { readonly kind: "text"; readonly text: string }
  /** Ctrl-C: the typed text is discarded. */
  | { readonly kind: "dropped"; readonly wasEmpty: boolean }
  /** Ctrl-D, or the terminal is closed. */
  | { readonly kind: "end" };

/** The terminal from which inputs are read. */
interface LoopTerminal {
  readonly input: Readable;
  readonly output: Writable;
  /** True if the output supports cursor control, so that lines can be edited and pastes are recognised. */
  readonly isDrawable: boolean;
}

/** What is displayed while an input is typed. */
interface Asking {
  readonly prompt: string;
  /** Prompt of the second and all further lines. */
  readonly goOn: string;
  /** Earlier inputs, newest first. */
  readonly history: readonly string[];
}

/** Reads inputs one after another. */
export interface LineReader {
  readonly read: (asking: Asking) => Promise<Typed>;
  /** Reverts what `read` changed at the terminal. Contract: may be called at any time. */
  readonly close: () => void;
}

/** Escape sequences that enable and disable bracketed paste. */
const PASTE_ON = "\u001b[?2004h";
const PASTE_OFF = "\u001b[?2004l";

/**
 * Makes a reader. Contract: between inputs the terminal is in its normal mode, so that Ctrl-C is a signal and output is
 * displayed correctly; text typed meanwhile becomes the start of the next input; a paste of several lines is one input.
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
        // The rest of a chunk may still be passing through the interface.
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

      // Prepended, so that it runs before the interface's own listener: a line must know whether it is pasted.
      input.prependListener("keypress", notice).once("error", end);
      // Node 24 uses this character to separate the lines of a multi-line input recalled with the arrow keys.
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

/** Text of the line that is being edited. */
function lineOf(lines: Interface): string {
  return lines.line ?? "";
}
