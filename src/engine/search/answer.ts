import type { Grade } from "../../contract/tool.ts";
import { confidenceOf, readConfidence } from "./confidence.ts";
import { type ExactPlaces, findExact, type ReadText } from "./exact.ts";
import { findIssueCandidates, type IssueCandidate, type IssueView, viewIssue } from "./issue.ts";
import { findDefinitionCandidates } from "./issue-definitions.ts";
import { findRareNames, knownOf, leadsOf, type PieceVerdict } from "./known.ts";
import { type FoundTerm, findTerms } from "./postings.ts";
import { toQueryTerms } from "./query.ts";
import { isReport, isWordy, kindOf, type QueryKind } from "./query-kind.ts";
import { type Candidate, findCandidates } from "./question.ts";
import { type PlaceEvidence, reasonOf } from "./reason.ts";
import { isSymbolQuery, readSaid } from "./said.ts";
import { ownLines, weigh } from "./score.ts";
import { innermost, type SearchIndex } from "./source.ts";
import { sharedTail, splitPath, toPlainPath } from "./traits.ts";
import {
  DEFINITION_WEIGHTS,
  FUNCTIONS,
  GRADES,
  ISSUE_WEIGHTS,
  LEADS,
  QUESTION_WEIGHTS,
  SYMBOL_WEIGHTS,
} from "./weights.ts";

/** A place that may answer a query. */
export interface Hit {
  /** Repository-relative path. */
  readonly file: string;
  /** The best lines of the file, 1-based, inclusive. */
  readonly line: number;
  readonly endLine: number;
  /** Qualified name of the definition there; null if the lines are only a passage. */
  readonly definition: string | null;
  /** Orders hits within one answer; not comparable across answers. */
  readonly score: number;
  /** Short explanation of why the hit was found. */
  readonly reason: string;
  /** Words of the query that its lines presumably contain, according to the index; check them against the text. */
  readonly words?: readonly string[];
  /** True if the line itself is what was asked for. */
  readonly isQuote?: boolean;
  /** From 0 to 1; comparable across queries and repositories. */
  readonly confidence: number;
}

/** An answer: places, best first, and how likely it is that the repository has an answer at all. */
export interface Answer {
  readonly kind: QueryKind;
  readonly hits: readonly Hit[];
  /** From 0 to 1; comparable across queries and repositories. */
  readonly confidence: number;
  /** The confidence as a grade: an answer, a guess, or nothing related. */
  readonly grade: Grade;
  /** The pieces of the query that are meant literally, and how far the repository contains them. */
  readonly known: readonly PieceVerdict[];
}

/** Where a fix may be needed: files, and definitions in them, each best first. */
export interface Location {
  readonly files: readonly Hit[];
  readonly functions: readonly Hit[];
  readonly confidence: number;
}

/** Options of `answerQuery`. */
export interface AnswerOptions {
  readonly limit: number;
  /** `keyword` matches words as written; `semantic` also matches synonyms. */
  readonly mode: "semantic" | "keyword";
  /** Reads file texts; without it there are no literal matches. */
  readonly readText?: ReadText;
  /** None by default. The confidence is judged without it. */
  readonly favour?: Favour;
}

/** Returns the score bonus of a file, independent of the query. */
export type Favour = (file: number) => number;
const NO_FAVOUR: Favour = () => 0;

type Ranking = Pick<Answer, "hits" | "confidence" | "known">;

/**
 * Ranks the files that answer a question or define a name: first those that define what is asked about or contain it
 * literally, then similar ones. Contract: at most `limit` hits, best first, each from a different file; empty for a
 * query without words; depends only on its arguments and the texts; never throws.
 */
function rankQuestion(
  index: SearchIndex,
  query: string,
  { hasSynonyms, limit, readText = () => null, favour = NO_FAVOUR }: AnswerOptions & { readonly hasSynonyms: boolean },
): Ranking {
  const terms = findTerms(index, toQueryTerms(query, { hasSynonyms }));
  const isSymbol = isSymbolQuery(query);
  const weights = isSymbol ? SYMBOL_WEIGHTS : QUESTION_WEIGHTS;
  const spoken = readSaid(query);
  const said = [...spoken, ...findRareNames(index, terms, spoken)];
  const exact = findExact(index, said, readText);
  const known = knownOf(index, exact);
  const leads = leadsOf(index, exact, isReport(query) || isWordy(query) ? LEADS.report : 1);
  const bonusOf = (file: number) => (leads.get(file) ?? 0) + favour(file);
  const verbatim = { said: spoken, files: new Set(leads.keys()) };
  const ranked = sortBest(
    findCandidates(index, query, terms, verbatim).map((candidate) => ({
      candidate,
      score: weigh(candidate.features, weights) + bonusOf(candidate.file),
    })),
  ).slice(0, limit);
  const best = ranked.map(({ candidate: { features, file }, score }) => ({
    features,
    score: score - bonusOf(file),
  }));
  const told = confidenceOf(readConfidence(index, { query, terms, best }));
  const confidence = weighKnown(told, known);
  const hits = ranked.map(({ candidate, score }) => {
    const evidence = quoteExact(index, { ...candidate, facts: factsOf(candidate, known) }, exact);
    return toHit(index, evidence, terms, score, fade(confidence, score, ranked[0]?.score));
  });
  return { hits, confidence, known };
}

