import * as z from "zod/mini";

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
