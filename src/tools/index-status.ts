import * as z from "zod/mini";
import { toIsoSeconds } from "../base/clock.ts";
import { once } from "../base/once.ts";
import { countOf } from "../contract/count-of.ts";
import { succeed } from "../contract/faults.ts";
import { LIMITS } from "../contract/limits.ts";
import { defineTool, type ToolDeclaration } from "../contract/tool.ts";
import type { Engine } from "../engine/engine.ts";
import type { IndexState } from "../engine/store/index-store.ts";

const MAX_COMMITS = 5;
/** Number of digits that identify a commit to git. */
const ID_DIGITS = 12;

const Input = once(() =>
  z.object({
    action: z.optional(z.enum(["status"], { error: "this tool only reports; ci_index takes build and clear" })),
  }),
);

const IndexInput = once(() =>
  z.object({ action: z.enum(["build", "clear"]).check(z.describe("bring the index up to date, or remove it")) }),
);

const IndexOutput = once(() => z.object({ index_status: z.string() }));

const Output = once(() =>
  z.object({
    index_status: z.string(),
    project_profile: z.object({ name: z.string(), tech_stack: z.array(z.string()) }),
    recent_commits: z.array(z.object({ id: z.string(), time: z.string(), author: z.string(), subject: z.string() })),
  }),
);

/** `ci_index_status`: reports whether there is an index, what the project is and which commits are the latest. */
export function indexStatusTool(engine: Engine): ToolDeclaration {
  return defineTool({
    name: "ci_index_status",
    summary: "Report whether the repository is indexed, what kind of project it is and what its last commits are.",
    tier: 0,
    effect: "read",
    version: "1.0",
    timeoutMs: 500,
    input: Input,
    output: Output,
    ceilings: {},
    resource: "index",
    plan: () => ({ args: {}, reason: "says how fresh the other answers are" }),
    run: async (_input, context) => {
      const { name, techStack } = engine.project(context.root);
      const commits = await engine.recentCommits(context.root, context);
      const state = engine.indexState(context.root, context);
      const damage = engine.indexDamage(context.root, context);
      const isBehind = state?.phase === "done" && !engine.isCurrent(context.root, context);
      const status = isBehind
        ? `behind (${countOf(state.files, "file")}, changes still to come)`
        : sayStatus(state, damage);
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
    // A status is not a finding: it appears in the sources line and in current_state.
    toFindings: () => [],
  });
}

/** `ci_index`: builds or removes the index. Never automatic, and not available to sub-agents, because it writes. */
export function indexTool(engine: Engine): ToolDeclaration {
  return defineTool({
    name: "ci_index",
    summary: "Build the repository's index or bring it up to date (build), or remove it (clear).",
    tier: 2,
    effect: "write",
    writesFor: ["mcp"],
    version: "1.0",
    timeoutMs: 60_000,
    input: IndexInput,
    output: IndexOutput,
    ceilings: {},
    resource: "index",
    plan: () => null,
    run: async ({ action }, context) => {
      const tell = (status: string) =>
        succeed({ summary: status, data: { schema_version: "1.0", index_status: status } });
      if (action === "clear") {
        engine.clear(context.root);
        return tell("cleared");
      }
      const built = await engine.build(context.root, context);
      if (!built.ok) return built;
      const state = engine.indexState(context.root, context);
      if (built.value) return tell(sayStatus(state, engine.indexDamage(context.root, context)));
      return tell(state === null ? "being built" : sayUnfinished(state));
    },
    toFindings: () => [],
  });
}

function sayStatus(state: IndexState | null, damage: string | null): string {
  if (state === null)
    return damage === null ? "none (live scan)" : `none (live scan; ${LIMITS.indexDamaged(damage).text})`;
  return state.phase === "done" ? `ready (${countOf(state.files, "file")}${sayMended(state)})` : sayUnfinished(state);
}

function sayUnfinished(state: IndexState): string {
  const { phase, files } = state;
  const missing = { text: "texts", code: "symbols and calls", graph: "calls", done: "changes" }[phase];
  return `being built (${countOf(files, "file")}, ${missing} still to come${sayMended(state)})`;
}

/** Why an index was rebuilt from scratch. */
function sayMended({ mended }: IndexState): string {
  return mended === undefined ? "" : `; rebuilt, because the previous one could not be read: ${mended}`;
}
