import * as z from "zod/mini";
import { toIsoSeconds } from "../base/clock.ts";
import { once } from "../base/once.ts";
import { succeed } from "../contract/faults.ts";
import type { ToolDeclaration } from "../contract/tool.ts";
import type { Engine } from "../engine/engine.ts";
import type { IndexState } from "../engine/store/index-store.ts";

/** Commits that are told. */
const MAX_COMMITS = 5;
/** Digits of an id that git needs to find the commit again. */
const ID_DIGITS = 12;

const Input = once(() =>
  z.object({
    action: z.optional(
      z.enum(["status", "build", "clear"]).check(z.describe("what to do; without it only the status is told")),
    ),
  }),
);

const Output = once(() =>
  z.object({
    index_status: z.string(),
    project_profile: z.object({ name: z.string(), tech_stack: z.array(z.string()) }),
    recent_commits: z.array(z.object({ id: z.string(), time: z.string(), author: z.string(), subject: z.string() })),
  }),
);

/** `ci_index_status`: whether there is an index, what the project is and what was done last. */
export function indexStatusTool(engine: Engine): ToolDeclaration {
  return {
    name: "ci_index_status",
    summary: "Tell whether the repository is indexed, what kind of project it is and what its last commits are.",
    tier: 0,
    effect: "read",
    version: "1.0",
    timeoutMs: 500,
    input: Input,
    output: Output,
    ceilings: {},
    resource: "index",
    plan: () => ({ args: {}, reason: "says how fresh the other answers are" }),
    run: async (input, context) => {
      const { action = "status" } = Input().parse(input);
      const built = action === "build" ? await engine.build(context.root, context) : succeed(false);
      if (!built.ok) return built;
      if (action === "clear") engine.clear(context.root);
      const { name, techStack } = engine.project(context.root);
      const commits = await engine.recentCommits(context.root, context);
      const state = action === "clear" ? null : engine.indexState(context.root, context);
      const asked = built.value ? "status" : action;
      const isBehind = action === "status" && state?.phase === "done" && !engine.isCurrent(context.root, context);
      const status = isBehind ? `behind (${state.files} files, changes still to come)` : sayStatus(state, asked);
      return succeed({
        summary: status,
        data: {
          schema_version: "1.0",
          index_status: status,
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

function sayStatus(state: IndexState | null, action: "status" | "build" | "clear"): string {
  if (action === "clear") return "cleared";
  if (state === null) return action === "build" ? "being built" : "none (live scan)";
  const isDone = state.phase === "done" && action === "status";
  const missing = { text: "texts", code: "symbols and calls", graph: "calls", done: "changes" }[state.phase];
  return isDone ? `ready (${state.files} files)` : `being built (${state.files} files, ${missing} still to come)`;
}