/**
 * Clamps the confidence: a query that names something in the repository is about the repository, and a query about
 * something that is not there is not.
 */
function weighKnown(told: number, known: readonly PieceVerdict[]): number {
  const most = Math.min(1, ...known.map(({ most }) => most));
  return Math.max(Math.min(told, most), ...known.map(({ least }) => least));
}

/**
 * Replaces the place by the line that contains a piece of the query literally, unless the candidate defines that name.
 */
function quoteExact(index: SearchIndex, evidence: PlaceEvidence, exact: readonly ExactPlaces[]): PlaceEvidence {
  if (evidence.facts.length > 0) return evidence;
  for (const { said, places } of exact) {
    const place = places.find(({ file }) => file === evidence.file);
    if (place === undefined) continue;
    const { line } = place;
    const endLine = Math.min(line + QUOTED_LINES, Math.max(line, index.lines[evidence.file] ?? line));
    const definition = innermost(index.definitionsIn(evidence.file), line);
    return { ...evidence, line, endLine, definition, facts: [`text: ${said.text}`], isQuote: true };
  }
  return evidence;
}

/** Lines shown after a quoted line. */
const QUOTED_LINES = 4;

/**
 * Ranks the files and functions that a fix for an issue, an error or a stack trace may have to touch. Contract: as for
 * `rankQuestion`; at most `limit` of each.
 */
export function locateIssue(index: SearchIndex, text: string, limit: number, favour: Favour = NO_FAVOUR): Location {
  const view = viewIssue(index, text);
  const ranked = sortBest(
    findIssueCandidates(index, view).map((candidate) => ({
      candidate,
      score: weigh(candidate.features, ISSUE_WEIGHTS) + favour(candidate.file),
    })),
  );
  const top = ranked[0];
  const confidence = top === undefined ? 0 : confidenceOfIssue(top.candidate);
  const places = new Map(
    ranked.slice(0, Math.max(limit, FUNCTIONS.files)).map((own) => [own, rankDefinitions(index, view, own)] as const),
  );
  const files = ranked.slice(0, limit).map((own) => {
    const best = places.get(own)?.[0]?.definition ?? null;
    const evidence = { ...toPlace(best), facts: mentionsOf(own.candidate), file: own.candidate.file };
    return toHit(index, evidence, view.all, own.score, fade(confidence, own.score, top?.score));
  });
  const functions = sortBest([...places].slice(0, FUNCTIONS.files).flatMap(([, own]) => own))
    .slice(0, limit)
    .map(({ file, definition, score, isFrame }) => {
      const facts = isFrame ? ["frame of the trace"] : [];
      const evidence = { ...toPlace(definition), facts, file };
      return toHit(index, evidence, view.all, score, fade(confidence, score, top?.score));
    });
  return { files, functions, confidence };
}

/**
 * Answers a query according to its kind: a name, a path, a pattern, a question, or the text of an issue. Contract: as
 * for `rankQuestion`; the hits of a `pattern` are files that contain its words, and the caller must match their text
 * itself.
 */
export function answerQuery(index: SearchIndex, text: string, options: AnswerOptions): Answer {
  const { limit, mode, favour } = options;
  const kind = kindOf(text);
  if (kind === "issue") {
    // Not fitted: the training data excludes tests, and a fix belongs in a test only if little else matches.
    const { files, confidence } = locateIssue(index, text, limit, favour);
    return { kind, hits: files, confidence, grade: "sure", known: [] };
  }
  const paths = kind === "path" ? findPath(index, text.trim(), limit) : [];
  if (paths.length > 0) return { kind, hits: paths, confidence: 1, grade: "sure", known: [] };
  const query = kind === "pattern" ? wordsOfPattern(text) : text;
  const hasSynonyms = mode === "semantic" && kind === "question";
  const asked = rankQuestion(index, query, { ...options, hasSynonyms });
  const ranking =
    kind === "question" && isReport(text) ? { ...asked, hits: blendReport(index, text, asked.hits, favour) } : asked;
  return { kind, ...ranking, grade: kind === "pattern" ? "sure" : gradeOf(ranking.confidence) };
}

/** Reciprocal rank fusion: `slack` flattens the advantage of the first ranks; `worth` scales ranks to scores. */
const BLENDING = { slack: 8, worth: 40 };

