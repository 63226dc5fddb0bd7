import type { QueryTerm } from "../../engine/search/query.ts";
import type { Transaction } from "../database.ts";
import type { SqlRow } from "../sql.ts";
import type { SearchedRepo } from "./searched-repo.ts";

/** So many repositories are searched whole; of more, those that the words of the question are at home in. */
export const MOST_SEARCHED = 32;
/** Terms by which they are chosen: the first of a long text say what it is about. */
const MOST_TERMS = 40;
/** As for files: how soon more files with a word stop to count, and how far a repository's size counts against it. */
const SATURATION = { k1: 2, b: 0.5 };

/** Some of many repositories, and how many files of all of them have a term. */
export interface ChosenRepos {
  readonly repos: readonly SearchedRepo[];
  readonly spreads: ReadonlyMap<string, number>;
}

/**
 * Chooses the repositories that are searched: by how many files have the rarest words of the question, as files are ranked by
 * their words; those in `always` anyway. Contract: as deterministic as the rows.
 */
export async function chooseRepos(
  { rows }: Transaction,
  repos: readonly SearchedRepo[],
  terms: readonly QueryTerm[],
  always: ReadonlySet<number>,
): Promise<ChosenRepos> {
  const words = terms.slice(0, MOST_TERMS).map(wordsOf);
  // Added up here: grouping them in the database makes it read all words of a repository in their order.
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
    if (always.has(id)) return Number.POSITIVE_INFINITY;
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
    // As in one repository: of a word that stands nowhere, the spelling that stands in most files counts.
    const own = totals.get(key) ?? 0;
    const having = own > 0 ? own : Math.max(0, ...spelled.map(({ term }) => totals.get(term) ?? 0));
    return having === 0 ? [] : [[key, having] as const];
  });
  return { repos: best, spreads: new Map(known) };
}

type SpelledWord = QueryTerm["spellings"][number];

/** The spellings of a term that are looked for: the word itself; of a Chinese one its translations, because code is rarely Chinese. */
function wordsOf({ key, spellings }: QueryTerm): readonly SpelledWord[] {
  return /\p{Script=Han}/u.test(key) ? spellings : [{ term: key, share: 1 }];
}

/** How many files have a term, by repository and term: a repository may have several segments. */
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
