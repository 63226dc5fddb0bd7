import * as z from "zod/mini";
import { succeed } from "../contract/faults.ts";
import type { ToolDeclaration } from "../contract/tool.ts";
import type { LiveEngine } from "../engine/live/live-engine.ts";

/** `ci_index_status`: whether there is an index, and what the project is. */
export function indexStatusTool(engine: LiveEngine): ToolDeclaration {
  return {
    name: "ci_index_status",
    summary: "Tell whether the repository is indexed and what kind of project it is.",
    tier: 0,
    effect: "read",
    version: "1.0",
    timeoutMs: 500,
    input: () => z.object({}),
    ceilings: {},
    plan: () => ({ args: {}, reason: "says how fresh the other answers are" }),
    run: async (_input, context) => {
      const { name, techStack } = engine.project(context.root);
      return succeed({
        summary: "no index; answers come from a live scan of the files",
        data: {
          schema_version: "1.0",
          index_status: "none (live scan)",
          project_profile: { name, tech_stack: techStack },
        },
      });
    },
    // A status is no finding: it stands in the sources line and in current_state.
    toFindings: (data) => (typeof data["index_status"] === "string" ? [] : null),
  };
}
