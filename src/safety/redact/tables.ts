import { isArgument, isChosen, isLabelled, isLabelWords } from "./chosen.ts";
import { MARK } from "./rules.ts";
import { hideSpans, type Span } from "./spans.ts";
import { toStrength, WORDS } from "./strength.ts";

/**
 * Detects passwords in tables: a column with a heading for passwords (Markdown, separated values, aligned columns), and
 * a row that starts with such a label. Contract: linear; rows are bounded.
 */

const HEAD =
  /^["'`*_ ]{0,4}(?:(?:[A-Za-z]{2,12}[ _-])?(?:pass ?w(?:or)?d|passphrase|pass ?code|pwd|pw|pass|pin)(?:[ _-]?(?:code|default|text))?|(?:[\u3400-\u9fff]{0,4})(?:密码|密碼|口令))["'`*_: ]{0,4}$/i;
/** Heading of a column that says whose password it is. */
const OWNER = /^["'`*_ ]{0,4}(?:user(?:[ _-]?name)?|log ?in|e-?mail|account|[账帐帳][号號户戶]|用户名?)["'`*_ ]{0,4}$/i;
const MENTIONS = /pass|pwd|pw|\bpin\b|密码|密碼|口令/i;
const SEPARATORS = [/\|/, /\t/, /;/, /,/, / {2,}/] as const;
const MAX_LINE = 400;
const MAX_ROWS = 60;
const MAX_CELLS = 20;

/** Hides the cells of password columns. Contract: keeps the number of lines. */
export function hideTables(text: string, hit: (kind: string) => void): string {
  if (!MENTIONS.test(text)) return text;
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.length > MAX_LINE || !MENTIONS.test(line)) continue;
    for (const separator of SEPARATORS) {
      if (!separator.test(line)) continue;
      const cells = toCells(line, separator);
      if (cells.length > MAX_CELLS) continue;
      const columns = cells.flatMap(({ value }, column) => (HEAD.test(value) ? [column] : []));
      if (columns.length === 0) continue;
      if (separator.source === "\\|") hideBeside(lines, at, columns, hit);
      at = hideRows(
        lines,
        at,
        { separator, columns, size: cells.length, owned: cells.some(({ value }) => OWNER.test(value)) },
        hit,
      );
      break;
    }
  }
  return lines.join("\n");
}

/** Splits a row into cells, each with the position where its text starts. */
function toCells(line: string, separator: RegExp): Span[] {
  const cells: Span[] = [];
  let at = 0;
  for (const part of line.split(separator)) {
    const found = line.indexOf(part, at);
    const lead = /^[\s"'`*]*/.exec(part)?.[0].length ?? 0;
    cells.push({ value: part.slice(lead).replace(/[\s"'`*]*$/, ""), at: found + lead });
    at = found + part.length;
  }
  return cells;
}

/** Hides the value of `| Password | … |`: the label is the first cell, and the value the only other one. */
function hideBeside(lines: string[], at: number, columns: readonly number[], hit: (kind: string) => void): void {
  const line = lines[at] ?? "";
  const cells = toCells(line, /\|/).filter((cell) => cell.value !== "");
  const [label, value] = cells;
  if (columns.length !== 1 || cells.length !== 2 || label === undefined || value === undefined) return;
  if (!HEAD.test(label.value) || !isCell(value.value, label.value) || HEAD.test(value.value)) return;
  lines[at] = hideSpans(line, [value], () => hit("table"));
}

interface Table {
  /** True if another column says whose passwords they are: a plain word then counts as a password too. */
  readonly owned: boolean;
  readonly separator: RegExp;
  readonly columns: readonly number[];
  readonly size: number;
}

/** Hides the password cells below a heading; returns the index of the last line of the table. */
function hideRows(
  lines: string[],
  head: number,
  { separator, columns, size, owned }: Table,
  hit: (kind: string) => void,
): number {
  const names = toCells(lines[head] ?? "", separator);
  let last = head;
  for (let at = head + 1; at < lines.length && at <= head + MAX_ROWS; at++) {
    const line = lines[at] ?? "";
    if (line.length > MAX_LINE || line.trim() === "") break;
    if (/^[\s|:+=-]+$/.test(line)) continue;
    const cells = toCells(line, separator);
    if (cells.length !== size) break;
    const secrets = columns.flatMap((column) => {
      const cell = cells[column];
      return cell !== undefined && isCell(cell.value, names[column]?.value ?? "", owned) ? [cell] : [];
    });
    lines[at] = hideSpans(line, secrets, () => hit("table"));
    last = at;
  }
  return last;
}

/**
 * True for a cell that holds a password: a word with a digit, a symbol or a hyphen, which types and descriptions lack.
 */
function isCell(value: string, label: string, owned = false): boolean {
  if (value.startsWith(MARK) || /\s/.test(value)) return false;
  if (/\bpin\b/i.test(label)) return /^\d{4,8}$/.test(value);
  if (
    toStrength(value) >= WORDS ||
    (owned && /^[a-z]{6,}(?:-[a-z]+)?$/.test(value) && isArgument(value) && !isLabelWords(value))
  )
    return true;
  return /\d/.test(value) && /[A-Za-z]/.test(value) && isChosen(value) && isLabelled(value, { linked: false });
}
