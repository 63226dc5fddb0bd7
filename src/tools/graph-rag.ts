import * as z from "zod/mini";
import { once } from "../base/once.ts";
import { sliceWhole } from "../base/text.ts";
import { succeed } from "../contract/faults.ts";
import { LIMITS } from "../contract/limits.ts";
import type { ToolDeclaration } from "../contract/tool.ts";
import type { LiveEngine } from "../engine/live/live-engine.ts";
import type { Hit } from "../engine/live/rank.ts";
import type { Relation } from "../engine/live/relations.ts";
import { toCandidateFindings } from "./candidates.ts";

const Input = once(() =>
  z.object({
    query: z.string().check(z.minLength(1), z.maxLength(4_000), z.describe("Question or symbol to start from")),
    depth: z._default(z.number().check(z.int(), z.gte(1), z.lte(5), z.describe("Steps along the graph")), 2),
    top_k: z._default(z.number().check(z.int(), z.gte(1), z.lte(50), z.describe("Most places to return")), 10),
    token_budget: z._default(
      z.number().check(z.int(), z.gte(100), z.lte(32_000), z.describe("Most tokens of code")),
      8_000,
    ),
    format: z._default(z.enum(["json"]), "json"),
  }),
);

/** Characters of code per token, roughly. */
const CHARS_PER_TOKEN = 4;

/** `ci_graph_rag`: places around the best hits, and how they are tied to them. */
export function graphRagTool(engine: LiveEngine): ToolDeclaration {
  return {
    name: "ci_graph_rag",
    summary: "Find code around a question's best hits: callers, tests and mentions, each with its relation.",
    tier: 1,
    effect: "read",
    version: "1.0",
    timeoutMs: 3_500,
    input: Input,
    ceilings: { depth: 2, top_k: 10, token_budget: 8_000 },
    aliases: { budget: "token_budget" },
    requestable: { DEPTH: "depth", TOP_K: "top_k", BUDGET: "token_budget" },
    plan: ({ query, symbols }) => ({
      args: {
        query: sliceWhole([...symbols, query].join(" "), 2_000).trim(),
        depth: 2,
        top_k: 10,
        token_budget: 8_000,
        format: "json",
      },
      reason:
        symbols.length > 0 ? `shows what uses ${symbols.slice(0, 2).join(", ")}` : "shows what the hits are tied to",
    }),
    run: async (input, context) => {
      const { query, depth, top_k, token_budget } = Input().parse(input);
      const question = { query, mode: "semantic", limit: top_k } as const;
      const { scan, relations, hits, partial } = await engine.relate(context.root, question, depth, context);
      const candidates = pruneToBudget(
        [...hits.map(toSeed), ...relations.map(toCandidate)].slice(0, top_k * 2),
        token_budget,
      );
      return succeed({
        summary: `${relations.length} places tied to ${hits.slice(0, 5).length} hits`,
        data: {
          schema_version: "1.0",
          source: "graph-rag",
          token_count: candidates.reduce((sum, { tokens }) => sum + tokens, 0),
          subgraph: {
            nodes: candidates.map(({ file_path, symbol, relevance_score, distance }) => ({
              id: `${file_path}#${symbol}`,
              file_path,
              relevance_score,
              depth: distance,
            })),
            edges: relations.map(({ file, symbol, of, ofPath, kind }) => ({
              from: `${file.path}#${symbol}`,
              to: `${ofPath}#${of}`,
              kind,
            })),
          },
          // Seeds are ci_search's hits; listing them again would cost lines and say nothing.
          candidates: candidates.filter(({ distance }) => distance > 0),
          metadata: { provider: "live-scan", graph_depth: depth },
        },
        limits: partial === "" ? [] : [LIMITS.scanPartial(scan.files.length, partial)],
      });
    },
    toFindings: (data) => toCandidateFindings(data),
  };
}

function toSeed(hit: Hit) {
  return { ...place(hit), relevance_score: hit.score, fusion_score: hit.score, distance: 0, reason: hit.reason };
}

function toCandidate(relation: Relation) {
  const { score, depth, kind, of } = relation;
  return {
    ...place(relation),
    relevance_score: score,
    fusion_score: score,
    distance: depth,
    reason: `${kind} of ${of}`,
  };
}

function place({ file, line, endLine, symbol, summary }: Hit | Relation) {
  const length = file.text
    .split("\n")
    .slice(line - 1, endLine)
    .join("\n").length;
  return {
    file_path: file.path,
    line,
    end_line: endLine,
    symbol,
    summary,
    hotspot: false,
    priority: 0,
    tokens: Math.ceil(length / CHARS_PER_TOKEN),
  };
}

function pruneToBudget<T extends { readonly tokens: number }>(items: readonly T[], budget: number): T[] {
  let left = budget;
  return items.filter(({ tokens }) => {
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
}
