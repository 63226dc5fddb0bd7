import { confidenceOf, readConfidence } from "./confidence.ts";
import { findIssueCandidates, type IssueCandidate, type IssueView, viewIssue } from "./issue.ts";
import { findDefinitionCandidates } from "./issue-definitions.ts";
import { type FoundTerm, findTerms } from "./postings.ts";
import { toQueryTerms } from "./query.ts";
import { kindOf, type QueryKind } from "./query-kind.ts";
import { type Candidate, findCandidates, isSymbolQuery, namesIn } from "./question.ts";
import { type Evidence, reasonOf } from "./reason.ts";
import { ownLines, weigh } from "./score.ts";
import type { SearchIndex } from "./source.ts";
import { splitPath } from "./traits.ts";
import { DEFINITION_WEIGHTS, FUNCTIONS, ISSUE_WEIGHTS, NAMED, QUESTION_WEIGHTS, SYMBOL_WEIGHTS } from "./weights.ts";
import { termsOfWord } from "./words.ts";

/** A place that may answer. */
export interface Hit {
  /** Repository-relative path. */
  readonly file: string;
  /** The best lines of the file, 1-based, both included. */
  readonly line: number;
  readonly endLine: number;
  /** Qualified name of the definition there; null where the lines are only a passage. */
  readonly definition: string | null;
  /** For order within one answer; says nothing across answers. */
  readonly score: number;
  /** What speaks for it, in a few words. */
  readonly reason: string;
  /** From 0 to 1; comparable across queries and repositories. */
  readonly confidence: number;
}

/** An answer: places, best first, and how likely it is that the repository has an answer at all. */
export interface Answer {
  readonly kind: QueryKind;
  readonly hits: readonly Hit[];
  /** From 0 to 1; comparable across queries and repositories. */
  readonly confidence: number;
}

/** Where a fix may have to go: files, and definitions in them, each best first. */
export interface Location {
  readonly files: readonly Hit[];
  readonly functions: readonly Hit[];
  readonly confidence: number;
}

/** How a question is read. */
export interface QuestionOptions {
  /** Whether other words for the same thing count too. */
  readonly hasSynonyms?: boolean;
}

/**
 * Ranks the files that answer a question or define a name. Contract: at most `limit` hits of different files, best first;
 * nothing for a query without words; a function of its arguments; never throws.
 */
export function rankQuestion(
  index: SearchIndex,
  query: string,
  limit: number,
  { hasSynonyms = true }: QuestionOptions = {},
): { readonly hits: readonly Hit[]; readonly confidence: number } {
  const terms = findTerms(index, toQueryTerms(query, { hasSynonyms }));
  const isSymbol = isSymbolQuery(query);
  const weights = isSymbol ? SYMBOL_WEIGHTS : QUESTION_WEIGHTS;
  const ranked = sortBest(
    findCandidates(index, query, terms).map((candidate) => ({ candidate, score: weigh(candidate.features, weights) })),
  ).slice(0, limit);
  const best = ranked.map(({ candidate: { features }, score }) => ({ features, score }));
  const told = confidenceOf(readConfidence(index, { query, terms, best }));
  // Whoever names something that is here asks about what is here.
  const isNamed = namesSomething(index, query, isSymbol);
  const confidence = isNamed ? Math.max(told, isSymbol ? 1 : NAMED) : told;
  const hits = ranked.map(({ candidate, score }) =>
    toHit(index, { ...candidate, facts: factsOf(candidate) }, terms, score, fade(confidence, score, ranked[0]?.score)),
  );
  return { hits, confidence };
}

/**
 * Ranks the files and functions that a fix for an issue, an error or a stack trace may have to touch. Contract: as for
 * `rankQuestion`; at most `limit` of each.
 */
