import { endingsWhere, entryOfEnding } from "../languages.ts";
import { scorePairs } from "./pairs.ts";
import { type FoundTerm, linesIn } from "./postings.ts";
import { readSaid, type Said } from "./said.ts";
import {
  ownLines,
  type Passages,
  pickBest,
  scoreDefinitions,
  scoreFields,
  scorePassages,
  scoreSentence,
  sumOf,
  toShares,
} from "./score.ts";
import { makeWordMatcher, type WordMatcher } from "./similar.ts";
import { type IndexedDefinition, type PlacedDefinition, perField, type SearchIndex } from "./source.ts";
import { hasTrait, splitPath, TRAIT } from "./traits.ts";
import { CANDIDATES, FIRST_LOOK, type QuestionFeature } from "./weights.ts";
import { isWhole, partsOf } from "./words.ts";

/** Tests, examples and the like rank lower unless the question asks for them. */
const ASKS_FOR_TESTS = /\b(?:tests?|testing|specs?|fixtures?|mocks?|examples?|benchmarks?)\b|测试|用例|示例|例子|样例/i;
/** A file that may answer a question, with its ranking features. */
export interface Candidate {
  readonly file: number;
  readonly features: Readonly<Record<QuestionFeature, number>>;
  /** The best place in the file. */
  readonly line: number;
  readonly endLine: number;
  readonly definition: IndexedDefinition | null;
}

/** The pieces of a question that are meant literally, and the files that contain them. */
interface Verbatim {
  readonly said: readonly Said[];
  readonly files: ReadonlySet<number>;
}

/**
 * Scores all files by their fields, then examines the best ones closely. Contract: depends only on its arguments;
 * features are from 0 to 1; most promising candidates first; files with a literal match are preferred as candidates.
 */
export function findCandidates(
  index: SearchIndex,
  query: string,
  terms: readonly FoundTerm[],
  // The default is that of the fitting of the weights, which has no texts to match literally.
  verbatim: Verbatim = { said: readSaid(query), files: new Set() },
): Candidate[] {
  const words = terms.filter(({ key }) => !isWhole(key));
  const fields = scoreFields(index, terms);
  const shares = perField((field) => toShares(fields[field]));
  const pairs = scorePairs(index, terms);
  const named = findNamed(index, verbatim.said);
  const first = new Float64Array(index.fileCount);
  for (let file = 0; file < first.length; file++) {
    const sum =
      FIRST_LOOK.body * (shares.body[file] ?? 0) +
      FIRST_LOOK.name * (shares.name[file] ?? 0) +
      FIRST_LOOK.path * (shares.path[file] ?? 0) +
      FIRST_LOOK.doc * (shares.doc[file] ?? 0) +
      FIRST_LOOK.cover * (fields.cover[file] ?? 0);
    const isApart = hasTrait(index, file, TRAIT.test | TRAIT.aside);
    first[file] =
      sum * (isApart ? FIRST_LOOK.aside : 1) + (named.has(file) ? 1 : 0) + (verbatim.files.has(file) ? 1 : 0);
  }
  const files = pickBest(first, CANDIDATES.question);
  const total = sumOf(terms);
  const wantsTests = ASKS_FOR_TESTS.test(query);
  const matcher = makeWordMatcher(words);
  const close = files.map((file) => lookClosely(index, file, terms, words, matcher));
  const share = (pick: (look: Look) => number) => toShares(Float64Array.from(close, pick));
  const passage = share(({ passages }) => passages.best);
  const passages = share(({ passages: { three } }) => three);
  const definition = share(({ definition: { score } }) => score);
  const size = share(({ lines }) => Math.log1p(lines));
  return files.map((file, at) => {
    const look = close[at];
    const path = index.pathOf(file);
    const has = (trait: number) => Number(hasTrait(index, file, trait));
    const name = named.get(file);
    const place = look === undefined ? null : placeOf(look, name?.definition ?? null);
    return {
      file,
      line: place?.line ?? 1,
      endLine: place?.endLine ?? 1,
      definition: place?.definition ?? null,
      features: {
        name: shares.name[file] ?? 0,
        path: shares.path[file] ?? 0,
        doc: shares.doc[file] ?? 0,
        passage: passage[at] ?? 0,
        passages: passages[at] ?? 0,
        passageCover: (look?.passages.cover ?? 0) / total,
        sentence: (look?.sentence ?? 0) / total,
        definition: definition[at] ?? 0,
        nameCover: (look?.nameCover ?? 0) / total,
        stemSaid: look?.stemSaid ?? 0,
        stemCover: look?.stemCover ?? 0,
        folderCover: look?.folderCover ?? 0,
        head: (look?.head ?? 0) / total,
        depth: 1 / (1 + splitPath(path).folders.length),
        twin: Number(hasTwin(index, path)),
        pairName: pairs[file] ?? 0,
        stemExact: look?.stemExact ?? 0,
        stemAll: Number((look?.stemCover ?? 0) === 1),
        namedType: name?.type ?? 0,
        namedFunction: name?.other ?? 0,
        namedStem: name?.stem ?? 0,
        size: size[at] ?? 0,
        test: wantsTests ? 0 : has(TRAIT.test),
        aside: has(TRAIT.aside),
        reexport: has(TRAIT.reexport),
      },
    };
  });
}

interface Named {
  readonly type: number;
  readonly other: number;
  readonly stem: number;
  readonly definition: IndexedDefinition;
}

/** Weight of a name that differs only in case. */
const OTHER_CASE = 0.6;

