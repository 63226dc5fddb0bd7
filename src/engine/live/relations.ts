import { isDemotedPath } from "../../base/path-rules.ts";
import { enclosingDefinition, findDefinitions } from "./definitions.ts";
import { type Hit, lineAt } from "./rank.ts";
import { pause, type Scan, type ScannedFile } from "./scan.ts";

/** A place that is tied to a seed by naming it. */
export interface Relation {
  readonly file: ScannedFile;
  readonly line: number;
  readonly endLine: number;
  readonly symbol: string;
  readonly summary: string;
  /** Name of what it refers to. */
  readonly of: string;
  readonly ofPath: string;
  readonly kind: "caller" | "test" | "mention";
  readonly depth: number;
  /** 0 to 1: the seed's score, less for every step and for looser ties. */
  readonly score: number;
}

/** How much of a seed's score passes to what is tied to it. */
const PASSED_ON = { caller: 0.8, test: 0.55, mention: 0.4 };
/** Seeds this much weaker than the best are not followed. */
const SEED_SHARE = 0.6;

/** Names too common to say anything when found elsewhere. */
const MIN_NAME = 4;
const MAX_PER_NAME = 4;

/**
 * Who names the seeds, and who names those, up to `depth` steps. Contract: textual, so it says "mentions" where a line
 * only names and "caller" where it calls; no doubles; at most `limit`, nearest first; ends with what it has when
 * its time is up.
 */
export async function findRelations(
  scan: Scan,
  seeds: readonly Hit[],
  depth: number,
  limit: number,
  hasTime: () => boolean,
): Promise<Relation[]> {
  const found: Relation[] = [];
  const best = seeds[0]?.score ?? 0;
  let front = seeds
    .filter(({ symbol, score }) => symbol.length >= MIN_NAME && score >= best * SEED_SHARE)
    .map(({ symbol, file, score }) => ({ name: symbol, path: file.path, score }));
  // Hits may turn up again: how one is tied to another is worth saying.
  const seen = new Set<string>();
  for (let step = 1; step <= depth && front.length > 0 && found.length < limit; step++) {
    const next: typeof front = [];
    for (const seed of front) {
      for (const relation of await findNaming(scan, seed, step, hasTime)) {
        const key = `${relation.file.path}#${relation.symbol || relation.line}`;
        if (seen.has(key) || found.length >= limit) continue;
        seen.add(key);
        found.push(relation);
        if (relation.kind === "caller" && relation.symbol.length >= MIN_NAME) {
          next.push({ name: relation.symbol, path: relation.file.path, score: relation.score });
        }
      }
    }
    front = next;
  }
  return found;
}

interface Seed {
  readonly name: string;
  readonly path: string;
  readonly score: number;
}

async function findNaming(
  scan: Scan,
  { name, path, score }: Seed,
  depth: number,
  hasTime: () => boolean,
): Promise<Relation[]> {
  const word = new RegExp(`(?<![\\w$])${name.replace(/[$]/g, "\\$&")}(?![\\w$])(\\s{0,2}\\()?`, "g");
  const found: Relation[] = [];
  let seen = 0;
  for (const file of scan.files) {
    if (++seen % 64 === 0) await pause();
    if (!hasTime()) break;
    if (!file.text.includes(name)) continue;
    const definitions = findDefinitions(file.text);
    for (const match of file.text.matchAll(word)) {
      const line = countLines(file.text, match.index);
      const holder = enclosingDefinition(definitions, line);
      const isDefinition = definitions.some((definition) => definition.name === name && definition.line === line);
      if (
        isDefinition ||
        (file.path === path && holder?.name === name) ||
        /^\s*(?:import|from|use|#include|require)\b/.test(lineAt(file, line))
      )
        continue;
      const kind = isDemotedPath(file.path) ? "test" : match[1] === undefined ? "mention" : "caller";
      found.push({
        file,
        line: holder?.line ?? line,
        endLine: holder?.endLine ?? line,
        symbol: holder?.name ?? "",
        summary: `line ${line}: ${lineAt(file, line)}`,
        of: name,
        ofPath: path,
        kind,
        depth,
        score: Math.round(score * PASSED_ON[kind] * 100) / 100,
      });
      break;
    }
    if (found.length >= MAX_PER_NAME * 2) break;
  }
  const rank = { caller: 0, test: 1, mention: 2 };
  return found.sort((a, b) => rank[a.kind] - rank[b.kind]).slice(0, MAX_PER_NAME);
}

function countLines(text: string, until: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < until; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
