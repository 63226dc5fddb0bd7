import { type Answer, answerQuery, type Favour, type Hit } from "../../engine/search/answer.ts";
import { toQueryTerms } from "../../engine/search/query.ts";
import { FIELDS, perField } from "../../engine/search/source.ts";
import { NO_LINKS } from "../../engine/store/links.ts";
import { RepositoryIndex } from "../../engine/store/repository-index.ts";
import type { Transaction } from "../database.ts";
import { chooseRepos, MOST_SEARCHED } from "./choose-repos.ts";
import { readTables } from "./kept-tables.ts";
import { PooledIndex } from "./pooled-index.ts";
import type { SearchedRepo } from "./searched-repo.ts";
import { fetchMissing, fetchPostings, NO_FILES, openSegment } from "./segment-rows.ts";

/** A question across repositories. */
interface AcrossQuestion {
  readonly query: string;
  readonly limit: number;
  readonly mode: "semantic" | "keyword";
  /** The repository in which the question is asked; null if it is unknown or not among those the asker may read. */
  readonly own: SearchedRepo | null;
}

/** A hit with its repository and the redacted text of its file. */
interface HitAcross {
  readonly repo: string;
  /** `hit.file` is relative to the repository. */
  readonly hit: Hit;
  readonly lines: readonly string[];
}

/** An answer across repositories. */
interface AnswerAcross extends Omit<Answer, "hits"> {
  readonly hits: readonly HitAcross[];
}

/**
 * Preference of files of the asker's own repository, or of its dependencies, over equally good matches: enough for most
 * questions about them, but less than the weight of a name that only another repository defines. Its value is measured
 * by `npm run bench:team-search`.
 */
const FAVOUR = { own: 3, dependency: 1 };
/** Maximum number of rounds: ranking requests more data as it learns more, and is usually satisfied after the third. */
const MOST_ROUNDS = 5;
/**
 * Maximum number of terms fetched for a question: many times what a question has, and enough for the longest report.
 */
const MOST_TERMS = 600;

/**
 * Answers a question across repositories, using the ranking for a single one: ranks, fetches from the database what the
 * ranking tried to read, and ranks again until nothing is missing. Terms are weighted as over all of the repositories.
 */
export async function answerAcross(
  transaction: Transaction,
  repos: readonly SearchedRepo[],
  question: AcrossQuestion,
): Promise<AnswerAcross> {
  const { query, limit, mode, own } = question;
  const asked = termsAsked(question);
  const { index, segments } = await openPooled(transaction, repos, question, asked);
  const close = findDependencies(repos, own);
  const favour: Favour = (file) => {
    const id = index.repoOf(file).repo?.id ?? -1;
    return id === own?.id ? FAVOUR.own : close.has(id) ? FAVOUR.dependency : 0;
  };
  const textOf = (file: number) => {
    const { repo, own: number } = index.repoOf(file);
    if (repo === undefined) return null;
    const { segment, slot } = repo.index.placeOf(number);
    return repo.opened[segment]?.textOf(slot) ?? null;
  };
  const have = new Set<string>();
  let answer: Answer | null = null;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const more = [...asked].filter((term) => !have.has(term)).slice(0, MOST_TERMS - have.size);
    await fetchPostings(transaction, segments, more);
    for (const term of more) have.add(term);
    const files = await fetchMissing(transaction, segments);
    if (answer !== null && more.length + files === 0) break;
    index.forget(more);
    answer = answerQuery(index, query, { limit, mode, readText: textOf, favour });
    // Also requests the texts of the hits: the answer quotes them even if ranking has not read them.
    for (const { file } of answer.hits) textOf(index.fileAt(file) ?? -1);
  }
  const { hits = [], ...rest } = answer ?? { kind: "question", confidence: 0, grade: "none", known: [] };
  return {
    ...rest,
    hits: hits.map((hit) => {
      const [repo = "", ...parts] = hit.file.split("/");
      const lines = (textOf(index.fileAt(hit.file) ?? -1) ?? "").split("\n");
      return { repo, hit: { ...hit, file: parts.join("/") }, lines };
    }),
  };
}

/** Opens the repositories, or the best of many, as one index. Terms that are requested from it are added to `asked`. */
async function openPooled(
  transaction: Transaction,
  repos: readonly SearchedRepo[],
  { query, own }: AcrossQuestion,
  asked: Set<string>,
) {
  const terms = toQueryTerms(query, { hasSynonyms: false });
  const chosen =
    repos.length > MOST_SEARCHED ? await chooseRepos(transaction, repos, terms, own?.id) : { repos, spreads: null };
  const tables = await readTables(transaction, chosen.repos);
  const pooled = chosen.repos.map(({ id, name }, at) => {
    const { segments = [], table } = tables[at] ?? {};
    const opened = segments.map((segment) => openSegment(segment, id, asked));
    return { id, name, opened, index: new RepositoryIndex(opened, NO_LINKS, () => false, null, table) };
  });
  const { spreads } = chosen;
  const index = new PooledIndex(pooled, spreads === null ? null : { spreads, ...pool(repos) });
  return { index, segments: pooled.flatMap(({ opened }) => opened) };
}

/** Ids of the repositories that provide packages which the asker's own repository declares. */
function findDependencies(repos: readonly SearchedRepo[], own: SearchedRepo | null): ReadonlySet<number> {
  const needs = new Set(own?.needs ?? []);
  return new Set(repos.filter(({ provides }) => provides.some((name) => needs.has(name))).map(({ id }) => id));
}

/** The terms that ranking requests before it has any data. */
function termsAsked({ query, limit, mode }: AcrossQuestion): Set<string> {
  const asked = new Set<string>();
  answerQuery(new RepositoryIndex([openSegment(NO_FILES, 0, asked)], NO_LINKS), query, { limit, mode });
  return asked;
}

/** File statistics over all repositories, of which only some are searched. */
function pool(repos: readonly SearchedRepo[]) {
  const of = repos.reduce((sum, { files }) => sum + files, 0);
  const sumOf = (at: number) => repos.reduce((sum, { lengths }) => sum + (lengths[at] ?? 0), 0);
  return { of, meanLengths: perField((field) => sumOf(FIELDS.indexOf(field)) / Math.max(1, of)) };
}
