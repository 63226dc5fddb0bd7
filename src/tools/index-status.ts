import * as z from "zod/mini";
import { toIsoSeconds } from "../base/clock.ts";
import { succeed } from "../contract/faults.ts";
import type { ToolDeclaration } from "../contract/tool.ts";
import type { LiveEngine } from "../engine/live/live-engine.ts";

/** Commits that are told. */
const MAX_COMMITS = 5;
/** Digits of an id that git needs to find the commit again. */
const ID_DIGITS = 12;

/** `ci_index_status`: whether there is an index, what the project is and what was done last. */
export function indexStatusTool(engine: LiveEngine): ToolDeclaration {
  return {
    name: "ci_index_status",
    summary: "Tell whether the repository is indexed, what kind of project it is and what its last commits are.",
    tier: 0,
    effect: "read",
    version: "1.0",
    timeoutMs: 500,
    input: () => z.object({}),
    ceilings: {},
    plan: () => ({ args: {}, reason: "says how fresh the other answers are" }),
    run: async (_input, context) => {
      const { name, techStack } = engine.project(context.root);
      const commits = await engine.recentCommits(context.root, context);
      return succeed({
        summary: "no index; answers come from a live scan of the files",
        data: {
          schema_version: "1.0",
          index_status: "none (live scan)",
          project_profile: { name, tech_stack: techStack },
          recent_commits: commits.slice(0, MAX_COMMITS).map(({ id, atMs, author, subject }) => ({
            id: id.slice(0, ID_DIGITS),
            time: toIsoSeconds(atMs),
            author,
            subject,
          })),
        },
      });
    },
    // A status is no finding: it stands in the sources line and in current_state.
    toFindings: (data) => (typeof data["index_status"] === "string" ? [] : null),
  };
}
