import { isDemotedPath } from "../../base/path-rules.ts";
import { sliceWhole } from "../../base/text.ts";
import type { Freshness } from "../history/freshness.ts";
import { type Definition, enclosingDefinition, findDefinitions } from "./definitions.ts";
import { pause, type Scan, type ScannedFile } from "./scan.ts";
import { countTerm, isNamed, splitIdentifier, standsIn, type Term } from "./terms.ts";

/** A place that answers the question. */
export interface Hit {
  readonly file: ScannedFile;
  readonly line: number;
  readonly endLine: number;
  /** Name of the definition; empty where the hit is a plain line. */
  readonly symbol: string;
  readonly summary: string;
  /** 0 to 1: how much of what was asked is there. */
  readonly score: number;
  readonly reason: string;
}

/** Weights of the live ranking, in one place. */
const WEIGHTS = {
  /** A term in the path or in a definition's name counts as so many mentions. */
  path: 4,
  definition: 6,
  /** Saturation of repeated mentions and the pull of long files. */
  saturation: 1.5,
  length: 0.6,
  demoted: 0.45,
  prose: 0.5,
  /** A definition that is named exactly as asked. */
  exactName: 2,
  /** Share of the highest thinkable sum that a file which is all about the question reaches. */
  reachable: 0.6,
  /** What even the most common word says. */
  common: 0.4,
  /** Lowest score of a definition that was asked for by its name. */
  named: 0.9,
  /** Highest score of all: a scan of lines is never certain. */
  top: 0.99,
  /** Hits below this score, or this share of the best, are noise. */
  floor: 0.25,
  share: 0.45,
};

const PROSE = /\.(?:md|mdx|rst|txt|adoc|json|ya?ml|toml|xml|html|css|svg|csv)$|(?:^|\/)(?:changelog|license)/i;

