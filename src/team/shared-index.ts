import * as z from "zod/mini";
import { MAX_TEAM_QUERY_CHARS, makeCandidatePlace } from "../contract/search.ts";
import { GraphMessage, SharedGraph } from "./shared-code.ts";
import { base64, list, MOST_LINES, short, wholeNumber } from "./shared-shapes.ts";

/** Maximum number of files of a segment. */
const MOST_FILES = 500_000;
/** Maximum size of one message in bytes. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** Maximum length of a file's text in characters. */
const MOST_TEXT_CHARS = 1024 * 1024;

/** Name of a segment: a hash of its files and their texts. */
const name = () => z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** The files of a segment; `numbers` holds the columns of `engine/store/catalogue.ts`. */
export const SegmentMessage = z.strictObject({
  name: name(),
  paths: list(short(), MOST_FILES),
  removed: list(short(), MOST_FILES),
  numbers: base64(),
});

/** Postings of some terms of a segment: each term with its packed positions. */
export const PostingsMessage = z.strictObject({
  segment: name(),
  rows: list(z.tuple([short(), base64()]), 50_000),
});

/** A packed definition: name, qualified name or 0, kind, first and last line. */
const Definition = z.tuple([
  short(),
  z.union([short(), z.literal(0)]),
  z.enum(["type", "function", "value"]),
  wholeNumber(MOST_LINES),
  wholeNumber(MOST_LINES),
]);

/** Definitions and redacted texts of some files of a segment, by slot. */
export const FilesMessage = z.strictObject({
  segment: name(),
  files: list(z.tuple([wholeNumber(MOST_FILES), list(Definition, 50_000), short(MOST_TEXT_CHARS)]), 50_000),
});

/** New state of a repository: the segments of a commit, oldest first, and its relations to other repositories. */
export const StateMessage = z.strictObject({
  commit: z.string().check(z.regex(/^[0-9a-f]{40,64}$/)),
  segments: list(name(), 1_000),
  /** Names of the packages that the repository provides, and of those that it declares as dependencies. */
  provides: list(short(200), 2_000),
  needs: list(short(200), 20_000),
  /** Its call graph; absent if the publisher does not send it. */
  graph: z.optional(GraphMessage),
});

/**
 * State that the server has of a repository, and the complete segments. Older servers omit the graph and accept none.
 */
export const SharedState = z.object({
  commit: z.nullable(z.string()),
  segments: z.array(z.string()),
  graph: z.optional(SharedGraph),
});
/** Type of a parsed `SharedState`. */
export type SharedState = z.infer<typeof SharedState>;

/** A question across repositories. */
export const TeamQuestion = z.strictObject({
  query: short(MAX_TEAM_QUERY_CHARS).check(z.minLength(1)),
  limit: z._default(z.number().check(z.int(), z.gte(1), z.lte(50)), 10),
  mode: z._default(z.enum(["semantic", "keyword"]), "semantic"),
  /** Names of the repositories to search; if empty, all that the token may read. */
  repos: z._default(list(short(100), 1_000), []),
  /** The repository in which the question is asked. */
  own: z._default(z.nullable(short(100)), null),
});

/** A place in one of the repositories. */
const TeamPlace = z.object({ repo: z.string(), ...makeCandidatePlace().shape });

/** An answer across repositories. */
export const TeamAnswer = z.object({
  grade: z.enum(["sure", "guess", "none"]),
  kind: z.string(),
  confidence: z.number(),
  /** Numbers of repositories and files that were searched. */
  repos: z.number(),
  files: z.number(),
  /** Requested names that do not exist or that the token may not read. */
  unknown: z.array(z.string()),
  candidates: z.array(TeamPlace),
});
