// The domains of repositories, derived from the questions that the benchmark asks about each.

const toWords = (text) => text.toLowerCase().match(/[a-z]{3,}/g) ?? [];

/** Words of each repository's questions as a vector of length 1; rarer words weigh more. */
function toVectors(tasks) {
  const counts = new Map();
  for (const { repo, query } of tasks) {
    const own = counts.get(repo) ?? new Map();
    for (const word of toWords(query)) own.set(word, (own.get(word) ?? 0) + 1);
    counts.set(repo, own);
  }
  const having = new Map();
  for (const own of counts.values()) for (const word of own.keys()) having.set(word, (having.get(word) ?? 0) + 1);
  const weigh = ([word, count]) => [word, (1 + Math.log(count)) * Math.log(counts.size / having.get(word))];
  return new Map(
    [...counts].map(([repo, own]) => {
      const weighed = [...own].map(weigh);
      const length = Math.hypot(...weighed.map(([, weight]) => weight)) || 1;
      return [repo, new Map(weighed.map(([word, weight]) => [word, weight / length]))];
    }),
  );
}

/**
 * For each repository, the repositories of other domains: the half of the others whose questions share the fewest words
 * with its own. Contract: depends only on the tasks; sorted by name.
 */
export function findStrangers(tasks) {
  const vectors = toVectors(tasks);
  const likeness = (one, other) => {
    let sum = 0;
    for (const [word, weight] of vectors.get(one)) sum += weight * (vectors.get(other).get(word) ?? 0);
    return sum;
  };
  const repos = [...vectors.keys()].sort();
  return new Map(
    repos.map((repo) => {
      const others = repos.filter((other) => other !== repo);
      const byLikeness = others.toSorted((a, b) => likeness(repo, a) - likeness(repo, b));
      return [repo, byLikeness.slice(0, Math.floor(others.length / 2)).sort()];
    }),
  );
}