export function locateIssue(index: SearchIndex, text: string, limit: number): Location {
  const view = viewIssue(index, text);
  const ranked = sortBest(
    findIssueCandidates(index, view).map((candidate) => ({
      candidate,
      score: weigh(candidate.features, ISSUE_WEIGHTS),
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
      return toHit(
        index,
        { ...toPlace(definition), facts, file },
        view.all,
        score,
        fade(confidence, score, top?.score),
      );
    });
  return { files, functions, confidence };
}

const FILE_NAME = /[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,9}/g;

/** `refundFee`, `refund_fee`: nobody writes so but in code, while `GitHub` is a name like others. */
const CODE_NAME = /^[a-z][a-z0-9]*(?:[A-Z]|_[a-z0-9])/;

/**
 * True for a query that names a file or a definition that is here; a bare name, or one that is code by its looks, has only
 * to stand somewhere.
 */
function namesSomething(index: SearchIndex, query: string, isSymbol: boolean): boolean {
  const isFile = (name: string) =>
    index.filesNamed(splitPath(name).stem).some((file) => index.pathOf(file).endsWith(name));
  const isUsed = (name: string) => index.postings(termsOfWord(name)[0] ?? "").files.length > 0;
  const isDefined = (name: string) => index.definitionsNamed(name).some(({ definition }) => definition.name === name);
  const isMeant = ([name, owner]: readonly [string, string | null]) =>
    isSymbol || (owner === null && CODE_NAME.test(name))
      ? isUsed(name)
      : isDefined(name) && (owner === null || isUsed(owner));
  return (query.match(FILE_NAME) ?? []).some(isFile) || [...namesIn(query)].some(isMeant);
}

/** How a query is answered. */
export interface AnswerOptions {
  readonly limit: number;
  /** `keyword` takes words as they are written; `semantic` also other words for the same thing. */
  readonly mode: "semantic" | "keyword";
}

/**
 * Answers any query by what it is: a name, a path, a pattern, a question, or the text of an issue. Contract: as for
 * `rankQuestion`; the hits of a `pattern` are files that have its words, and whoever has their text must look for itself.
 */
export function answerQuery(index: SearchIndex, text: string, { limit, mode }: AnswerOptions): Answer {
  const kind = kindOf(text);
  if (kind === "issue") {
    const { files, confidence } = locateIssue(index, text, limit);
    return { kind, hits: files, confidence };
  }
  const paths = kind === "path" ? findPath(index, text.trim(), limit) : [];
  if (paths.length > 0) return { kind, hits: paths, confidence: 1 };
  const query = kind === "pattern" ? wordsOfPattern(text) : text;
  return { kind, ...rankQuestion(index, query, limit, { hasSynonyms: mode === "semantic" && kind === "question" }) };
}

function sortBest<T extends { readonly score: number }>(items: readonly T[]): T[] {
  return items.toSorted((a, b) => b.score - a.score);
}

/** The confidence of a hit that scores less than the best. */
function fade(confidence: number, score: number, best: number | undefined): number {
  return confidence * Math.exp(Math.min(0, score - (best ?? score)));
}

/** An issue that names a file is sure of it; else as much as the best file says of the title. */
function confidenceOfIssue({ features: { said, lastFrame, resolved, titleCover, cover } }: IssueCandidate): number {
  return Math.min(1, Math.max(said, lastFrame, resolved, (titleCover + cover) / 2));
}

function factsOf({ features, definition }: Candidate): string[] {
  const isNamed = features.namedType > 0 || features.namedFunction > 0;
  return isNamed && definition !== null ? [`defines ${definition.qualified}`] : [];
}

function mentionsOf({ features }: IssueCandidate): string[] {
  if (features.lastFrame > 0) return ["in the stack trace"];
  if (features.said > 0 || features.dotted > 0) return ["named in the text"];
  return features.resolved > 0 ? ["defines a name in the text"] : [];
}

function toPlace(definition: Evidence["definition"]): Pick<Evidence, "line" | "endLine" | "definition"> {
  if (definition === null) return { line: 1, endLine: 1, definition };
  return { line: definition.line, endLine: ownLines(definition), definition };
}

function toHit(
  index: SearchIndex,
  evidence: Omit<Evidence, "path">,
  terms: readonly FoundTerm[],
  score: number,
  confidence: number,
): Hit {
  const path = index.pathOf(evidence.file);
  return {
    file: path,
    line: evidence.line,
    endLine: evidence.endLine,
    definition: evidence.definition?.qualified ?? null,
    score,
    reason: reasonOf({ ...evidence, path }, terms),
    confidence,
  };
}

/** The definitions of one file, best first, scored against those of other files. */
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

/** Files that a path names by its end, the longest agreement alone. */
function findPath(index: SearchIndex, written: string, limit: number): Hit[] {
  const [, path = "", line] =
    /^(.*?)(?::(\d+)(?::\d+)?)?$/.exec(written.replaceAll("\\", "/").replace(/^(?:\.{0,2}\/)+/, "")) ?? [];
  const wanted = path.toLowerCase().split("/");
  const agreement = (file: number) => {
    const have = index.pathOf(file).toLowerCase().split("/");
    let same = 0;
    while (same < wanted.length && wanted.at(-1 - same) === have.at(-1 - same)) same++;
    return same;
  };
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

/** The words that a text must have to match a regular expression, as far as its form shows them. */
function wordsOfPattern(pattern: string): string {
  return pattern.replace(/\\[A-Za-z]|\[[^\]]{0,200}\]|\(\?[:=!<]+/g, " ").replace(/\\/g, "");
}
