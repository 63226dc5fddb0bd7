import type { ToolDeclaration } from "../contract/tool.ts";
import type { Engine } from "../engine/engine.ts";
import { askUserTool } from "./ask-user.ts";
import { bugLocateTool } from "./bug-locate.ts";
import { callChainTool } from "./call-chain.ts";
import { complexityTool } from "./complexity.ts";
import { graphRagTool } from "./graph-rag.ts";
import { hotspotTool } from "./hotspot.ts";
import { impactTool } from "./impact.ts";
import { indexStatusTool } from "./index-status.ts";
import { searchTool } from "./search.ts";

/** Every built-in tool, in the order in which plans list them. Adding a tool is one file and one line here. */
export function makeRegistry(engine: Engine): readonly ToolDeclaration[] {
  return [
    indexStatusTool(engine),
    searchTool(engine),
    graphRagTool(engine),
    callChainTool(engine),
    bugLocateTool(engine),
    impactTool(engine),
    complexityTool(engine),
    hotspotTool(engine),
    askUserTool(),
  ];
}
