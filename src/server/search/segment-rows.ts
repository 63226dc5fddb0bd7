import type { IndexedDefinition } from "../../engine/search/source.ts";
import { type Catalogue, COLUMNS, unpackInts, unpackPaths } from "../../engine/store/catalogue.ts";
import { type DecodedPostings, readPostings } from "../../engine/store/postings.ts";
import { type SegmentReader, unpackDefinitions } from "../../engine/store/segment.ts";
import type { Transaction } from "../database.ts";
import type { SqlRow } from "../sql.ts";
import { makeNamed } from "./repo-name.ts";

/** What a file has besides its words: packed definitions, and its text. Most files are asked for the first alone. */
const FILE_COLUMNS = ["outline", "lines"] as const;
type FileColumn = (typeof FILE_COLUMNS)[number];

/** A column of the files of a segment, as far as it is here, and the slots that were asked for and are not. */
interface FetchedColumn {
  readonly values: Map<number, string>;
  readonly missing: Set<number>;
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
  readonly postingsByTerm: Map<string, DecodedPostings>;
  readonly columns: Readonly<Record<FileColumn, FetchedColumn>>;
  /** Whether something of a file was asked for that is not here. */
  readonly isWanting: () => boolean;
}

/** A segment's files, as they are kept between questions: they never change. */
export interface SegmentFiles {
  readonly id: number;
  readonly catalogue: Catalogue;
  /** Counts the name of the repository as a folder of its files. */
  readonly named: ReturnType<typeof makeNamed>;
}

const NO_STATS = new Float64Array(0);
const NO_IDS = new Uint8Array(0);

/** Reads a row of `segments`; `repo` is the name of its repository. */
export function toSegmentFiles(row: SqlRow, repo: string): SegmentFiles {
  const bytes = (name: string) => row[name] as Uint8Array;
  const paths = unpackPaths(bytes("paths"));
  const [removed, numbers] = [unpackPaths(bytes("removed")), unpackInts(bytes("numbers"))];
  const catalogue = { paths, removed, numbers, stats: NO_STATS, ids: NO_IDS };
  return { id: Number(row["id"]), catalogue, named: makeNamed(repo, paths) };
}

/** Makes a segment that has nothing but its files yet. Terms that it is asked for are added to `asked`. */
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

/** Brings what was asked for and not here. Returns how much that was. */
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
    // What is not there is empty: it would be asked for again and again.
    if (!values.has(slot)) values.set(slot, EMPTY[column]);
  }
  return wanted.length;
}

const EMPTY: Readonly<Record<FileColumn, string>> = { outline: "[]", lines: "" };

/** Whether the columns of a catalogue fit to so many files, each within what ranking can bear. */
export function areNumbersSound(numbers: Int32Array, files: number, mostLines: number): boolean {
  if (numbers.length !== files * COLUMNS.length) return false;
  const lines = COLUMNS.indexOf("lines");
  return numbers.every((value, at) => value >= 0 && (at % COLUMNS.length !== lines || value <= mostLines));
}
