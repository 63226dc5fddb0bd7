import * as z from "zod/mini";
import { once } from "../base/once.ts";
import { succeed } from "../contract/faults.ts";
import { defineTool, type ToolDeclaration } from "../contract/tool.ts";
import { count, text, toFinding } from "./places.ts";

const NAME = "ci_investigate";
const MAX_CHARS = 20_000;

const Input = once(() =>
  z.object({
    question: text(MAX_CHARS, "Question, error or issue"),
    max_steps: count(20, 8, "Maximum tool calls"),
  }),
);

const Output = once(() =>
  z.object({
    conclusion: z.string(),
    candidates: z.array(z.object({ file: z.string(), score: z.number() })),
    steps: z.array(z.object({ tool: z.string(), status: z.string(), why: z.string() })),
  }),
);

/** The user's language model that leads investigations. */
export interface ModelSettings {
  /** Address of the server: https, or on this machine; with or without the path of its API. */
  readonly endpoint: string;
  readonly api: "openai" | "anthropic";
  readonly model: string;
  /** Empty if the server needs none. */
  readonly key: string;
}

/** `ci_investigate`: a bounded investigation that calls other tools, either by rules or led by the user's model. */
export function investigateTool(others: readonly ToolDeclaration[], model: ModelSettings | null): ToolDeclaration {
  // Tools of tier 0 say nothing about code, and one of them can clear the index.
  const tools = others.filter(({ effect, tier }) => effect === "read" && tier > 0);
  return defineTool({
    name: NAME,
    summary: "Investigate a question or bug in several steps. Returns ranked files and functions, why, and each step.",
    tier: 2,
    effect: "read",
    version: "1.0",
    timeoutMs: 30_000,
    input: Input,
    output: Output,
    ceilings: {},
    // Only on request: it makes several calls, each of which a plan could make itself.
    plan: () => null,
    run: async ({ question, max_steps }, context) => {
      // A bundle of its own, because hooks never need it.
      const { investigate } = await import("./investigation.ts");
      return succeed(await investigate({ question, maxSteps: max_steps, tools, model, context }));
    },
    toFindings: ({ candidates }) => candidates.map(({ file, ...place }) => toFinding({ path: file, ...place })),
  });
}
