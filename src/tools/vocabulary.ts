import type { NameFact, Vocabulary } from "../contract/tool.ts";
import type { Engine } from "../engine/engine.ts";
import type { OpenBudget } from "../engine/repository.ts";
import type { PieceVerdict } from "../engine/search/known.ts";

/**
 * What is known about the names in a query, as tools report it; a word that the query does not ask about is left out,
 * even if it is defined here.
 */
export function toNames(known: readonly PieceVerdict[]): NameFact[] {
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
 * What a repository knows about the words of a question. Contract: makes the same query as a search, so that the search
 * that follows finds its answer cached; never throws for anything that a repository can contain.
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