/** Merges the hits of a question and of the same text read as an issue, by rank. Contract: as many hits as given. */
function blendReport(index: SearchIndex, text: string, asked: readonly Hit[], favour?: Favour): Hit[] {
  const worthOf = (rank: number) => BLENDING.worth / (BLENDING.slack + rank);
  const found = new Map(asked.map((hit, rank) => [hit.file, { ...hit, score: worthOf(rank) }]));
  locateIssue(index, text, asked.length, favour).files.forEach((hit, rank) => {
    const known = found.get(hit.file);
    const confidence = Math.min(hit.confidence, asked.at(-1)?.confidence ?? hit.confidence);
    found.set(
      hit.file,
      known === undefined
        ? { ...hit, confidence, score: worthOf(rank) }
        : { ...known, score: known.score + worthOf(rank) },
    );
  });
  return sortBest([...found.values()]).slice(0, asked.length);
}

function gradeOf(confidence: number): Grade {
  return confidence >= GRADES.sure ? "sure" : confidence >= GRADES.guess ? "guess" : "none";
}

function sortBest<T extends { readonly score: number }>(items: readonly T[]): T[] {
  return items.toSorted((a, b) => b.score - a.score);
}

/** The confidence of a hit, reduced by how far its score is below the best. */
function fade(confidence: number, score: number, best: number | undefined): number {
  return confidence * Math.exp(Math.min(0, score - (best ?? score)));
}

/** Full if the issue names the file; otherwise how much of the title and the text the best file covers. */
function confidenceOfIssue({ features: { said, lastFrame, resolved, titleCover, cover } }: IssueCandidate): number {
  return Math.min(1, Math.max(said, lastFrame, resolved, (titleCover + cover) / 2));
}

function factsOf({ features, definition }: Candidate, known: readonly PieceVerdict[]): string[] {
  const isNamed = features.namedType > 0 || features.namedFunction > 0;
  if (!isNamed || definition === null) return [];
  const lower = definition.name.toLowerCase();
  const of = known.find(({ said }) => said.name?.toLowerCase().startsWith(lower))?.definitions ?? 1;
  return [`defines ${definition.qualified}${of > 1 ? `, one of ${of} definitions` : ""}`];
}

function mentionsOf({ features }: IssueCandidate): string[] {
  if (features.lastFrame > 0) return ["in the stack trace"];
  if (features.said > 0 || features.dotted > 0) return ["named in the text"];
  return features.resolved > 0 ? ["defines a name in the text"] : [];
}

function toPlace(definition: PlaceEvidence["definition"]): Pick<PlaceEvidence, "line" | "endLine" | "definition"> {
  if (definition === null) return { line: 1, endLine: 1, definition };
  return { line: definition.line, endLine: ownLines(definition), definition };
}

function toHit(
  index: SearchIndex,
  evidence: PlaceEvidence,
  terms: readonly FoundTerm[],
  score: number,
  confidence: number,
): Hit {
  const path = index.pathOf(evidence.file);
  const { reason, words } = reasonOf(path, evidence, terms);
  return {
    file: path,
    line: evidence.line,
    endLine: evidence.endLine,
    definition: evidence.definition?.qualified ?? null,
    score,
    reason,
    words,
    ...(evidence.isQuote === true ? { isQuote: true } : {}),
    confidence,
  };
}

/** The definitions of one file, best first, with scores comparable across files. */
function rankDefinitions(
  index: SearchIndex,
  view: IssueView,
  { candidate: { file }, score }: { readonly candidate: IssueCandidate; readonly score: number },
) {
  const own = sortBest(
    findDefinitionCandidates(index, view, file).map(({ definition, features }) => ({
      file,
      definition,
      isFrame: features.frame > 0,
      score: weigh(features, DEFINITION_WEIGHTS),
    })),
  ).slice(0, FUNCTIONS.perFile);
  const best = own[0]?.score ?? 0;
  return own.map((item) => ({ ...item, score: FUNCTIONS.fileShare * score + item.score - best }));
}

/** Files whose path ends like the written path; only those with the longest match. */
function findPath(index: SearchIndex, written: string, limit: number): Hit[] {
  const [, path = "", line] = /^(.*?)(?::(\d+)(?::\d+)?)?$/.exec(toPlainPath(written)) ?? [];
  const wanted = path.toLowerCase().split("/");
  const agreement = (file: number) => sharedTail(wanted, index.pathOf(file).toLowerCase().split("/"));
  const found = index.filesNamed(splitPath(path).stem).map((file) => ({ file, same: agreement(file) }));
  const most = Math.max(1, ...found.map(({ same }) => same));
  return found
    .filter(({ same }) => same === most)
    .slice(0, limit)
    .map(({ file, same }) => {
      const at = Math.min(Number(line ?? 1), Math.max(1, index.lines[file] ?? 1));
      return {
        file: index.pathOf(file),
        line: at,
        endLine: line === undefined ? Math.max(1, index.lines[file] ?? 1) : at,
        definition: null,
        score: same,
        reason: "path as written",
        confidence: 1,
      };
    });
}

/** The literal words of a regular expression, as far as they can be extracted from its syntax. */
function wordsOfPattern(pattern: string): string {
  return pattern.replace(/\\[A-Za-z]|\[[^\]]{0,200}\]|\(\?[:=!<]+/g, " ").replace(/\\/g, "");
}
