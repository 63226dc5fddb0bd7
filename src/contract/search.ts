import * as z from "zod/mini";

/** Maximum length in UTF-16 units of a question to a team's server; the same as for prompts. */
export const MAX_TEAM_QUERY_CHARS = 8_000;

/** Makes the schema of a place that a search reports. */
export function makeCandidatePlace() {
  return z.object({
    file: z.string(),
    line: z.number(),
    end_line: z.number(),
    symbol: z.string(),
    summary: z.string(),
    score: z.number(),
    reason: z.string(),
  });
}
