import { toWordSet } from "../word-set.ts";
import { scoreDotted, scoreFrames, scoreMentions, scoreResolved } from "./issue-signals.ts";
import { type IssueText, readIssue } from "./issue-text.ts";
import { type FoundTerm, findTerms, linesIn, weighAgain } from "./postings.ts";
import { type QueryTerm, toQueryTerms } from "./query.ts";
import { pickBest, scoreDefinitions, scoreFields, scorePassages, scoreSentence, sumOf, toShares } from "./score.ts";
import type { SearchIndex } from "./source.ts";
import { hasTrait, splitPath, TRAIT } from "./traits.ts";
import { CANDIDATES, FIRST_ISSUE_LOOK, FIRST_LOOK, type IssueFeature } from "./weights.ts";
import { partsOf } from "./words.ts";

/** A file that a fix may have to touch, with its ranking features. */
export interface IssueCandidate {
  readonly file: number;
  readonly features: Readonly<Record<IssueFeature, number>>;
}

/** An issue, with its terms looked up in one repository. */
export interface IssueView {
  readonly issue: IssueText;
  readonly all: readonly FoundTerm[];
  readonly title: readonly FoundTerm[];
  readonly code: readonly FoundTerm[];
}

/** Words that are common in all reports. */
const REPORT_WORDS = toWordSet(
  "actual actually bug bugs behavior behaviour description describe expect expected issue steps reproduce reproduction reproducible result results " +
    "version versions traceback recent call last problem example following like also get got getting see seems try tried trying want work works working " +
    "think just one would should here now please same when however instead result because only any all some case fix fixed modified",
);
const isReportWord = (word: string) => REPORT_WORDS.has(word);

/** Maximum number of terms looked up: title terms first, then the most frequent ones. */
const MOST_TERMS = 160;

/** Parses an issue and looks up its terms. */
export function viewIssue(index: SearchIndex, text: string): IssueView {
  const issue = readIssue(text);
  const read = (part: string) => toQueryTerms(part, { isIdle: isReportWord, hasSynonyms: false });
  const title = read(issue.title);
  const inTitle = new Set(title.map(({ key }) => key));
  const asked = read(issue.text)
    .toSorted((a, b) => Number(inTitle.has(b.key)) - Number(inTitle.has(a.key)) || b.weight - a.weight)
    .slice(0, MOST_TERMS);
  const all = findTerms(index, asked, Math.sqrt);
  const known = new Map(all.map((term) => [term.key, term]));
  // The title and the code contain the same words, so no term is looked up twice.
  const again = (terms: readonly QueryTerm[]) =>
    terms.flatMap((term) => {
      const found = known.get(term.key);
      return found === undefined ? [] : [weighAgain(found, term.weight, Math.sqrt)];
    });
  return { issue, all, title: again(title), code: again(read(issue.code)) };
}

/**
 * Files that a fix for an issue may have to touch. Contract: depends only on its arguments; features are from 0 to 1;
 * most promising candidates first.
 */
export function findIssueCandidates(index: SearchIndex, view: IssueView): IssueCandidate[] {
  const isSource = (file: number) => !hasTrait(index, file, TRAIT.test | TRAIT.aside);
  const share = (scores: Float64Array) => toShares(scores, isSource);
  const all = scoreFields(index, view.all);
  const title = scoreFields(index, view.title);
  const columns = {
    path: share(all.path),
    rare: share(all.rare),
    cover: all.cover,
    titleName: share(title.name),
    titleDoc: share(title.doc),
    titleCover: title.cover,
    said: scoreMentions(index, view.issue.files),
    lastFrame: scoreFrames(index, view.issue.frames),
    dotted: scoreDotted(index, view.issue),
    resolved: share(scoreResolved(index, view.issue, isSource)),
  };
  const first = new Float64Array(index.fileCount);
  for (const name of Object.keys(FIRST_ISSUE_LOOK) as (keyof typeof FIRST_ISSUE_LOOK)[]) {
    const column = columns[name];
    const weight = FIRST_ISSUE_LOOK[name];
    for (let file = 0; file < first.length; file++) first[file] = (first[file] ?? 0) + weight * (column[file] ?? 0);
  }
  for (let file = 0; file < first.length; file++)
    if (!isSource(file)) first[file] = (first[file] ?? 0) * FIRST_LOOK.aside;
  const files = pickBest(first, CANDIDATES.issue);
  const looks = files.map((file) => lookClosely(index, file, view));
  const closeShare = (pick: (look: Look) => number) =>
    toShares(Float64Array.from(looks, pick), (at) => isSource(files[at] ?? 0));
  const passage = closeShare((look) => look.passage);
  const definition = closeShare((look) => look.definition);
  const titleTotal = sumOf(view.title);
  const titleValues = new Map(view.title.map(({ key, value }) => [key, value]));
  const titleMost = Math.max(1e-9, ...titleValues.values());
  return files.map((file, at) => {
    const has = (trait: number) => Number(hasTrait(index, file, trait));
    const { folders } = splitPath(index.pathOf(file));
    return {
      file,
      features: {
        path: columns.path[file] ?? 0,
        cover: columns.cover[file] ?? 0,
        titleName: columns.titleName[file] ?? 0,
        titleDoc: columns.titleDoc[file] ?? 0,
        titleCover: columns.titleCover[file] ?? 0,
        titleSentence: (looks[at]?.titleSentence ?? 0) / titleTotal,
        passage: passage[at] ?? 0,
        definition: definition[at] ?? 0,
        said: columns.said[file] ?? 0,
        lastFrame: columns.lastFrame[file] ?? 0,
        dotted: columns.dotted[file] ?? 0,
        resolved: columns.resolved[file] ?? 0,
        folderValue: valueIn(folders.slice(-3).flatMap(partsOf), titleValues) / titleMost,
        size: Math.min(1, Math.log1p(index.lines[file] ?? 0) / 8),
        test: has(TRAIT.test),
        aside: has(TRAIT.aside),
        prose: has(TRAIT.prose),
        reexport: has(TRAIT.reexport),
      },
    };
  });
}

/** The largest value among the parts of a name, reduced if the name also has parts without a value. */
function valueIn(parts: readonly string[], values: ReadonlyMap<string, number>): number {
  let most = 0;
  let said = 0;
  for (const part of parts) {
    const value = values.get(part) ?? 0;
    most = Math.max(most, value);
    if (value > 0) said++;
  }
  return most * Math.sqrt(said / Math.max(1, parts.length));
}

interface Look {
  readonly passage: number;
  readonly titleSentence: number;
  readonly definition: number;
}

function lookClosely(index: SearchIndex, file: number, view: IssueView): Look {
  const lines = index.lines[file] ?? 0;
  const all = linesIn(file, view.all);
  const title = linesIn(file, view.title);
  const definitions = index.definitionsIn(file);
  const byAll = scoreDefinitions(all, definitions);
  const byTitle = scoreDefinitions(title, definitions);
  let definition = 0;
  for (let at = 0; at < byAll.length; at++) definition = Math.max(definition, (byAll[at] ?? 0) + (byTitle[at] ?? 0));
  return { passage: scorePassages(all, lines).best, titleSentence: scoreSentence(title, lines), definition };
}
