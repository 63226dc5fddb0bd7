import { StringDecoder } from "node:string_decoder";

/**
 * Maximum line length: a Codex event with the output of a command may be long, but nobody can use a line beyond this.
 */
const MAX_LINE = 16 * 1024 * 1024;

/**
 * Splits a stream of bytes into lines. Contract: lines that arrive together are passed on together, because each call
 * costs a write; a line of more than 16 Mi characters is passed on in pieces; `end` passes on a last line without a
 * line break.
 */
export function makeLineReader(pass: (lines: readonly string[]) => void): {
  readonly take: (chunk: Buffer) => void;
  readonly end: () => void;
} {
  const decoder = new StringDecoder("utf8");
  let held = "";
  const passLines = (text: string) => {
    const lines = `${held}${text}`.split("\n");
    held = lines.pop() ?? "";
    if (lines.length > 0) pass(lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)));
    if (held.length > MAX_LINE) passRest();
  };
  const passRest = () => {
    if (held !== "") pass([held]);
    held = "";
  };
  return {
    take: (chunk) => passLines(decoder.write(chunk)),
    end: () => {
      passLines(decoder.end());
      passRest();
    },
  };
}
