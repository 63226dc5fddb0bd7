import * as z from "zod/mini";
import { once } from "../base/once.ts";
import { sliceWhole } from "../base/text.ts";
import { succeed } from "../contract/faults.ts";
import { LIMITS } from "../contract/limits.ts";
import type { Clues, ToolDeclaration } from "../contract/tool.ts";
import type { LiveEngine } from "../engine/live/live-engine.ts";
import { toCandidateFindings } from "./candidates.ts";

const Input = once(() =>
  z.object({
    query: z.string().check(z.minLength(1), z.maxLength(4_000), z.describe("Question, text, symbol or path fragment")),
    limit: z._default(z.number().check(z.int(), z.gte(1), z.lte(50), z.describe("Most hits to return")), 10),
    mode: z._default(
      z.enum(["semantic", "keyword"]).check(z.describe("semantic = a question; keyword = names")),
      "semantic",
    ),
  }),
);

/** `ci_search`: places that answer a question or name a symbol. */
export function searchTool(engine: LiveEngine): ToolDeclaration {
  return {
    name: "ci_search",
    summary: "Find code by question, text or symbol. Returns file, line, symbol and why it matches.",
    tier: 1,
    effect: "read",
    version: "1.0",
    timeoutMs: 2_000,
    input: Input,
    ceilings: { limit: 10 },
    requestable: { LIMIT: "limit", MODE: "mode" },
    plan: (clues) => ({ args: { query: toQuery(clues), limit: 10, mode: toMode(clues) }, reason: toReason(clues) }),
    run: async (input, context) => {
      const { query, limit, mode } = Input().parse(input);
      const leftAtStart = context.timeLeftMs();
      const { hits, scan, partial } = await engine.search(context.root, { query, mode, limit }, context);
      const candidates = hits.map((hit) => ({
        file: hit.file.path,
        line: hit.line,
        end_line: hit.endLine,
        symbol: hit.symbol,
        summary: hit.summary,
        score: hit.score,
        reason: hit.reason,
        source: "live-scan",
      }));
      return succeed({
        summary: `${candidates.length} hit${candidates.length === 1 ? "" : "s"} in ${scan.files.length} files`,
        data: {
          schema_version: "1.0",
          query,
          source: "live-scan",
          model: null,
          candidates,
          warnings: partial === "" ? [] : [`partial: ${partial}`],
          metadata: {
            provider: "live-scan",
            files: scan.files.length,
            latency_ms: Math.round(leftAtStart - context.timeLeftMs()),
          },
        },
        limits: partial === "" ? [] : [LIMITS.scanPartial(scan.files.length, partial)],
      });
    },
    toFindings: (data) => toCandidateFindings(data),
  };
}

/** Most characters of a planned query. */
const MAX_QUERY_CHARS = 2_000;

/** Names and errors say exactly what is meant; without them the whole question has to do. */
function toQuery({ query, symbols, paths, error }: Clues): string {
  if (error !== "") return sliceWhole(`${error} ${query}`, MAX_QUERY_CHARS);
  return sliceWhole([...symbols, ...paths, query].join(" "), MAX_QUERY_CHARS).trim();
}

function toMode({ symbols }: Clues): "semantic" | "keyword" {
  return symbols.length > 0 ? "keyword" : "semantic";
}

function toReason({ symbols, paths, error }: Clues): string {
  if (error !== "") return "finds where the error text comes from";
  if (symbols.length > 0) return `finds ${symbols.slice(0, 3).join(", ")}`;
  if (paths.length > 0) return `finds what ${paths.slice(0, 2).join(", ")} is about`;
  return "finds the places that the question is about";
}
