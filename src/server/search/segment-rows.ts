import type { IndexedDefinition } from "../../engine/search/source.ts";
import { type Catalogue, COLUMNS, unpackInts, unpackPaths } from "../../engine/store/catalogue.ts";
import { type DecodedPostings, readPostings } from "../../engine/store/postings.ts";
import { type SegmentReader, unpackDefinitions } from "../../engine/store/segment.ts";
import type { Transaction } from "../database.ts";
import type { SqlRow } from "../sql.ts";
import { makeNamed } from "./repo-name.ts";

/** Data of a file besides its words: packed definitions and text. For most files only the first is requested. */
const FILE_COLUMNS = ["outline", "lines"] as const;
type FileColumn = (typeof FILE_COLUMNS)[number];

/** The loaded values of a column for the files of a segment, and the requested slots that are not loaded. */
interface FetchedColumn {
  readonly values: Map<number, string>;
  readonly missing: Set<number>;
}

/**
 * A segment whose rows are fetched from the database on demand. Data that is not loaded yet reads as empty and is noted
 * for `fetchMissing`.
 */
interface FetchedSegment extends SegmentReader {
  readonly id: number;
  readonly repo: number;
  /** The redacted text of a file; null if it is not loaded yet. */
  readonly textOf: (slot: number) => string | null;
  readonly postingsByTerm: Map<string, DecodedPostings>;
  readonly columns: Readonly<Record<FileColumn, FetchedColumn>>;
  /** True if data of a file was requested that is not loaded. */
  readonly isWanting: () => boolean;
}

/** A segment's files, cached between questions because they never change. */
export interface SegmentFiles {
  readonly id: number;
  readonly catalogue: Catalogue;
  /** Counts the repository's name as a folder of its files. */
  readonly named: ReturnType<typeof makeNamed>;
}

/** A segment without files. */
export const NO_FILES: SegmentFiles = {
  id: 0,
  catalogue: {
    paths: [],
    removed: [],
    numbers: new Int32Array(0),
    stats: new Float64Array(0),
    ids: new Uint8Array(0),
  },
  named: (_term, found) => found,
};

/** Parses a row of `segments`; `repo` is the name of its repository. */
export function toSegmentFiles(row: SqlRow, repo: string): SegmentFiles {
  const bytes = (name: string) => row[name] as Uint8Array;
  const paths = unpackPaths(bytes("paths"));
  const [removed, numbers] = [unpackPaths(bytes("removed")), unpackInts(bytes("numbers"))];
  const catalogue = { ...NO_FILES.catalogue, paths, removed, numbers };
  return { id: Number(row["id"]), catalogue, named: makeNamed(repo, paths) };
}

/** Creates a segment with only its files loaded. Terms that are requested from it are added to `asked`. */
export function openSegment({ id, catalogue, named }: SegmentFiles, repo: number, asked: Set<string>): FetchedSegment {
  const postingsByTerm = new Map<string, DecodedPostings>();
  const makeColumn = (): FetchedColumn => ({ values: new Map(), missing: new Set() });
  const columns = { outline: makeColumn(), lines: makeColumn() };
  const unpacked = new Map<number, readonly IndexedDefinition[]>();
  const find = ({ values, missing }: FetchedColumn, slot: number) => {
    const value = values.get(slot);
    if (value === undefined) missing.add(slot);
    return value;
  };
  return {
    id,
    repo,
    catalogue,
    postings: (term) => {
      asked.add(term);
      return named(term, postingsByTerm.get(term) ?? null);
    },
    definitionsIn: (slot) => {
      const outline = find(columns.outline, slot);
      if (outline === undefined) return [];
      const definitions = unpacked.get(slot) ?? unpackDefinitions(outline);
      unpacked.set(slot, definitions);
      return definitions;
    },
    textOf: (slot) => find(columns.lines, slot) ?? null,
    postingsByTerm,
    columns,
    isWanting: () => FILE_COLUMNS.some((column) => columns[column].missing.size > 0),
  };
}

/**
 * Fetches the postings of terms for segments. Contract: looks up by repository first, so that rows of other
 * repositories are not read.
 */
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

/** Fetches the requested data that is not loaded. Returns the number of fetched values. */
export async function fetchMissing(transaction: Transaction, segments: readonly FetchedSegment[]): Promise<number> {
  let fetched = 0;
  for (const column of FILE_COLUMNS) fetched += await fetchColumn(transaction, segments, column);
  return fetched;
}

async function fetchColumn(
  { rows }: Transaction,
  segments: readonly FetchedSegment[],
  column: FileColumn,
): Promise<number> {
  const wanted = segments.flatMap((segment) => [...segment.columns[column].missing].map((slot) => ({ segment, slot })));
  if (wanted.length === 0) return 0;
  const byId = new Map(segments.map((segment) => [segment.id, segment]));
  const found = await rows(
    `SELECT f.segment, f.slot, f.${column} AS value FROM unnest($1::int[], $2::int[], $3::int[]) AS w (repo, segment, slot)
     JOIN groundwork.files f ON f.repo = w.repo AND f.segment = w.segment AND f.slot = w.slot`,
    wanted.map(({ segment }) => segment.repo),
    wanted.map(({ segment }) => segment.id),
    wanted.map(({ slot }) => slot),
  );
  for (const { segment, slot, value } of found)
    byId.get(Number(segment))?.columns[column].values.set(Number(slot), String(value));
  for (const { segment, slot } of wanted) {
    const { values, missing } = segment.columns[column];
    missing.delete(slot);
    // A missing row counts as empty; otherwise it would be requested forever.
    if (!values.has(slot)) values.set(slot, EMPTY[column]);
  }
  return wanted.length;
}

const EMPTY: Readonly<Record<FileColumn, string>> = { outline: "[]", lines: "" };

/** True if the columns of a catalogue have the right length for `files`, with values that ranking can handle. */
export function areNumbersSound(numbers: Int32Array, files: number, mostLines: number): boolean {
  if (numbers.length !== files * COLUMNS.length) return false;
  const lines = COLUMNS.indexOf("lines");
  return numbers.every((value, at) => value >= 0 && (at % COLUMNS.length !== lines || value <= mostLines));
}
