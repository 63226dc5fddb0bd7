import * as z from "zod/mini";
import { toIsoSeconds } from "../base/clock.ts";
import { once } from "../base/once.ts";
import { toTable } from "../base/text.ts";
import { countOf } from "../contract/count-of.ts";
import { succeed } from "../contract/faults.ts";
import { LIMITS } from "../contract/limits.ts";
import { defineTool, type ToolContext, type ToolDeclaration } from "../contract/tool.ts";
import type { Engine } from "../engine/engine.ts";
import { type Churn, countChurn } from "../engine/history/churn.ts";
import type { Repository } from "../engine/repository.ts";
import { sayCoverage } from "./coverage.ts";
import { codeBelow, resolveScope, sumComplexity } from "./measured.ts";
import { count, text, toFinding } from "./places.ts";

const NAME = "ci_hotspot";

const Input = once(() =>
  z.object({
    top: count(200, 20, "Maximum files"),
    days: count(3_650, 30, "Days to count, back from the newest commit"),
    format: z._default(z.enum(["text", "json"]), "json"),
    path: z.optional(text(1_000, "Only this file or folder")),
  }),
);

const Output = once(() =>
  z.object({
    hotspots: z.array(
      z.object({
        file: z.string(),
        score: z.number(),
        commits: z.number(),
        authors: z.number(),
        complexity: z.number(),
        trend: z.string(),
      }),
    ),
    text: z.optional(z.string()),
  }),
);

/** Time reserved for reporting the findings. */
const RESERVE_MS = 200;

interface Hotspot {
  readonly file: string;
  readonly score: number;
  readonly commits: number;
  readonly authors: number;
  readonly complexity: number;
  readonly trend: Churn["trend"] | "unknown";
  /** ISO 8601; null if no change is known. */
  readonly last_change: string | null;
}

/** `ci_hotspot`: finds files that change often and are complex. */
export function hotspotTool(engine: Engine): ToolDeclaration {
  return defineTool({
    name: NAME,
    summary: "List the files that change most and are most complex, with the trend of each.",
    tier: 2,
    effect: "read",
    version: "1.0",
    timeoutMs: 2_000,
    input: Input,
    output: Output,
    ceilings: { days: 30, top: 20 },
    intents: ["debug", "refactor"],
    wishes: ["hotspots"],
    plan: () => ({ args: { top: 20, days: 30, format: "json" }, reason: "shows where changes pile up" }),
    run: async ({ top, days, format, path }, context) => {
      const scope = path === undefined ? null : resolveScope(NAME, engine, path, context);
      if (scope !== null && !scope.ok) return scope;
      const repository = await engine.open(context.root, context);
      const window = await engine.window(context.root, days, context);
      const files = codeBelow(repository, scope?.value ?? "");
      const churn = window === null ? null : countChurn(window);
      const { hotspots, isCut } = await findHotspots(engine, repository, context, files, churn);
      const shown = hotspots.slice(0, top);
      return succeed({
        summary: `${countOf(shown.length, "hotspot")}${churn === null ? "" : ` in ${days} days`}`,
        data: {
          schema_version: "1.0",
          hotspots: shown,
          ...(format === "json" ? {} : { format, text: toText(shown) }),
          metadata: {
            days,
            from: window === null ? null : toIsoSeconds(window.fromMs),
            until: window === null ? null : toIsoSeconds(window.untilMs),
          },
        },
        limits: [
          ...sayCoverage(repository.coverage),
          ...(window === null ? [LIMITS.noHistory(NAME)] : []),
          ...(window?.isCut ? [LIMITS.historyCut(NAME)] : []),
          ...(isCut ? [LIMITS.lookCut(NAME)] : []),
        ],
      });
    },
    toFindings: ({ hotspots }) =>
      hotspots.map((own) =>
        toFinding({ path: own.file, score: own.score, summary: summarise(own), reason: "changes × complexity" }),
      ),
  });
}

/**
 * Ranks files by commits × complexity, or by complexity alone if no history is known. Files without functions are not
 * hotspots.
 */
async function findHotspots(
  engine: Engine,
  repository: Repository,
  { root, timeLeftMs }: ToolContext,
  files: readonly string[],
  churn: ReadonlyMap<string, Churn> | null,
): Promise<{ readonly hotspots: Hotspot[]; readonly isCut: boolean }> {
  const commitsOf = (file: string) => churn?.get(file)?.commits ?? 0;
  // If time runs out, the files that change most have already been examined.
  const changed = churn === null ? files : files.filter((file) => commitsOf(file) > 0);
  const inOrder = changed.toSorted((a, b) => commitsOf(b) - commitsOf(a));
  const hotspots: Hotspot[] = [];
  let isCut = false;
  for (const file of inOrder) {
    isCut = timeLeftMs() < RESERVE_MS;
    if (isCut) break;
    const complexity = sumComplexity((await engine.symbolsOf(root, repository, file)) ?? []);
    const own = churn?.get(file);
    if (complexity === 0) continue;
    hotspots.push({
      file,
      score: complexity * (own?.commits ?? 1),
      commits: own?.commits ?? 0,
      authors: own?.authors ?? 0,
      complexity,
      trend: own?.trend ?? "unknown",
      last_change: own === undefined ? null : toIsoSeconds(own.lastAtMs),
    });
  }
  hotspots.sort((a, b) => b.score - a.score || (a.file < b.file ? -1 : 1));
  return { hotspots, isCut };
}

function toText(hotspots: readonly Hotspot[]): string {
  const rows = hotspots.map(({ file, score, commits, authors, complexity, trend, last_change: changed }) => {
    return [score, commits, authors, complexity, trend, changed?.slice(0, 10) ?? "-", file];
  });
  return toTable([["score", "commits", "authors", "complexity", "trend", "changed", "file"], ...rows]);
}

function summarise({ commits, authors, complexity, trend }: Hotspot): string {
  const said = [
    commits > 0 ? `${countOf(commits, "commit")} by ${countOf(authors, "author")}` : "",
    `complexity ${complexity}`,
    trend === "unknown" ? "" : trend,
  ];
  return said.filter(Boolean).join(", ");
}
