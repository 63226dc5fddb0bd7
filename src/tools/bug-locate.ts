import * as z from "zod/mini";
import { once } from "../base/once.ts";
import { sliceWhole } from "../base/text.ts";
import { countOf } from "../contract/count-of.ts";
import { succeed } from "../contract/faults.ts";
import { LIMITS } from "../contract/limits.ts";
import { defineTool, type ToolDeclaration } from "../contract/tool.ts";
import type { CodeEngine } from "../engine/engine.ts";
import { locateBug } from "../engine/locate-bug.ts";
import type { Repository } from "../engine/repository.ts";
import type { Hit } from "../engine/search/answer.ts";
import { openCallGraph } from "./call-graph.ts";
import { sayCoverage } from "./coverage.ts";
import { CandidatePlace, placeHits, text, toFinding } from "./places.ts";

const NAME = "ci_bug_locate";

const MAX_CHARS = 20_000;
const MAX_CANDIDATES = 20;

const Input = once(() =>
  z.object({
    error: text(MAX_CHARS, "Error, stack trace or the text of an issue"),
  }),
);

const Output = once(() =>
  z.object({
    candidates: z.array(
      z.extend(CandidatePlace(), { kind: z.enum(["file", "function"]), evidence: z.array(z.string()) }),
    ),
  }),
);

/** `ci_bug_locate`: finds where an error comes from. */
export function bugLocateTool(engine: CodeEngine): ToolDeclaration {
  return defineTool({
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
    run: async ({ error }, context) => {
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
      const files = tellHits(repository, located.files, "file");
      const functions = tellHits(repository, located.functions, "function");
      const isWithoutCalls = !opened.ok && repository.coverage.isIndexed;
      return succeed({
        summary: `${countOf(files.length, "file")} and ${countOf(functions.length, "function")}`,
        data: { schema_version: "1.0", candidates: [...files, ...functions] },
        limits: opened.ok
          ? opened.value.limits
          : [...sayCoverage(repository.coverage), ...(isWithoutCalls ? [LIMITS.callsPartial()] : [])],
      });
    },
    // The line of a file is that of its best function; the file's other functions follow.
    toFindings: ({ candidates }) => candidates.map(({ file, ...place }) => toFinding({ path: file, ...place })),
  });
}

function tellHits(repository: Repository, hits: readonly Hit[], kind: "file" | "function") {
  return placeHits(repository, hits).map(({ path, hit: _, ...place }) => ({
    kind,
    file: path,
    ...place,
    evidence: place.reason.split("; "),
  }));
}
