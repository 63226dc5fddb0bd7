import * as z from "zod/mini";
import { once } from "../base/once.ts";
import { roundTo } from "../base/round-to.ts";
import { sliceWhole } from "../base/text.ts";
import { countOf } from "../contract/count-of.ts";
import { type Outcome, succeed } from "../contract/faults.ts";
import { LIMITS, type Limit } from "../contract/limits.ts";
import { type Clues, defineTool, type ToolAnswer, type ToolDeclaration } from "../contract/tool.ts";
import { TOOL_FAULTS } from "../contract/tool-faults.ts";
import type { Engine } from "../engine/engine.ts";
import { suggestSymbols } from "../engine/find-symbol.ts";
import type { Repository } from "../engine/repository.ts";
import type { PieceVerdict } from "../engine/search/known.ts";
import { kindOf } from "../engine/search/query-kind.ts";
import { sayCoverage, sayMeaning, toSource } from "./coverage.ts";
import { placeHits } from "./places.ts";
import { repoNames, type SearchData, SearchInput, SearchOutput, toSearchFindings } from "./search-data.ts";
import { addFromTeam, searchTeam, type TeamSearch } from "./team-search.ts";
import { toNames } from "./vocabulary.ts";

const Input = once(() =>
  z.extend(SearchInput(), {
    team: z._default(z.boolean().check(z.describe("Search all repositories of the team instead")), false),
    repos: repoNames("In these repositories of the team instead"),
  }),
);

/** `ci_search`: finds places that answer a question or define a symbol, here or in the repositories of a team. */
export function searchTool(engine: Engine, team: TeamSearch | null): ToolDeclaration {
  return defineTool({
    name: "ci_search",
    summary: "Find code by question, text or symbol. Returns file, line, symbol and why it matches.",
    tier: 1,
    effect: "read",
    version: "1.0",
    timeoutMs: 2_000,
    input: Input,
    output: SearchOutput,
    ceilings: { limit: 10 },
    requestable: { LIMIT: "limit", MODE: "mode" },
    plan: (clues) => ({
      args: { query: toPlannedQuery(clues), limit: 10, mode: toMode(clues) },
      reason: toReason(clues),
    }),
    run: async ({ query, limit, mode, team: isAll, repos }, context): Promise<Outcome<ToolAnswer<SearchData>>> => {
      const { root, signal, origin } = context;
      if (isAll || repos.length > 0)
        return team === null
          ? TOOL_FAULTS.noTeam("ci_search")
          : searchTeam(team, { query, limit, mode, repos }, root, signal);
      const leftAtStart = context.timeLeftMs();
      const elsewhere = addFromTeam(origin === "auto" ? team : null, { query, limit, mode }, root, signal);
      const repository = await engine.open(root, { ...context, query });
      const options = { limit, mode, isRestrained: origin === "auto" };
      const answer = await engine.answer(root, repository, query, options, context);
      const { kind, hits, confidence, grade, known, meaning } = answer;
      const pattern = { pattern: query, likely: hits.map(({ file }) => file), limit };
      const matched = kind === "pattern" ? await engine.findPattern(root, repository, pattern, context) : null;
      const weighed = matched?.length ? matched : await engine.weighRecency(root, hits, context);
      const candidates = placeHits(repository, weighed).map(({ path, hit: _, ...place }, rank) => ({
        file: path,
        ...place,
        score: roundTo(confidence * (1 - STEP * rank), 3),
      }));
      const others = await elsewhere;
      const source = toSource(repository.coverage);
      return succeed({
        summary: `${countOf(candidates.length, "hit")} in ${countOf(repository.coverage.files, "file")}`,
        data: {
          schema_version: "1.0",
          query,
          grade,
          names: toNames(known),
          source,
          model: meaning === null || meaning.compared === 0 ? null : meaning.model || "local",
          candidates: [
            ...candidates.map((candidate) => ({ ...candidate, source })),
            ...others.candidates.map((candidate) => ({ ...candidate, source: "team" })),
          ],
          warnings: [],
          metadata: {
            provider: source,
            kind,
            confidence,
            files: repository.coverage.files,
            latency_ms: Math.round(leftAtStart - context.timeLeftMs()),
          },
        },
        limits: [
          ...sayCoverage(repository.coverage),
          ...sayMeaning(meaning),
          ...sayNearest(repository, known),
          ...others.limits,
        ],
      });
    },
    toFindings: toSearchFindings,
  });
}

const MOST_NEAREST = 3;

/** Suggestions for names in the question that do not occur in this repository. */
function sayNearest(repository: Repository, known: readonly PieceVerdict[]): Limit[] {
  return known.flatMap(({ said, files, definitions }) => {
    if (said.name === null || files + definitions > 0 || said.how === "token") return [];
    const nearest = suggestSymbols(repository, said.name).slice(0, MOST_NEAREST);
    return nearest.length === 0 ? [] : [LIMITS.nameNotHere(said.name, nearest)];
  });
}

/** Confidence decrement per rank: a whole page stays above places that are only related to it. */
const STEP = 0.04;

function toMode({ symbols }: Clues): "semantic" | "keyword" {
  return symbols.length > 0 ? "keyword" : "semantic";
}

function toReason({ symbols, asked, paths, error }: Clues): string {
  if (error !== "") return "finds where the error text comes from";
  const named = [...new Set([...symbols, ...asked])];
  if (named.length > 0) return `finds ${named.slice(0, 3).join(", ")}`;
  if (paths.length > 0) return `finds what ${paths.slice(0, 2).join(", ")} is about`;
  return "finds the places that the question is about";
}

const MAX_CHARS = 8_000;

/**
 * The query for a prompt: the text of an issue alone; otherwise an error and the prompt's text; otherwise the names
 * that it refers to and its text. All tools that search use the same query, so that it is answered only once.
 */
export function toPlannedQuery({ query, symbols, paths, error }: Clues): string {
  if (kindOf(query) === "issue") return sliceWhole(query, MAX_CHARS);
  if (error !== "") return sliceWhole(`${error} ${query}`, MAX_CHARS);
  // The referents of a follow-up ("it") come from earlier prompts; names that the prompt contains are not repeated.
  const meant = [...symbols, ...paths].filter((name) => !query.includes(name));
  return sliceWhole([...meant, query].join(" "), MAX_CHARS);
}
