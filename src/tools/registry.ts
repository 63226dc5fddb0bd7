import type { ToolDeclaration } from "../contract/tool.ts";
import type { LiveEngine } from "../engine/live/live-engine.ts";
import { bugLocateTool, callChainTool, complexityTool, hotspotTool, impactTool } from "./deep.ts";
import { graphRagTool } from "./graph-rag.ts";
import { indexStatusTool } from "./index-status.ts";
import { searchTool } from "./search.ts";

/** Every built-in tool, in the order in which plans list them. Adding a tool is one file and one line here. */
export function makeRegistry(engine: LiveEngine): readonly ToolDeclaration[] {
  return [
    indexStatusTool(engine),
    searchTool(engine),
    graphRagTool(engine),
    callChainTool,
    bugLocateTool,
    impactTool,
    complexityTool,
    hotspotTool,
  ];
}
