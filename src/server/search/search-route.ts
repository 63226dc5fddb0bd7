import type * as z from "zod/mini";
import { tellHit } from "../../engine/tell-hit.ts";
import { type TeamAnswer, TeamQuestion } from "../../team/shared-index.ts";
import type { Holder, Transaction } from "../database.ts";
import { hasGrant } from "../repos.ts";
import { type Route, takeMessage } from "../routes.ts";
import { answerAcross } from "./answer-across.ts";
import { listSearched, readByIndex } from "./searched-repo.ts";

/** Maximum size of a question with all its parameters. */
const MAX_QUESTION_BYTES = 256 * 1024;

/** Answers a question over the repositories that a token may read. */
export const teamSearch: Route = {
  template: "/v1/search",
  maxBytes: MAX_QUESTION_BYTES,
  // One snapshot: publishing removes the data of the previous state.
  isOneLook: true,
  methods: {
    POST: ({ body, holder, transaction }) =>
      takeMessage(TeamQuestion, body, async (question) => ({
        status: 200,
        body: await searchRepos(transaction, holder, question),
      })),
  },
};

/**
 * Answers a question over those of the named repositories that the holder may read. Contract: a repository that the
 * holder may not read is treated as one that does not exist; neither affects counts, weights or timing.
 */
export async function searchRepos(
  transaction: Transaction,
  holder: Holder,
  { query, limit, mode, repos: named, own }: z.infer<typeof TeamQuestion>,
): Promise<z.infer<typeof TeamAnswer>> {
  await readByIndex(transaction);
  const isAll = named.length === 0;
  const wanted = new Set(named);
  const seen = (await listSearched(transaction, isAll ? null : [...named, ...(own === null ? [] : [own])])).filter(
    ({ name }) => hasGrant(holder.read, name),
  );
  const repos = seen.filter(({ name }) => isAll || wanted.has(name));
  const names = new Set(repos.map(({ name }) => name));
  const asker = seen.find(({ name }) => name === own) ?? null;
  const { hits, kind, confidence, grade } = await answerAcross(transaction, repos, { query, limit, mode, own: asker });
  return {
    grade,
    kind,
    confidence,
    repos: repos.length,
    files: repos.reduce((sum, { files }) => sum + files, 0),
    unknown: named.filter((name) => !names.has(name)),
    candidates: hits.map(({ repo, hit, lines }) => {
      const { line, endLine, symbol, summary, reason } = tellHit(hit, { lines, isCurrent: true, symbols: () => [] });
      return { repo, file: hit.file, line, end_line: endLine, symbol, summary, score: hit.confidence, reason };
    }),
  };
}
