import { COLUMNS, unpackInts, unpackPaths } from "../../engine/store/catalogue.ts";
import { type DecodedPostings, readPostings } from "../../engine/store/postings.ts";
import { type SegmentReader, unpackDefinitions } from "../../engine/store/segment.ts";
import type { Transaction } from "../database.ts";
import type { SqlRow } from "../sql.ts";
import { makeNamed } from "./repo-name.ts";

/** Definitions and text of a file. */
interface FileRow {
  readonly outline: string;
  readonly lines: string;
}

/**
 * A segment whose rows are brought from the database as they are asked for. What it does not have yet is answered with
 * nothing and noted, to be brought by `fetchMissing`.
 */
export interface FetchedSegment extends SegmentReader {
  readonly id: number;
  readonly repo: number;
  /** The redacted text of a file; null if it is not here yet. */
  readonly textOf: (slot: number) => string | null;
  /** Slots of files that were asked for and are not here. */
  readonly missing: Set<number>;
  readonly postingsByTerm: Map<string, DecodedPostings>;
  readonly files: Map<number, FileRow>;
}

const NO_STATS = new Float64Array(0);
const NO_IDS = new Uint8Array(0);

/** Reads a row of `segments`. The name of its repository becomes the first folder of each path. */
export function toSegment(row: SqlRow, repo: string): FetchedSegment {
  const bytes = (name: string) => row[name] as Uint8Array;
  const postingsByTerm = new Map<string, DecodedPostings>();
  const files = new Map<number, FileRow>();
  const missing = new Set<number>();
  const paths = unpackPaths(bytes("paths"));
  const named = makeNamed(repo, paths);
  const place = (path: string) => `${repo}/${path}`;
  const find = (slot: number) => {
    const file = files.get(slot);
    if (file === undefined) missing.add(slot);
    return file;
  };
  return {
    id: Number(row["id"]),
    repo: Number(row["repo"]),
    catalogue: {
      paths: paths.map(place),
      removed: unpackPaths(bytes("removed")).map(place),
      numbers: unpackInts(bytes("numbers")),
      stats: NO_STATS,
      ids: NO_IDS,
    },
    postings: (term) => named(term, postingsByTerm.get(term) ?? null),
    definitionsIn: (slot) => unpackDefinitions(find(slot)?.outline ?? "[]"),
    textOf: (slot) => find(slot)?.lines ?? null,
    postingsByTerm,
    files,
    missing,
  };
}

/** Brings the postings of terms to segments. Contract: asks by repository first, so that others are not even looked at. */
export async function fetchPostings(
  { rows }: Transaction,
  segments: readonly FetchedSegment[],
  terms: readonly string[],
): Promise<void> {
  if (terms.length === 0 || segments.length === 0) return;
  const byId = new Map(segments.map((segment) => [segment.id, segment]));
  const found = await rows(
    "SELECT segment, term, data FROM groundwork.postings WHERE repo = ANY ($1::int[]) AND term = ANY ($2::text[])",
    [...new Set(segments.map(({ repo }) => repo))],
    terms,
  );
  for (const { segment, term, data } of found)
    byId.get(Number(segment))?.postingsByTerm.set(String(term), readPostings(data as Uint8Array));
}

/** Brings what was asked for and not here. Returns how many files that was. */
export async function fetchMissing({ rows }: Transaction, segments: readonly FetchedSegment[]): Promise<number> {
  const wanted = segments.flatMap((segment) => [...segment.missing].map((slot) => ({ segment, slot })));
  if (wanted.length === 0) return 0;
  const byId = new Map(segments.map((segment) => [segment.id, segment]));
  const found = await rows(
    `SELECT f.segment, f.slot, f.outline, f.lines FROM unnest($1::int[], $2::int[], $3::int[]) AS w (repo, segment, slot)
     JOIN groundwork.files f ON f.repo = w.repo AND f.segment = w.segment AND f.slot = w.slot`,
    wanted.map(({ segment }) => segment.repo),
    wanted.map(({ segment }) => segment.id),
    wanted.map(({ slot }) => slot),
  );
  for (const { segment, slot, outline, lines } of found)
    byId.get(Number(segment))?.files.set(Number(slot), { outline: String(outline), lines: String(lines) });
  // What is not there is empty: it would be asked for again and again.
  for (const { segment, slot } of wanted)
    if (!segment.files.has(slot)) segment.files.set(slot, { outline: "[]", lines: "" });
  for (const { segment } of wanted) segment.missing.clear();
  return wanted.length;
}

/** Whether the columns of a catalogue fit to so many files, each within what ranking can bear. */
export function areNumbersSound(numbers: Int32Array, files: number, mostLines: number): boolean {
  if (numbers.length !== files * COLUMNS.length) return false;
  const lines = COLUMNS.indexOf("lines");
  return numbers.every((value, at) => value >= 0 && (at % COLUMNS.length !== lines || value <= mostLines));
}
