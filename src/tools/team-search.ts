import * as z from "zod/mini";
import { once } from "../base/once.ts";
import { sliceWhole } from "../base/text.ts";
import { countOf } from "../contract/count-of.ts";
import { type Outcome, succeed } from "../contract/faults.ts";
import { LIMITS, type Limit } from "../contract/limits.ts";
import { MAX_TEAM_QUERY_CHARS } from "../contract/search.ts";
import { defineTool, type Grade, type ToolAnswer, type ToolDeclaration } from "../contract/tool.ts";
import type { ToldPlace } from "./places.ts";
import { repoNames, type SearchData, SearchInput, SearchOutput, toSearchFindings } from "./search-data.ts";

interface TeamQuery {
  readonly query: string;
  readonly limit: number;
  readonly mode: "semantic" | "keyword";
  /** Names of repositories; if empty, all that the caller may read. */
  readonly repos: readonly string[];
  /** Name of the repository that the question comes from, if the caller knows it. */
  readonly own?: string | null | undefined;
}

interface PlaceThere extends Omit<ToldPlace, "path"> {
  readonly repo: string;
  readonly file: string;
}

interface TeamAnswer {
  readonly grade: Grade;
  readonly kind: string;
  readonly confidence: number;
  readonly repos: number;
  readonly files: number;
  readonly unknown: readonly string[];
  readonly candidates: readonly PlaceThere[];
}

/** A team server, as tools query it. */
export interface TeamSearch {
  /** Empty if the query does not leave the answering machine. */
  readonly url: string;
  /** Repositories also used to answer prompts; null for none, empty for all. */
  readonly inPrompts: readonly string[] | null;
  /** `root` is the repository that the question comes from. */
  readonly ask: (question: TeamQuery, root: string, signal: AbortSignal) => Promise<Outcome<TeamAnswer>>;
}

/** Answers a question from the team's repositories alone, in the format of a local answer. */
export async function searchTeam(
  team: TeamSearch,
  question: TeamQuery,
  root: string,
  signal: AbortSignal,
): Promise<Outcome<ToolAnswer<SearchData>>> {
  const query = sliceWhole(question.query, MAX_TEAM_QUERY_CHARS);
  const asked = await team.ask({ ...question, query }, root, signal);
  if (!asked.ok) return asked;
  const { candidates, unknown, grade, kind, confidence, repos, files } = asked.value;
  const source = "team";
  return succeed({
    summary: `${countOf(candidates.length, "hit")} in ${repos === 1 ? "1 repository" : `${repos} repositories`} of the team`,
    data: {
      schema_version: "1.0",
      query: question.query,
      grade,
      names: [],
      source,
      model: null,
      candidates: candidates.map((candidate) => ({ ...candidate, source })),
      warnings: [],
      metadata: { provider: source, kind, confidence, repos, files },
    },
    limits: [
      ...(team.url === "" ? [] : [LIMITS.teamAsked(team.url)]),
      ...(query === question.query ? [] : [LIMITS.promptCut(MAX_TEAM_QUERY_CHARS)]),
      ...sayUnknown(unknown),
    ],
  });
}

const TeamInput = once(() =>
  z.extend(SearchInput(), {
    repos: repoNames("Only these repositories"),
    own: z.optional(z.string().check(z.maxLength(100), z.describe("The repository that you work in"))),
  }),
);

/** `ci_search` for callers whose only repositories are those of the team. */
export function teamSearchTool(team: TeamSearch): ToolDeclaration {
  return defineTool({
    name: "ci_search",
    summary:
      "Find code in your team's repositories by question, text or symbol. Returns repository, file, line, symbol and why.",
    tier: 1,
    effect: "read",
    version: "1.0",
    timeoutMs: 10_000,
    input: TeamInput,
    output: SearchOutput,
    ceilings: {},
    plan: () => null,
    run: (question, { root, signal }) => searchTeam(team, question, root, signal),
    toFindings: toSearchFindings,
  });
}

/**
 * Places from the team's repositories that are added to a prompt's own: only sure ones. Contract: any failure becomes a
 * limit.
 */
export async function addFromTeam(
  team: TeamSearch | null,
  question: Omit<TeamQuery, "repos">,
  root: string,
  signal: AbortSignal,
): Promise<{ readonly candidates: readonly PlaceThere[]; readonly limits: readonly Limit[] }> {
  if (team === null || team.inPrompts === null) return { candidates: [], limits: [] };
  const asked = await team.ask({ ...question, repos: team.inPrompts }, root, signal);
  if (!asked.ok) return { candidates: [], limits: [LIMITS.teamSilent(asked.fault.message)] };
  const { grade, candidates, unknown } = asked.value;
  return {
    candidates: grade === "sure" ? candidates.slice(0, MOST_IN_PROMPTS) : [],
    limits: [LIMITS.teamAsked(team.url), ...sayUnknown(unknown)],
  };
}

/** Maximum number of places from other repositories in a prompt, after its own. */
const MOST_IN_PROMPTS = 3;

function sayUnknown(names: readonly string[]): Limit[] {
  return names.length === 0 ? [] : [LIMITS.teamUnknown(names.join(", "))];
}
