import { yieldToEvents } from "../base/timers.ts";
import { readSource } from "./build/read-source.ts";
import type { Hit } from "./search/answer.ts";
import { innermost } from "./search/source.ts";
import { hasTrait, TRAIT } from "./search/traits.ts";
import type { RepositoryIndex } from "./store/repository-index.ts";

/** Input of `findPattern`. */
interface PatternSearch {
  readonly root: string;
  readonly index: RepositoryIndex;
  readonly pattern: string;
  /** Files that contain the words of the pattern; they are searched first. */
  readonly likely: readonly string[];
  readonly limit: number;
  readonly hasTime: () => boolean;
  readonly nowMs: () => number;
}

const BATCH = 16;

/**
 * Finds matches of a regular expression, one per file. Contract: linear in the size of the texts for any expression (no
 * look-around, no back-references); null if the expression is invalid; stops with partial results when time runs out.
 */
export async function findPattern(search: PatternSearch): Promise<Hit[] | null> {
  const { root, index, pattern, likely, limit, hasTime, nowMs } = search;
  // Loaded lazily: pattern queries are rare.
  const { RE2JS } = await import("re2js");
  let expression: ReturnType<typeof RE2JS.compile>;
  try {
    expression = RE2JS.compile(pattern, RE2JS.MULTILINE);
  } catch {
    return null;
  }
  const hits: Hit[] = [];
  for (const [at, path] of sortFiles(index, likely).entries()) {
    if (at % BATCH === 0) await yieldToEvents();
    if (hits.length >= limit || !hasTime()) break;
    const text = readSource(root, path, nowMs())?.content?.toString("utf8");
    const matcher = text === undefined ? null : expression.matcher(text);
    if (text === undefined || matcher === null || !matcher.find()) continue;
    const line = text.slice(0, matcher.start()).split("\n").length;
    const file = index.fileAt(path);
    const inside = file === undefined ? null : innermost(index.definitionsIn(file), line);
    hits.push({
      file: path,
      line,
      endLine: line,
      definition: inside?.qualified ?? null,
      score: 1,
      reason: "matches the pattern",
      confidence: 1,
    });
  }
  return hits;
}

/** Orders files: likely ones, then code, then everything else. */
function sortFiles(index: RepositoryIndex, likely: readonly string[]): string[] {
  const rest = Array.from({ length: index.fileCount }, (_, file) => file).filter((file) => index.hasText(file));
  const isProse = (file: number) => hasTrait(index, file, TRAIT.prose);
  const paths = [...rest.filter((file) => !isProse(file)), ...rest.filter(isProse)].map((file) => index.pathOf(file));
  return [...new Set([...likely, ...paths])];
}