/** Lines that only bring a name in. */
const IMPORT = /^\s{0,8}(?:import|from|use|using|#include|require)\b/;

interface Candidate {
  readonly file: ScannedFile;
  readonly counts: number[];
  readonly definitions: readonly Definition[];
}

/** Hits, and whether all files were looked at for them. */
export interface Ranking {
  readonly hits: readonly Hit[];
  readonly complete: boolean;
}

/** Files whose definitions are looked at: reading code costs much more than counting words. */
const MAX_READ_FILES = 60;

/** Says which of these files gain by having been worked on lately. */
export type WeighFresh = (files: readonly ScannedFile[]) => Promise<ReadonlyMap<string, Freshness>>;

/**
 * Ranks places for these terms. Contract: a function of the scan, the terms and the freshness while time lasts; only
 * the terms decide whether a file is listed, freshness decides between those that are; ties break by path.
 */
export async function rankHits(
  scan: Scan,
  terms: readonly Term[],
  limit: number,
  hasTime: () => boolean,
  weighFresh: WeighFresh,
): Promise<Ranking> {
  if (terms.length === 0) return { hits: [], complete: true };
  const { counted, complete } = await countTerms(scan, terms, hasTime);
  const idf = weighTerms(scan.files.length, counted, terms);
  const asksForTests = terms.some(({ stem }) => stem === "test" || stem === "spec");
  const averageLength = scan.files.reduce((sum, { text }) => sum + text.length, 0) / Math.max(1, scan.files.length);
  const sort = (candidates: readonly Candidate[]) =>
    candidates
      .map((candidate) => ({ candidate, score: scoreFile(candidate, idf, averageLength, asksForTests) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.candidate.file.path < b.candidate.file.path ? -1 : 1));
  const likely = sort(counted).slice(0, MAX_READ_FILES);
  const read: Candidate[] = [];
  let allRead = true;
  for (const { candidate } of likely) {
    if (read.length % 4 === 3) await pause();
    // Without its definitions a file is ranked worse than it deserves, which has to be said.
    allRead &&= hasTime();
    read.push(allRead ? withDefinitions(candidate, terms) : candidate);
  }
  const scored = sort(read);
  const most = idf.reduce((sum, value) => sum + value, 0) * WEIGHTS.reachable || 1;
  const best = scored[0]?.score ?? 0;
  const matching = scored.filter(({ score }) => score >= best * WEIGHTS.share);
  const fresh = await weighFresh(matching.map(({ candidate }) => candidate.file));
  const factorOf = (path: string) => fresh.get(path)?.factor ?? 1;
  const hits = matching
    .map((match) => ({ ...match, weight: match.score * factorOf(match.candidate.file.path) }))
    .sort((a, b) => b.weight - a.weight || (a.candidate.file.path < b.candidate.file.path ? -1 : 1))
    .slice(0, limit)
    .map(({ candidate, score }) => toHit(candidate, terms, idf, score / most))
    .filter(({ score }) => score >= WEIGHTS.floor)
    .map((hit) => freshen(hit, fresh.get(hit.file.path)))
    .sort(
      (a, b) =>
        b.score - a.score || factorOf(b.file.path) - factorOf(a.file.path) || (a.file.path < b.file.path ? -1 : 1),
    );
  return { hits, complete: complete && allRead };
}

/** Raises a hit's score, but never a mention to where definitions are. */
function freshen(hit: Hit, fresh: Freshness | undefined): Hit {
  if (fresh === undefined) return hit;
  const most = hit.score >= WEIGHTS.named ? WEIGHTS.top : WEIGHTS.named - 0.01;
  return {
    ...hit,
    score: Math.round(Math.min(most, hit.score * fresh.factor) * 100) / 100,
    reason: [hit.reason, fresh.reason].filter(Boolean).join(", "),
  };
}

/**
 * How much each term says: rare ones more, but none less than a little, or small repositories would say nothing. A word
 * that stands nowhere counts as an average one: it makes an answer doubtful, not impossible.
 */
function weighTerms(files: number, counted: readonly Candidate[], terms: readonly Term[]): number[] {
  const rarity = terms.map(({ weight }, at) => {
    const having = counted.filter(({ counts }) => (counts[at] ?? 0) > 0).length;
    return having === 0
      ? null
      : weight * Math.max(WEIGHTS.common, Math.log(1 + (files - having + 0.5) / (having + 0.5)));
  });
  const known = rarity.filter((value) => value !== null);
  const average = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
  return rarity.map((value) => value ?? average);
}

async function countTerms(scan: Scan, terms: readonly Term[], hasTime: () => boolean) {
  const counted: Candidate[] = [];
  let seen = 0;
  for (const file of scan.files) {
    if (++seen % 32 === 0) {
      await pause();
      if (!hasTime()) return { counted, complete: false };
    }
    const path = file.path.toLowerCase();
    const counts = terms.map((term) => countTerm(term, file.lower) + standsIn(term, path) * WEIGHTS.path);
    if (counts.some((count) => count > 0)) counted.push({ file, counts, definitions: [] });
  }
  return { counted, complete: true };
}

function withDefinitions({ file, counts }: Candidate, terms: readonly Term[]): Candidate {
  const definitions = findDefinitions(file.text);
  const names = definitions.map(({ name }) => splitIdentifier(name));
  const raised = terms.map((term, at) => {
    const share = Math.max(0, ...names.map((parts) => isNamed(term, parts)));
    return (counts[at] ?? 0) + share * WEIGHTS.definition;
  });
  return { file, counts: raised, definitions };
}

function scoreFile(candidate: Candidate, idf: readonly number[], averageLength: number, asksForTests: boolean): number {
  const { file, counts } = candidate;
  const norm =
    WEIGHTS.saturation * (1 - WEIGHTS.length + (WEIGHTS.length * file.text.length) / Math.max(1, averageLength));
  const sum = counts.reduce((total, count, at) => total + (idf[at] ?? 0) * (count / (count + norm)), 0);
  const tests = isDemotedPath(file.path) && !asksForTests ? WEIGHTS.demoted : 1;
  return sum * tests * (PROSE.test(file.path) ? WEIGHTS.prose : 1);
}

function toHit(candidate: Candidate, terms: readonly Term[], idf: readonly number[], share: number): Hit {
  const { file, definitions } = candidate;
  const best = bestPlace(candidate, terms, idf);
  const matched = terms.filter((_, at) => (candidate.counts[at] ?? 0) > 0).map(({ word }) => word);
  const exact = terms.some(({ stem, weight }) => weight > 1 && best.definition?.name.toLowerCase() === stem);
  // Who defines what was named by name comes before whoever only talks about it.
  const score = exact ? Math.min(WEIGHTS.top, Math.max(share, WEIGHTS.named)) : Math.min(share, WEIGHTS.named - 0.01);
  const reason = exact ? "defines it" : `matches ${matched.slice(0, 4).join(", ")}`;
  const inner = best.definition ?? enclosingDefinition(definitions, best.line);
  return {
    file,
    line: inner?.line ?? best.line,
    endLine: inner?.endLine ?? best.line,
    symbol: inner?.name ?? "",
    summary: inner === null ? lineAt(file, best.line) : inner.doc || inner.signature,
    score: Math.round(score * 100) / 100,
    reason,
  };
}

/** Lines of a definition that are looked at. */
const BODY_LINES = 60;

/** The definition whose name and body say most of the question, else the line that does. */
function bestPlace(candidate: Candidate, terms: readonly Term[], idf: readonly number[]) {
  const lines = candidate.file.lower.split("\n");
  const lineScores = lines.map((line) =>
    line.length > 2_000 || IMPORT.test(line)
      ? 0
      : terms.reduce((sum, term, at) => sum + standsIn(term, line) * (idf[at] ?? 0), 0),
  );
  let best: { line: number; definition: Definition | null; score: number } = { line: 1, definition: null, score: -1 };
  lineScores.forEach((score, at) => {
    if (score > best.score) best = { line: at + 1, definition: null, score };
  });
  for (const definition of candidate.definitions) {
    const name = definition.name.toLowerCase();
    const parts = splitIdentifier(definition.name);
    // A definition says at its beginning what it is about; a class may span the whole file.
    const body = lines.slice(definition.line - 1, Math.min(definition.endLine, definition.line + BODY_LINES));
    const text = body.join("\n");
    let score = 0;
    terms.forEach((term, at) => {
      const value = idf[at] ?? 0;
      if (term.weight > 1 && name === term.stem) score += value * WEIGHTS.exactName;
      else score += value * isNamed(term, parts);
      score += (value * standsIn(term, text)) / (1 + body.length / 80);
    });
    if (score > best.score) best = { line: definition.line, definition, score };
  }
  return best;
}

/** Text of a line, trimmed and short. */
export function lineAt(file: ScannedFile, line: number): string {
  return sliceWhole((file.text.split("\n", line)[line - 1] ?? "").trim(), 200);
}
