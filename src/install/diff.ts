import { diffLines as compare } from "../base/line-diff.ts";
import { cutText } from "../base/text.ts";
import { redact } from "../safety/redact/redact.ts";

const MAX_LINE_CHARS = 160;

/**
 * Returns the changes between two texts, similar to a unified diff. Contract: empty if there are none; secrets and
 * control characters are not shown, long lines are truncated.
 */
export function diffTexts(before: string, after: string): string[] {
  return hideSecrets(compare(toLines(before), toLines(after)));
}

function toLines(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function hideSecrets(lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  // Redact before truncating: a truncated key would no longer be recognised.
  const safe = redact(lines.join("\n")).text.split("\n");
  return safe.map(
    (line) =>
      cutText(
        line.replace(/[\p{Cc}\p{Cf}]/gu, (mark) => (mark === "\t" ? mark : "")),
        MAX_LINE_CHARS,
      ).text,
  );
}
