import * as z from "zod/mini";
import { once } from "../base/once.ts";
import { toTable } from "../base/text.ts";
import { countOf } from "../contract/count-of.ts";
import { succeed } from "../contract/faults.ts";
import { LIMITS } from "../contract/limits.ts";
import { defineTool, type ToolDeclaration } from "../contract/tool.ts";
import { TOOL_FAULTS } from "../contract/tool-faults.ts";
import type { CodeEngine } from "../engine/engine.ts";
import { sayCoverage } from "./coverage.ts";
import { codeBelow, type MeasuredFunction, measureFunctions, resolveScope } from "./measured.ts";
import { text, toFinding } from "./places.ts";

const NAME = "ci_complexity";

const Input = once(() =>
  z.object({
    path: text(1_000, "File or folder"),
    format: z._default(z.enum(["text", "json"]), "json"),
  }),
);

const Output = once(() =>
  z.object({
    complexity: z.number(),
    functions: z.array(
      z.object({
        file: z.string(),
        line: z.number(),
        symbol: z.string(),
        cyclomatic: z.number(),
        cognitive: z.number(),
      }),
    ),
    text: z.optional(z.string()),
  }),
);

const MAX_SHOWN = 200;
/** Score decrement per rank, so small that a requested measurement ranks above the other findings. */
const STEP = 0.01;
/** Time reserved for reporting the measurements. */
const RESERVE_MS = 150;

/** `ci_complexity`: measures the complexity of a file's functions. */
export function complexityTool(engine: CodeEngine): ToolDeclaration {
  return defineTool({
    name: NAME,
    summary: "Measure cyclomatic and cognitive complexity of each function in a file.",
    tier: 2,
    effect: "read",
    version: "1.0",
    timeoutMs: 1_000,
    input: Input,
    output: Output,
    ceilings: {},
    intents: ["refactor", "test"],
    wishes: ["complexity"],
    plan: ({ paths }) =>
      paths[0] === undefined ? null : { args: { path: paths[0], format: "json" }, reason: `measures ${paths[0]}` },
    run: async ({ path: written, format }, context) => {
      const scope = resolveScope(NAME, engine, written, context);
      if (!scope.ok) return scope;
      const repository = await engine.open(context.root, context);
      const files = codeBelow(repository, scope.value);
      const functions: MeasuredFunction[] = [];
      let measured = 0;
      for (const file of files) {
        // At least one file is always measured: a caller who names a file waits for it.
        if (measured > 0 && context.timeLeftMs() < RESERVE_MS) break;
        functions.push(...measureFunctions(file, (await engine.symbolsOf(context.root, repository, file)) ?? []));
        measured++;
      }
      if (functions.length === 0) return TOOL_FAULTS.noFunctions(NAME, written);
      const ranked = files.length === 1 ? functions : functions.toSorted(byComplexity);
      const shown = ranked.slice(0, MAX_SHOWN);
      const total = functions.reduce((sum, { cyclomatic }) => sum + cyclomatic, 0);
      const [most] = functions.toSorted(byComplexity);
      return succeed({
        summary: `${countOf(functions.length, "function")}, cyclomatic ${total} in all, most in ${most?.symbol} (${most?.cyclomatic})`,
        data: {
          schema_version: "1.0",
          path: scope.value === "" ? "." : scope.value,
          complexity: total,
          functions: shown,
          ...(format === "json" ? {} : { format, text: toText(shown, total) }),
          metadata: { files: measured, functions: functions.length },
        },
        limits: [
          // Data about a single file was read from that file directly, not from the index.
          ...(files.length === 1 ? [] : sayCoverage(repository.coverage)),
          ...(measured < files.length ? [LIMITS.lookCut(NAME)] : []),
          ...(shown.length < functions.length ? [LIMITS.moreThanShown(NAME, shown.length)] : []),
        ],
      });
    },
    toFindings: ({ functions }) =>
      functions
        .toSorted((a, b) => b.cyclomatic - a.cyclomatic)
        .map(({ file, cyclomatic, cognitive, ...place }, rank) =>
          toFinding({
            ...place,
            path: file,
            score: Math.max(0, 1 - STEP * rank),
            summary: `cyclomatic ${cyclomatic}, cognitive ${cognitive}`,
            reason: "complexity",
          }),
        ),
  });
}

function byComplexity(a: MeasuredFunction, b: MeasuredFunction): number {
  return b.cyclomatic - a.cyclomatic || b.cognitive - a.cognitive;
}

function toText(functions: readonly MeasuredFunction[], total: number): string {
  const rows = functions.map(({ file, line, symbol, cyclomatic, cognitive }) => [
    cyclomatic,
    cognitive,
    `${file}:${line}`,
    symbol,
  ]);
  return `${toTable([["cyclomatic", "cognitive", "place", "function"], ...rows])}\n\ncyclomatic ${total} in all`;
}
