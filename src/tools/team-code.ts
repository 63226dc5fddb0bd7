import * as z from "zod/mini";
import { type Outcome, succeed } from "../contract/faults.ts";
import { LIMITS } from "../contract/limits.ts";
import type { ToolAnswer, ToolContext, ToolDeclaration } from "../contract/tool.ts";
import type { CodeEngine } from "../engine/engine.ts";
import { bugLocateTool } from "./bug-locate.ts";
import { callChainTool } from "./call-chain.ts";
import { complexityTool } from "./complexity.ts";
import { graphRagTool } from "./graph-rag.ts";
import { impactTool } from "./impact.ts";
import { text } from "./places.ts";

/** The repositories of a team, as the code tools access them. */
export interface TeamCode {
  /** Identifies opened repositories by name, in place of a root. */
  readonly engine: CodeEngine;
  /** Opens a repository; a fault if it does not exist for the caller. */
  readonly open: (repo: string) => Promise<Outcome<void>>;
  /** True if a question found data missing; its answer may change once that is fetched. */
  readonly isWanting: (repo: string) => boolean;
  /** Fetches that data. */
  readonly fetchMissing: (repo: string) => Promise<Outcome<void>>;
  /** True if a question needed more data than is fetched. */
  readonly isCut: (repo: string) => boolean;
}

/** Maximum number of times a call is repeated: each step along a path needs other data. */
const MOST_ROUNDS = 60;
/** No more data is fetched once so little time is left. */
const RESERVE_MS = 500;
const TIMEOUT_MS = 10_000;

/**
 * The code tools, each for one of a team's repositories. Excludes tools for the user's own files and tools that need
 * history, which a server does not have.
 */
export function teamCodeTools(team: TeamCode): readonly ToolDeclaration[] {
  const { engine } = team;
  const tools = [
    graphRagTool(engine),
    callChainTool(engine),
    bugLocateTool(engine),
    impactTool(engine),
    complexityTool(engine),
  ];
  return tools.map((tool) => inRepo(tool, team));
}

/** Wraps a tool so that it runs in a named repository. */
function inRepo(tool: ToolDeclaration, team: TeamCode): ToolDeclaration {
  const { output } = tool;
  return {
    ...tool,
    timeoutMs: TIMEOUT_MS,
    input: () => z.extend(tool.input(), { repo: text(100, "Repository of your team") }),
    ...(output === undefined ? {} : { output: () => z.extend(output(), { repo: z.string() }) }),
    plan: () => null,
    run: async ({ repo, ...input }, context) => {
      const opened = await team.open(String(repo));
      return opened.ok ? askAgain(tool, team, input, { ...context, root: String(repo) }) : opened;
    },
  };
}

/** Repeats the call until no data is missing. Reports a limit if data is still missing at the end. */
async function askAgain(
  { name, run }: ToolDeclaration,
  team: TeamCode,
  input: Readonly<Record<string, unknown>>,
  context: ToolContext,
): Promise<Outcome<ToolAnswer>> {
  const repo = context.root;
  for (let round = 1; ; round++) {
    const answer = await run(input, context);
    const isWanting = team.isWanting(repo);
    if (isWanting && round < MOST_ROUNDS && context.timeLeftMs() >= RESERVE_MS) {
      const fetched = await team.fetchMissing(repo);
      if (!fetched.ok) return fetched;
      continue;
    }
    if (!answer.ok) return answer;
    const { summary, data, limits = [] } = answer.value;
    const told = { ...answer.value, summary: `${repo}: ${summary}`, data: { repo, ...data } };
    const isCut = isWanting || team.isCut(repo);
    return succeed({ ...told, limits: isCut ? [...limits, LIMITS.lookCut(name)] : limits });
  }
}
