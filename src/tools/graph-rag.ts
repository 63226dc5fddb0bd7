import * as z from "zod/mini";
import { once } from "../base/once.ts";
import { readFrame } from "../base/question-frame.ts";
import { countOf } from "../contract/count-of.ts";
import { succeed } from "../contract/faults.ts";
import { defineTool, type ToolDeclaration } from "../contract/tool.ts";
import type { CodeEngine } from "../engine/engine.ts";
import { keyOf, nodeAt } from "../engine/graph/code-graph.ts";
import { expand, type Neighbour } from "../engine/graph/neighbours.ts";
import type { Repository } from "../engine/repository.ts";
import type { Hit } from "../engine/search/answer.ts";
import { StoredGraph } from "../engine/stored-graph.ts";
import { findUses } from "../engine/uses.ts";
import { findAsked } from "./asked-relations.ts";
import { placeOfNode } from "./call-graph.ts";
import { sayCoverage, toSource } from "./coverage.ts";
import { count, placeHits, type ToldPlace, text, toFinding } from "./places.ts";
import { toPlannedQuery } from "./search.ts";

const Input = once(() =>
  z.object({
    query: text(20_000, "Question or symbol to start from"),
    depth: count(5, 2, "Steps along the graph"),
    top_k: count(50, 10, "Maximum places"),
    token_budget: z._default(
      z.number().check(z.int(), z.gte(100), z.lte(32_000), z.describe("Maximum tokens of code")),
      8_000,
    ),
    format: z._default(z.enum(["json"]), "json"),
  }),
);

const Output = once(() =>
  z.object({
    token_count: z.number(),
    subgraph: z.object({
      nodes: z.array(z.object({ id: z.string(), file_path: z.string(), depth: z.number() })),
      edges: z.array(z.object({ from: z.string(), to: z.string(), kind: z.string() })),
    }),
    candidates: z.array(
      z.object({
        file_path: z.string(),
        line: z.number(),
        symbol: z.string(),
        summary: z.string(),
        relevance_score: z.number(),
        distance: z.number(),
        reason: z.string(),
      }),
    ),
  }),
);

/** Approximate number of characters of code per token. */
const CHARS_PER_TOKEN = 4;
const CHARS_PER_LINE = 40;
const SEEDS = 5;

/** `ci_graph_rag`: finds places around the best hits and their relation to them. */
export function graphRagTool(engine: CodeEngine): ToolDeclaration {
  return defineTool({
    name: "ci_graph_rag",
    summary:
      "Find code around a question's best hits: callers, callees, bases, uses and tests, each with its relation.",
    tier: 1,
    effect: "read",
    version: "1.0",
    timeoutMs: 3_500,
    input: Input,
    output: Output,
    ceilings: { depth: 2, top_k: 10, token_budget: 8_000 },
    aliases: { budget: "token_budget" },
    requestable: { DEPTH: "depth", TOP_K: "top_k", BUDGET: "token_budget" },
    plan: (clues) => ({
      args: {
        query: toPlannedQuery(clues),
        depth: 2,
        top_k: 10,
        token_budget: 8_000,
        format: "json",
      },
      reason:
        clues.symbols.length > 0
          ? `shows what uses ${clues.symbols.slice(0, 2).join(", ")}`
          : "shows what the hits are tied to",
    }),
    run: async ({ query, depth, top_k, token_budget }, context) => {
      const repository = await engine.open(context.root, { ...context, query });
      const options = { limit: top_k, mode: "semantic", isRestrained: context.origin === "auto" } as const;
      const { hits, known, grade } = await engine.answer(context.root, repository, query, options, context);
      const isLate = () => context.timeLeftMs() < RESERVE_MS;
      const graph = new StoredGraph(repository, isLate);
      const seeds = hits.slice(0, SEEDS).map((hit) => ({ ...hit, distance: 0, tie: null }));
      const asked = findAsked(repository, graph, readFrame(query).wish, known, top_k);
      // The surroundings of a guess would be a guess about a guess.
      const around =
        grade === "guess" ? [] : asked.length > 0 ? asked : findAround(repository, graph, hits, { depth, topK: top_k });
      const kept = pruneToBudget(placeHits(repository, [...seeds, ...around]).map(toCandidate), token_budget);
      const ids = new Map(kept.map(({ place }, at) => [place, `n${at + 1}`]));
      const tied = kept.filter(({ candidate }) => candidate.distance > 0);
      return succeed({
        summary: `${countOf(tied.length, "place")} tied to ${countOf(kept.length - tied.length, "hit")}`,
        data: {
          schema_version: "1.0",
          source: "graph-rag",
          token_count: kept.reduce((sum, { tokens }) => sum + tokens, 0),
          subgraph: {
            nodes: kept.map(({ place, candidate: { file_path, relevance_score, distance } }) => ({
              id: ids.get(place),
              file_path,
              relevance_score,
              depth: distance,
            })),
            edges: tied.flatMap(({ place, tie }) => {
              const to = ids.get(tie?.to ?? "");
              return to === undefined ? [] : [{ from: ids.get(place), to, kind: tie?.relation }];
            }),
          },
          // Seeds are ci_search's hits; listing them again would cost lines and add nothing.
          candidates: tied.map(({ candidate }) => candidate),
          metadata: { provider: toSource(repository.coverage), graph_depth: depth },
        },
        limits: sayCoverage(repository.coverage),
      });
    },
    toFindings: ({ candidates }) =>
      candidates.map(({ file_path, relevance_score, ...place }) =>
        toFinding({ path: file_path, score: relevance_score, ...place }),
      ),
  });
}

