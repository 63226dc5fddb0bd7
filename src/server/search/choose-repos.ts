import type { Spread } from "../../engine/store/repository-index.ts";
import type { Transaction } from "../database.ts";
import type { SqlRow } from "../sql.ts";
import type { SearchedRepo } from "./searched-repo.ts";

/** So many repositories are searched whole; of more, those that the words of the question are at home in. */
export const MOST_SEARCHED = 32;
/** As for files: how soon more files with a word stop to count, and how far a repository's size counts against it. */
const SATURATION = { k1: 2, b: 0.5 };

/** Some of many repositories, and how common terms are in all of them. */
export interface ChosenRepos {
  readonly repos: readonly SearchedRepo[];
  readonly spreads: ReadonlyMap<string, Spread>;
}

/**
 * Chooses the repositories that are searched: by how many files have the rarest words of the question, as files are ranked by
 * their words; those in `kept` always. Contract: as deterministic as the rows.
 */
export async function chooseRepos(
  { rows }: Transaction,
  repos: readonly SearchedRepo[],
  terms: readonly string[],
  kept: ReadonlySet<number>,
): Promise<ChosenRepos> {
  // Added up here: grouping them in the database makes it read all words of a repository in their order.
  const found = await rows(
    "SELECT repo, term, spread FROM groundwork.postings WHERE repo = ANY ($1::int[]) AND term = ANY ($2::text[])",
    repos.map(({ id }) => id),
    terms,
  );
  const of = repos.reduce((sum, { files }) => sum + files, 0);
  const totals = new Map(terms.map((term) => [term, 0]));
  for (const { term, spread } of found) totals.set(String(term), (totals.get(String(term)) ?? 0) + Number(spread));
  const sizes = new Map(repos.map(({ id, files }) => [id, files]));
  const usual = of / Math.max(1, repos.length);
  const scores = new Map<number, number>();
  for (const [repo, spreads] of spreadsByRepo(found)) {
    const { k1, b } = SATURATION;
    const norm = k1 * (1 - b + (b * (sizes.get(repo) ?? 0)) / Math.max(1, usual));
    let score = 0;
    for (const [term, having] of spreads) {
      const total = totals.get(term) ?? 0;
      const rarity = Math.log(1 + (of - total + 0.5) / (total + 0.5));
      score += (rarity * having * (k1 + 1)) / (having + norm);
    }
    scores.set(repo, score);
  }
  const rankOf = ({ id }: SearchedRepo) => (kept.has(id) ? Number.POSITIVE_INFINITY : (scores.get(id) ?? 0));
  const best = repos
    .filter((repo) => rankOf(repo) > 0)
    .toSorted((one, other) => rankOf(other) - rankOf(one) || (one.name < other.name ? -1 : 1))
    .slice(0, MOST_SEARCHED);
  return {
    repos: best,
    spreads: new Map([...totals].filter(([, having]) => having > 0).map(([term, having]) => [term, { having, of }])),
  };
}

/** How many files have a term, by repository and term: a repository may have several segments. */
function spreadsByRepo(rows: readonly SqlRow[]): ReadonlyMap<number, ReadonlyMap<string, number>> {
  const found = new Map<number, Map<string, number>>();
  for (const row of rows) {
    const repo = Number(row["repo"]);
    const own = found.get(repo) ?? new Map<string, number>();
    own.set(String(row["term"]), (own.get(String(row["term"])) ?? 0) + Number(row["spread"]));
    found.set(repo, own);
  }
  return found;
}
