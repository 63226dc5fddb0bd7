import * as z from "zod/mini";
import { once } from "../base/once.ts";
import { countOf, sliceWhole } from "../base/text.ts";
import { succeed } from "../contract/faults.ts";
import { LIMITS } from "../contract/limits.ts";
import type { ToolDeclaration } from "../contract/tool.ts";
import type { Engine } from "../engine/engine.ts";
import { locateBug } from "../engine/locate-bug.ts";
import type { Repository } from "../engine/repository.ts";
import type { Hit } from "../engine/search/answer.ts";
import { openCallGraph } from "./call-graph.ts";
import { toCandidateFindings } from "./candidates.ts";
import { sayCoverage, toSource } from "./coverage.ts";
import { Place, placeHits } from "./places.ts";

const NAME = "ci_bug_locate";

const MAX_CHARS = 20_000;
const MAX_CANDIDATES = 20;

const Input = once(() =>
  z.object({
    error: z
      .string()
      .check(z.minLength(1), z.maxLength(MAX_CHARS), z.describe("Error, stack trace or the text of an issue")),
  }),
);

const Output = once(() => z.object({ candidates: z.array(Place()), functions: z.array(Place()) }));

/** `ci_bug_locate`: where an error comes from. */
export function bugLocateTool(engine: Engine): ToolDeclaration {
  return {
    name: NAME,
    summary: "Rank the files and functions where an error most likely comes from, with the evidence for each.",
    tier: 2,
    effect: "read",
    version: "1.0",
    timeoutMs: 3_000,
    input: Input,
    output: Output,
    ceilings: {},
    intents: ["debug"],
    plan: ({ error, query }) => ({
      args: { error: sliceWhole(error || query, MAX_CHARS) },
      reason: error === "" ? "locates what the report describes" : "locates the error and its stack frames",
    }),
    run: async (input, context) => {
      const { error } = Input().parse(input);
      const { root } = context;
      const opened = await openCallGraph(NAME, engine, context);
      const repository = opened.ok ? opened.value.repository : await engine.open(root, context);
      const history = await engine.history(root, context);
      const located = await locateBug(
        {
          repository,
          graph: opened.ok ? opened.value.graph : null,
          commitsOf: history?.commitsOf ?? (() => []),
          weighRecency: (hits) => engine.weighRecency(root, hits, context),
        },
        error,
        MAX_CANDIDATES,
      );
      const candidates = tellHits(repository, root, located.files);
      const functions = tellHits(repository, root, located.functions);
      const isWithoutCalls = !opened.ok && repository.coverage.isIndexed;
      return succeed({
        summary: `${countOf(candidates.length, "file")} and ${countOf(functions.length, "function")}`,
        data: {
          schema_version: "1.0",
          candidates,
          functions,
          metadata: { provider: toSource(repository.coverage), has_history: history !== null, has_calls: opened.ok },
        },
        limits: opened.ok
          ? opened.value.limits
          : [...sayCoverage(repository.coverage), ...(isWithoutCalls ? [LIMITS.callsPartial()] : [])],
      });
    },
    toFindings: ({ candidates, functions }) => {
      if (!Array.isArray(candidates)) return null;
      // A file's line is that of its best function; the others of it come after.
      return toCandidateFindings({ candidates: [...candidates, ...(Array.isArray(functions) ? functions : [])] });
    },
  };
}

function tellHits(repository: Repository, root: string, hits: readonly Hit[]) {
  return placeHits(repository, root, hits).map(({ path, ...place }) => ({
    file: path,
    ...place,
    evidence: place.reason.split("; "),
  }));
}
