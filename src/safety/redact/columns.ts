import { isChosen } from "./chosen.ts";
import { isKeyLike } from "./judge.ts";
import { PASSWORD_END } from "./rules.ts";
import { hideSpans, type Span } from "./spans.ts";

/** Secrets that are named by a list of columns: rows of SQL INSERT statements. */

const INSERT =
  /\binsert\s{1,4}(?:ignore\s{1,4})?into\s{1,4}[\w."'`[\]]{1,80}\s{0,4}\(([^()\n]{1,400})\)\s{0,8}values\s{0,8}/gi;
const ROW =
  /\(((?:'(?:[^'\\\n]|''|\\.){0,300}'|"[^"\n]{0,300}"|[^'"()\n]|\([^()\n]{0,80}\)){1,1000})\)\s{0,4},?\s{0,8}/y;
const FIELD =
  /\s{0,8}(?:'((?:[^'\\\n]|''|\\.){0,300})'|"([^"\n]{0,300})"|(?:[^'",()\n]|\([^()\n]{0,80}\)){0,200})\s{0,4}(?:,|$)/y;
const KEY_COLUMN = /(?:secret|token|api_?key|access_?key)$/i;
const MAX_ROWS = 200;

/** Hides strings in columns of passwords, secrets or tokens. Contract: linear. */
export function hideColumns(text: string, hit: (kind: string) => void): string {
  if (!/\binsert\s/i.test(text)) return text;
  const spans: Span[] = [];
  let end = 0;
  for (const insert of text.matchAll(INSERT)) {
    const columns = (insert[1] ?? "").split(",").map((name) => name.replace(/["'`[\]\s]/g, ""));
    if (!columns.some((name) => PASSWORD_END().test(name) || KEY_COLUMN.test(name))) continue;
    ROW.lastIndex = Math.max(end, insert.index + insert[0].length);
    for (let count = 0; count < MAX_ROWS; count++) {
      const rowAt = ROW.lastIndex + 1;
      const row = ROW.exec(text);
      if (row === null) break;
      for (const { at, value } of findSecrets(row[1] ?? "", columns)) {
        spans.push({ at: rowAt + at, value });
        end = rowAt + at + value.length;
      }
    }
  }
  return hideSpans(text, spans, () => hit("column"));
}

/** The strings of one row in columns that are named like a secret. */
function findSecrets(row: string, columns: readonly string[]): Span[] {
  const found: Span[] = [];
  FIELD.lastIndex = 0;
  for (const name of columns) {
    const from = FIELD.lastIndex;
    const field = FIELD.exec(row);
    if (field === null) break;
    const value = field[1] ?? field[2];
    if (value === undefined) continue;
    const isSecret = PASSWORD_END().test(name)
      ? isChosen(value) || isKeyLike(value)
      : KEY_COLUMN.test(name) && isKeyLike(value);
    if (isSecret) found.push({ at: from + field[0].search(/['"]/) + 1, value });
  }
  return found;
}
