import { isRecord, sliceWhole, textOf } from "../../base/text.ts";

/** Lines quoted by a run. */
export interface Snippet {
  readonly file: string;
  readonly startLine: number;
  readonly lines: readonly string[];
}

const MAX_LINES = 200;
const MAX_LINE_CHARS = 2_000;

/**
 * Reads the quoted lines of a document. Contract: accepts any data; invalid entries are omitted, long ones are
 * truncated.
 */
export function readSnippets(values: readonly unknown[]): Snippet[] {
  return values.filter(isRecord).flatMap((value) => {
    const file = textOf(value, "file");
    const text = textOf(value, "text");
    const start = value["start_line"];
    if (file === "" || text === "") return [];
    return [
      {
        file,
        startLine: typeof start === "number" && Number.isInteger(start) ? start : 1,
        lines: text
          .split("\n")
          .slice(0, MAX_LINES)
          .map((line) => sliceWhole(line, MAX_LINE_CHARS)),
      },
    ];
  });
}
