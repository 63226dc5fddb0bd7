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

/** The repositories of a team, as tools ask them that tell of code. */
export interface TeamCode {
  /** Knows repositories by their names, which stand for their roots, once they are opened. */
  readonly engine: CodeEngine;
  /** Opens a repository; a fault if it is not there for whoever asks. */
  readonly open: (repo: string) => Promise<Outcome<void>>;
  /** Brings what a question asked for in vain. Returns whether that was anything: then its answer may be another one. */
  readonly fetchMissing: (repo: string) => Promise<Outcome<boolean>>;
  /** Whether a question asked for more than is brought. */
  readonly isCut: (repo: string) => boolean;
}

/** A call is asked again so often at most: along each step of a way something else is needed. */
const MOST_ROUNDS = 60;
/** Nothing more is brought when so little time is left. */
const RESERVE_MS = 500;
const TIMEOUT_MS = 10_000;

/**
 * The tools that tell of code, each in one of the repositories of a team. Those that are about the user's own files are not among them, nor
 * those that need history, which a server does not have.
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

/** The same tool, asked in a repository that is named. */
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

/** Asks until nothing was missing. What was missing at the end is said. */
async function askAgain(
  { name, run }: ToolDeclaration,
  team: TeamCode,
  input: Readonly<Record<string, unknown>>,
  context: ToolContext,
): Promise<Outcome<ToolAnswer>> {
  const repo = context.root;
  for (let round = 1; ; round++) {
    const answer = await run(input, context);
    const isLast = round === MOST_ROUNDS || context.timeLeftMs() < RESERVE_MS;
    const fetched = isLast ? succeed(false) : await team.fetchMissing(repo);
    if (!fetched.ok) return fetched;
    if (fetched.value) continue;
    if (!answer.ok) return answer;
    const { summary, data, limits = [] } = answer.value;
    const told = { ...answer.value, summary: `${repo}: ${summary}`, data: { repo, ...data } };
    const isCut = isLast || team.isCut(repo);
    return succeed({ ...told, limits: isCut ? [...limits, LIMITS.lookCut(name)] : limits });
  }
}
