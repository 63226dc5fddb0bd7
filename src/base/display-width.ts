/** Characters that take two terminal columns: Chinese, Japanese, Korean, full-width forms and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Characters that take no column: combining marks, joiners, variation selectors. */
const NARROW = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** Number of terminal columns that a text takes. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

/** Truncates a text to at most `columns`, including the final `…`. */
export function cutToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let width = 1;
  let kept = "";
  for (const character of text) {
    width += widthOf(character);
    if (width > columns) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** Breaks a text at its spaces, and inside a word that is too long, so that no line is wider than `columns`. */
export function wrapToWidth(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && displayWidth(line) + 1 + displayWidth(word) > columns) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
    while (displayWidth(line) > columns) {
      const head = cutToWidth(line, columns + 1).slice(0, -1);
      if (head === "") break;
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  return line === "" ? lines : [...lines, line];
}

function widthOf(character: string): number {
  if (WIDE.test(character)) return 2;
  return NARROW.test(character) ? 0 : 1;
}
