import { cutText } from "../base/text.ts";
import { redact } from "../safety/redact/redact.ts";

const CONTEXT_LINES = 2;
const MAX_LINE_CHARS = 160;

/**
 * The changed region of a text, similar to a unified diff. Contract: one region, from the first to the last line that
 * differs; empty if nothing does; secrets and control characters are not shown, long lines are truncated.
 */
export function diffLines(before: string, after: string): string[] {
  const old = toLines(before);
  const now = toLines(after);
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  if (head === old.length && head === now.length) return [];
  const from = Math.max(0, head - CONTEXT_LINES);
  const shown = [
    ...now.slice(from, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+${line}`),
    ...now.slice(now.length - tail, now.length - tail + CONTEXT_LINES).map((line) => ` ${line}`),
  ];
  return [`@@ line ${from + 1} @@`, ...hideSecrets(shown)];
}

function toLines(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function hideSecrets(lines: readonly string[]): string[] {
  // Redact before truncating: a truncated key would no longer be recognized.
  const safe = redact(lines.join("\n")).text.split("\n");
  return safe.map(
    (line) =>
      cutText(
        line.replace(/[\p{Cc}\p{Cf}]/gu, (mark) => (mark === "\t" ? mark : "")),
        MAX_LINE_CHARS,
      ).text,
  );
}
