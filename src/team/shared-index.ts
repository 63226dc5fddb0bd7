import * as z from "zod/mini";
import { MAX_TEAM_QUERY_CHARS } from "../contract/team-search.ts";
import { GraphMessage, SharedGraph } from "./shared-code.ts";
import { base64, MOST_LINES, short, whole } from "./shared-shapes.ts";

/** Most files that a segment has. */
const MOST_FILES = 500_000;
/** Most bytes of one message. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** Most characters of a file's text. */
const MOST_TEXT_CHARS = 1024 * 1024;

/** Name of a segment: a hash of which files it has, with which texts. */
const name = () => z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** The files of a segment; `numbers` are the columns of `engine/store/catalogue.ts`. */
export const SegmentMessage = z.strictObject({
  name: name(),
  paths: z.array(short()).check(z.maxLength(MOST_FILES)),
  removed: z.array(short()).check(z.maxLength(MOST_FILES)),
  numbers: base64(),
});

/** Postings of some terms of a segment: term and packed places. */
export const PostingsMessage = z.strictObject({
  segment: name(),
  rows: z.array(z.tuple([short(), base64()])).check(z.maxLength(50_000)),
});

/** A definition as it is packed: name, qualified name or 0, kind, lines. */
const Definition = z.tuple([
  short(),
  z.union([short(), z.literal(0)]),
  z.enum(["type", "function", "value"]),
  whole(MOST_LINES),
  whole(MOST_LINES),
]);

/** Definitions and redacted text of some files of a segment, by their slots. */
export const FilesMessage = z.strictObject({
  segment: name(),
  files: z
    .array(z.tuple([whole(MOST_FILES), z.array(Definition).check(z.maxLength(50_000)), short(MOST_TEXT_CHARS)]))
    .check(z.maxLength(50_000)),
});

/** What a repository is from now on: the segments of a commit, oldest first, and what it has to do with others. */
export const StateMessage = z.strictObject({
  commit: z.string().check(z.regex(/^[0-9a-f]{40,64}$/)),
  segments: z.array(name()).check(z.maxLength(1_000)),
  /** Names of the packages that the repository is, and of those that it declares as its dependencies. */
  provides: z.array(short(200)).check(z.maxLength(2_000)),
  needs: z.array(short(200)).check(z.maxLength(20_000)),
  /** What calls what in it; absent where the publisher does not tell. */
  graph: z.optional(GraphMessage),
});

/** What the server has of a repository: its state, and the segments that are complete. An older server says nothing of graphs, and takes none. */
export const SharedState = z.object({
  commit: z.nullable(z.string()),
  segments: z.array(z.string()),
  graph: z.optional(SharedGraph),
});
/** The same, as it is read. */
export type SharedState = z.infer<typeof SharedState>;

/** A question over repositories. */
export const TeamQuestion = z.strictObject({
  query: short(MAX_TEAM_QUERY_CHARS).check(z.minLength(1)),
  limit: z._default(z.number().check(z.int(), z.gte(1), z.lte(50)), 10),
  mode: z._default(z.enum(["semantic", "keyword"]), "semantic"),
  /** Names of repositories; all that may be read, if there are none. */
  repos: z._default(z.array(short(100)).check(z.maxLength(1_000)), []),
  /** The repository that the question is asked in. */
  own: z._default(z.nullable(short(100)), null),
});

/** A place in one of the repositories. */
const TeamPlace = z.object({
  repo: z.string(),
  file: z.string(),
  line: z.number(),
  end_line: z.number(),
  symbol: z.string(),
  summary: z.string(),
  score: z.number(),
  reason: z.string(),
});

/** An answer over repositories. */
export const TeamAnswer = z.object({
  grade: z.enum(["sure", "guess", "none"]),
  kind: z.string(),
  confidence: z.number(),
  /** Repositories and files that were searched. */
  repos: z.number(),
  files: z.number(),
  /** Names that were asked for and are not there, or not for this token. */
  unknown: z.array(z.string()),
  candidates: z.array(TeamPlace),
});
