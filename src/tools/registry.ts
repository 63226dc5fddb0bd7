import type { ToolDeclaration } from "../contract/tool.ts";
import type { Engine } from "../engine/engine.ts";
import { askUserTool } from "./ask-user.ts";
import { bugLocateTool } from "./bug-locate.ts";
import { callChainTool } from "./call-chain.ts";
import { complexityTool } from "./complexity.ts";
import { graphRagTool } from "./graph-rag.ts";
import { hotspotTool } from "./hotspot.ts";
import { impactTool } from "./impact.ts";
import { indexStatusTool, indexTool } from "./index-status.ts";
import { investigateTool, type ModelSettings } from "./investigate.ts";
import { searchTool } from "./search.ts";
import type { TeamSearch } from "./team-search.ts";

/**
 * Every built-in tool, in the order in which plans list them. Adding a tool takes one file and one line here. `model`
 * is the user's model that leads investigations; entry points that only run plans need none. `team` is the server that
 * knows other repositories.
 */
export function makeRegistry(
  engine: Engine,
  model: ModelSettings | null = null,
  team: TeamSearch | null = null,
): readonly ToolDeclaration[] {
  const tools = [
    indexStatusTool(engine),
    searchTool(engine, team),
    graphRagTool(engine),
    callChainTool(engine),
    bugLocateTool(engine),
    impactTool(engine),
    complexityTool(engine),
    hotspotTool(engine),
  ];
  return [...tools, investigateTool(tools, model), indexTool(engine), askUserTool()];
}
