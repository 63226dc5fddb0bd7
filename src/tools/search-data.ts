import * as z from "zod/mini";
import { once } from "../base/once.ts";
import type { Grade, NameFact, ToolFinding } from "../contract/tool.ts";
import { CandidatePlace, count, type ToldPlace, text, toFinding } from "./places.ts";

/** Input schema shared by all searches. */
export const SearchInput = once(() =>
  z.object({
    query: text(20_000, "Question, text, symbol or path fragment"),
    limit: count(50, 10, "Maximum hits"),
    mode: z._default(
      z.enum(["semantic", "keyword"]).check(z.describe("semantic = a question; keyword = names")),
      "semantic",
    ),
  }),
);

/** Schema of an input that names repositories of a team. */
export function repoNames(about: string) {
  return z._default(
    z.array(z.string().check(z.minLength(1), z.maxLength(100))).check(z.maxLength(100), z.describe(about)),
    [],
  );
}

/** Output schema shared by all searches. */
export const SearchOutput = once(() =>
  z.object({ source: z.string(), candidates: z.array(z.extend(CandidatePlace(), { repo: z.optional(z.string()) })) }),
);

/** The data of a search, local or in a team's repositories. */
export interface SearchData extends Record<string, unknown> {
  readonly grade: Grade;
  readonly names: readonly NameFact[];
  readonly source: string;
  /** Best first; candidates from another repository name it. */
  readonly candidates: readonly (Omit<ToldPlace, "path"> & {
    readonly file: string;
    readonly repo?: string;
    readonly source: string;
  })[];
}

/** Converts candidates to findings; a path in another repository is prefixed with its name. */
export function toSearchFindings({ candidates }: SearchData): ToolFinding[] {
  return candidates.map(({ file, repo, ...place }) =>
    toFinding({ path: repo === undefined ? file : `${repo}:${file}`, ...place }),
  );
}
