import type { NameFact, Vocabulary } from "../contract/tool.ts";
import type { Engine } from "../engine/engine.ts";
import type { OpenBudget } from "../engine/repository.ts";
import type { Verdict } from "../engine/search/known.ts";

/** What is known of the names in a query, as tools tell it; a word that nobody asks about is none, whatever is defined here. */
export function toNames(known: readonly Verdict[]): NameFact[] {
  return known
    .filter(({ said }) => said.how !== "plain")
    .map(({ said, definitions, definedAt, files, of }) => ({
      text: said.text,
      definitions,
      defined_at: definedAt,
      files,
      of,
    }));
}

/**
 * What a repository knows of the words of a question. Contract: asks what a search asks, so that the search that follows
 * has its answer already; never throws for anything that a repository can be.
 */
export async function readVocabulary(
  engine: Engine,
  root: string,
  query: string,
  budget: OpenBudget,
): Promise<Vocabulary> {
  const repository = await engine.open(root, { ...budget, query });
  const { known, grade, confidence } = repository.answer(query, { limit: 10, mode: "semantic", isRestrained: true });
  return { names: toNames(known), grade, confidence };
}