/** Time reserved for reporting the findings. */
const RESERVE_MS = 200;

/** A place related to a hit. */
export interface Tied extends Hit {
  readonly distance: number;
  /** The relation and the place at its other end; null for a hit itself. */
  readonly tie: { readonly relation: string; readonly to: string } | null;
}

interface AroundOptions {
  readonly depth: number;
  readonly topK: number;
}

/** Callees, callers, base types and textual uses of the best hits, without the hits themselves. */
function findAround(
  repository: Repository,
  graph: StoredGraph,
  hits: readonly Hit[],
  { depth, topK }: AroundOptions,
): Tied[] {
  const { index } = repository;
  const seeds = hits.slice(0, SEEDS).flatMap((hit) => {
    const file = index.fileAt(hit.file);
    if (file === undefined) return [];
    const node = hit.definition === null ? { file, symbol: null } : nodeAt(graph, file, hit.line);
    return [{ node, score: hit.confidence }];
  });
  const neighbours = expand(graph, seeds, { depth, maxNodes: topK * 3 }).filter(({ distance }) => distance > 0);
  const tied = weighRepeats(neighbours).map((neighbour) => toTied(graph, neighbour));
  const uses = tied.length >= topK ? [] : hits.slice(0, SEEDS).flatMap((hit) => usesOf(repository, hit));
  const seen = new Set(hits.map(({ file, line }) => `${file}:${line}`));
  return [...tied, ...uses]
    .filter(({ file, line }) => {
      const isNew = !seen.has(`${file}:${line}`);
      seen.add(`${file}:${line}`);
      return isNew;
    })
    .slice(0, topK);
}

/** Factor applied for each earlier place related to the same hit. */
const REPEATED = 0.8;

/** Reduces the score of repeated relations: ten members of one type say little more than three. */
function weighRepeats(neighbours: readonly Neighbour[]): Neighbour[] {
  const seen = new Map<string, number>();
  return neighbours
    .map((neighbour) => {
      const before = seen.get(keyOf(neighbour.of)) ?? 0;
      seen.set(keyOf(neighbour.of), before + 1);
      return { ...neighbour, score: neighbour.score * REPEATED ** before };
    })
    .sort((a, b) => b.score - a.score);
}

/** Wording of a relation from the side of the place that was found. */
const TOLD: Readonly<Record<Neighbour["relation"], string>> = {
  seed: "is",
  calls: "called by",
  "called by": "calls",
  extends: "base of",
  "extended by": "extends",
  "member of": "contains",
  "has member": "part of",
};

function toTied(graph: StoredGraph, { node, score, distance, relation, of }: Neighbour): Tied {
  const symbol = node.symbol === null ? undefined : graph.symbols(node.file)[node.symbol];
  const name = graph.nameOf(of);
  return {
    file: graph.path(node.file),
    line: symbol?.startLine ?? 1,
    endLine: symbol?.endLine ?? 1,
    definition: symbol === undefined ? null : graph.nameOf(node),
    score,
    confidence: score,
    reason: `${TOLD[relation]} ${name}`,
    distance,
    tie: { relation, to: placeOfNode(graph, of) },
  };
}

/** Share of the hit's score for a place that only names it. */
const USE_SHARE = { use: 0.5, test: 0.4, mention: 0.3 } as const;
const USE_TOLD = { use: "uses", test: "test of", mention: "mentions" } as const;
const MOST_USES = 4;

/** Places that name a hit's definition: the fallback for code whose calls are not known. */
function usesOf({ index }: Repository, { file: path, line: at, definition, confidence }: Hit): Tied[] {
  const name = definition?.split(".").at(-1);
  const definedIn = index.fileAt(path);
  if (name === undefined || definedIn === undefined) return [];
  return findUses(index, name, definedIn)
    .slice(0, MOST_USES)
    .map(({ file, line, inside, kind }) => ({
      file: index.pathOf(file),
      line: inside?.line ?? line,
      endLine: inside?.endLine ?? line,
      definition: inside?.qualified ?? null,
      score: confidence * USE_SHARE[kind],
      confidence: confidence * USE_SHARE[kind],
      reason: `${USE_TOLD[kind]} ${definition}`,
      distance: 1,
      tie: { relation: USE_TOLD[kind], to: `${path}:${at}` },
    }));
}

function toCandidate({ path, score, hit: { distance, tie }, ...place }: ToldPlace & { readonly hit: Tied }) {
  const tokens = Math.ceil(((place.end_line - place.line + 1) * CHARS_PER_LINE) / CHARS_PER_TOKEN);
  return {
    place: `${path}:${place.line}`,
    tie,
    tokens,
    candidate: {
      file_path: path,
      ...place,
      relevance_score: score,
      fusion_score: score,
      distance,
      hotspot: false,
      priority: 0,
      tokens,
    },
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