/** Files that define what the question names. */
function findNamed(index: SearchIndex, said: readonly Said[]): Map<number, Named> {
  const found = new Map<number, Named>();
  for (const piece of said) {
    for (const { file, definition } of definitionsOf(index, piece)) {
      const name = definition.name;
      const exact = name === piece.name ? 1 : OTHER_CASE;
      const known = found.get(file);
      const stem = splitPath(index.pathOf(file)).stem.toLowerCase().replace(/[_-]/g, "");
      const isBetter = known === undefined || exact > Math.max(known.type, known.other);
      found.set(file, {
        type: Math.max(known?.type ?? 0, definition.kind === "type" ? exact : 0),
        other: Math.max(known?.other ?? 0, definition.kind === "type" ? 0 : exact),
        stem: Math.max(known?.stem ?? 0, stem === name.toLowerCase().replace(/_/g, "") ? exact : 0),
        definition: isBetter ? definition : known.definition,
      });
    }
  }
  return found;
}

/** Definitions that a piece of a query names, ignoring case; if a plural has no definitions, its singular is tried. */
export function definitionsOf(index: SearchIndex, { name }: Said): readonly PlacedDefinition[] {
  if (name === null) return [];
  const own = index.definitionsNamed(name);
  return own.length > 0 || !/[a-z]s$/.test(name) ? own : index.definitionsNamed(name.slice(0, -1));
}

interface Look {
  readonly passages: Passages;
  readonly sentence: number;
  readonly definition: { readonly score: number; readonly best: IndexedDefinition | null };
  readonly nameCover: number;
  readonly stemSaid: number;
  readonly stemCover: number;
  readonly folderCover: number;
  readonly stemExact: number;
  readonly head: number;
  readonly lines: number;
}

function lookClosely(
  index: SearchIndex,
  file: number,
  terms: readonly FoundTerm[],
  words: readonly FoundTerm[],
  matcher: WordMatcher,
): Look {
  const lines = index.lines[file] ?? 0;
  const found = linesIn(file, terms);
  const { folders, stem } = splitPath(index.pathOf(file));
  const stemParts = partsOf(stem);
  const folderParts = partsOf(folders.at(-1) ?? "");
  let best = null as IndexedDefinition | null;
  let score = 0;
  let nameCover = 0;
  const definitions = index.definitionsIn(file);
  const scores = scoreDefinitions(found, definitions);
  definitions.forEach((definition, at) => {
    const cover = matcher.canSay(definition.name) ? coverOf(definition.name, words, matcher) : 0;
    const own = (scores[at] ?? 0) + cover;
    nameCover = Math.max(nameCover, cover);
    if (own > score) {
      score = own;
      best = definition;
    }
  });
  return {
    passages: scorePassages(found, lines),
    sentence: scoreSentence(found, lines),
    definition: { score, best },
    nameCover,
    stemSaid: countSaid([...stemParts, ...folderParts], matcher) / Math.max(1, words.length),
    stemCover: shareOf(stemParts, matcher),
    folderCover: shareOf(folderParts, matcher),
    stemExact: stemParts.filter((part) => words.some(({ key }) => key === part)).length / Math.max(1, stemParts.length),
    head: found.reduce((sum, { value, lines: at }) => sum + ((at[0] ?? 0) <= HEAD ? value : 0), 0),
    lines,
  };
}

/** Number of query words that the name parts match. */
function countSaid(parts: readonly string[], { match }: WordMatcher): number {
  let bits = 0;
  for (const part of parts) bits |= match(part);
  let count = 0;
  for (; bits !== 0; bits &= bits - 1) count++;
  return count;
}

/** Share of a name's parts that match a query word. */
function shareOf(parts: readonly string[], { match }: WordMatcher): number {
  let meant = 0;
  for (const part of parts) if (match(part) !== 0) meant++;
  return meant / Math.max(1, parts.length);
}

/** Lines at the top of a file, where it typically describes its purpose. */
const HEAD = 40;

/** Total value of the query words that the name parts match. */
function valueIn(parts: readonly string[], words: readonly FoundTerm[], { match }: WordMatcher): number {
  let bits = 0;
  for (const part of parts) bits |= match(part);
  let value = 0;
  for (let at = 0; bits >>> at !== 0; at++) if (((bits >>> at) & 1) === 1) value += words[at]?.value ?? 0;
  return value;
}

const SOURCES = endingsWhere(({ hasPreprocessor = false }) => hasPreprocessor);
const isHeader = (ending: string) => entryOfEnding(ending)?.headers?.includes(ending.slice(1)) === true;

/** Whether a header's source file is in the same folder: both contain the same words, the source more of them. */
function hasTwin(index: SearchIndex, path: string): boolean {
  const { stem, ending, folders } = splitPath(path);
  if (!isHeader(ending)) return false;
  const folder = folders.join("/");
  return index.filesNamed(stem).some((file) => {
    const other = splitPath(index.pathOf(file));
    return SOURCES.has(other.ending) && !isHeader(other.ending) && other.folders.join("/") === folder;
  });
}

/** Total value of the query words that a name matches, multiplied by the share of its parts that match. */
function coverOf(name: string, words: readonly FoundTerm[], matcher: WordMatcher): number {
  const parts = partsOf(name);
  return valueIn(parts, words, matcher) * shareOf(parts, matcher);
}

/** The place to show: the definition asked for, else the best definition, else the best passage. */
function placeOf(look: Look, asked: IndexedDefinition | null) {
  if (asked !== null) return { line: asked.line, endLine: asked.endLine, definition: asked };
  const best = look.definition.best;
  if (best !== null) return { line: best.line, endLine: ownLines(best), definition: best };
  return { line: look.passages.line, endLine: look.passages.endLine, definition: null };
}
