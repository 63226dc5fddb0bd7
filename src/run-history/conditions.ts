import type { RunFilter } from "../contract/run-history.ts";

/** An SQL condition with the values of its placeholders. */
interface Condition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

const SEARCHED = "(prompt || ' ' || repo || ' ' || run_id || ' ' || tools)";
const MAX_WORDS = 12;

/** A filter with additional criteria for the store's own queries. */
export interface RowFilter extends RunFilter {
  /** True to select only runs in which the model was given something. */
  readonly given?: boolean;
}

/** Translates a filter to SQL. */
export function toCondition(filter: RowFilter): Condition {
  const words = (filter.text ?? "").split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  const parts: (readonly [string, ...(string | number)[]])[] = words.map(
    (word) => [`${SEARCHED} LIKE ? ESCAPE '\\'`, `%${word.replace(/[\\%_]/g, "\\$&")}%`] as const,
  );
  if (filter.repo !== undefined) parts.push(["repo = ?", filter.repo]);
  if (filter.door !== undefined) parts.push(["door = ?", filter.door]);
  if (filter.intent !== undefined) parts.push(["intent = ?", filter.intent]);
  if (filter.outcome !== undefined) parts.push(["outcome = ?", filter.outcome]);
  else if (filter.silent !== true) parts.push(["outcome <> 'silent'"]);
  if (filter.given === true) parts.push(["outcome IN ('evidence', 'guess')"]);
  if (filter.since_ms !== undefined) parts.push(["at >= ?", Math.floor(filter.since_ms)]);
  if (filter.before_ms !== undefined) parts.push(["at < ?", filter.before_ms]);
  if (filter.before !== undefined) parts.push(["key < ?", filter.before]);
  return {
    sql: parts.length === 0 ? "1" : parts.map(([sql]) => sql).join(" AND "),
    values: parts.flatMap(([, ...values]) => values),
  };
}
