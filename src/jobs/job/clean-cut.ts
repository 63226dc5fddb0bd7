import type { Hide } from "../run/hide-secrets.ts";

/** Bytes before and after a part that are looked at with it: longer than any secret is. */
export const CONTEXT_BYTES = 16 * 1024;

/** A part of a log, and what stands around it. */
export interface LogPart {
  readonly before: string;
  readonly part: string;
  readonly after: string;
}

/**
 * A part of a log, its secrets hidden with what stands around it in view: one that an edge of the part goes through would
 * look like none on either side. Contract: pure; parts that follow one another say together what one part would; a line
 * with a secret belongs whole to the part that it begins in.
 */
export function cutClean({ before, part, after }: LogPart, hide: Hide): string {
  const all = `${before}${part}${after}`;
  const clean = hide(all).split("\n");
  const from = before.length;
  const to = from + part.length;
  let cut = "";
  let start = 0;
  for (const [at, line] of all.split("\n").entries()) {
    const end = start + line.length;
    const shown = clean[at] ?? "";
    if (shown === line) cut += all.slice(Math.max(start, from), Math.max(from, Math.min(end, to)));
    else if (start >= from && start < to) cut += shown;
    if (end >= from && end < to) cut += "\n";
    start = end + 1;
  }
  return cut;
}
