import type { QueryTerm } from "../../engine/search/query.ts";
import type { Transaction } from "../database.ts";
import type { SqlRow } from "../sql.ts";
import type { SearchedRepo } from "./searched-repo.ts";

/** Up to this many repositories, all are searched; of more, only those that best match the words of the question. */
export const MOST_SEARCHED = 32;
/** Maximum number of terms used for choosing: the first terms of a long text tell its subject. */
const MOST_TERMS = 40;
/**
 * BM25 parameters, as for files: how soon further files with a word stop counting, and how far a repository's size
 * counts against it.
 */
const SATURATION = { k1: 2, b: 0.5 };

/** The chosen repositories, and for each term the number of files with it over all repositories. */
interface ChosenRepos {
  readonly repos: readonly SearchedRepo[];
  readonly spreads: ReadonlyMap<string, number>;
}

/**
 * Chooses the repositories to search: scores them by how many of their files contain the words of the question, rare
 * words weighing most, as files are scored by their words. The repository with the id `always` is included. Contract:
 * deterministic for the same rows.
 */
export async function chooseRepos(
  { rows }: Transaction,
  repos: readonly SearchedRepo[],
  terms: readonly QueryTerm[],
  always: number | undefined,
): Promise<ChosenRepos> {
  const words = terms.slice(0, MOST_TERMS).map(wordsOf);
  // Summed here: grouping in the database would make it read all words of a repository in order.
  const found = await rows(
    "SELECT repo, term, spread FROM groundwork.postings WHERE repo = ANY ($1::int[]) AND term = ANY ($2::text[])",
    repos.map(({ id }) => id),
    [...new Set(words.flat().map(({ term }) => term))],
  );
  const of = repos.reduce((sum, { files }) => sum + files, 0);
  const usual = of / Math.max(1, repos.length);
  const totals = new Map<string, number>();
  for (const { term, spread } of found) totals.set(String(term), (totals.get(String(term)) ?? 0) + Number(spread));
  const rarityOf = (having: number) => Math.log(1 + (of - having + 0.5) / (having + 0.5));
  const spreads = spreadsByRepo(found);
  const { k1, b } = SATURATION;
  const scoreOf = ({ id, files }: SearchedRepo) => {
    const own = spreads.get(id);
    if (id === always) return Number.POSITIVE_INFINITY;
    if (own === undefined) return 0;
    const norm = k1 * (1 - b + (b * files) / Math.max(1, usual));
    const worthOf = ({ term, share }: SpelledWord) => {
      const having = own.get(term) ?? 0;
      return (share * rarityOf(totals.get(term) ?? 0) * having * (k1 + 1)) / (having + norm);
    };
    return words.reduce((sum, spelled) => sum + Math.max(0, ...spelled.map(worthOf)), 0);
  };
  const scores = new Map(repos.map((repo) => [repo.id, scoreOf(repo)]));
  const rankOf = ({ id }: SearchedRepo) => scores.get(id) ?? 0;
  const best = repos
    .filter((repo) => rankOf(repo) > 0)
    .toSorted((one, other) => rankOf(other) - rankOf(one) || (one.name < other.name ? -1 : 1))
    .slice(0, MOST_SEARCHED);
  const known = words.flatMap((spelled, at) => {
    const key = terms[at]?.key ?? "";
    // As within one repository: for a word that occurs nowhere, its most frequent spelling counts.
    const own = totals.get(key) ?? 0;
    const having = own > 0 ? own : Math.max(0, ...spelled.map(({ term }) => totals.get(term) ?? 0));
    return having === 0 ? [] : [[key, having] as const];
  });
  return { repos: best, spreads: new Map(known) };
}

type SpelledWord = QueryTerm["spellings"][number];

/**
 * Spellings to look up for a term: the word itself; for a Chinese word its translations as well, because code is rarely
 * in Chinese.
 */
function wordsOf({ key, spellings }: QueryTerm): readonly SpelledWord[] {
  return /\p{Script=Han}/u.test(key) ? spellings : [{ term: key, share: 1 }];
}

/** Number of files with a term, by repository and term, summed over the segments of a repository. */
function spreadsByRepo(rows: readonly SqlRow[]): ReadonlyMap<number, ReadonlyMap<string, number>> {
  const found = new Map<number, Map<string, number>>();
  for (const row of rows) {
    const [repo, term] = [Number(row["repo"]), String(row["term"])];
    const own = found.get(repo) ?? new Map<string, number>();
    own.set(term, (own.get(term) ?? 0) + Number(row["spread"]));
    found.set(repo, own);
  }
  return found;
}
