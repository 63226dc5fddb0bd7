import { join } from "node:path";
import { readInside } from "../../base/jail.ts";
import { listFileIds } from "./file-ids.ts";
import { walkFiles } from "./walk.ts";

/** A text file of the repository, held in memory for the length of one run. */
export interface ScannedFile {
  readonly path: string;
  readonly text: string;
  readonly lower: string;
}

/** What one pass over the repository found. */
export interface Scan {
  readonly files: readonly ScannedFile[];
  /** Binary or oversized files: known by path and size only. */
  readonly skipped: number;
  /** Why the pass ended early; empty where it saw everything. */
  readonly partial: string;
}

/** What a pass may use. */
export interface ScanBudget {
  readonly signal: AbortSignal;
  readonly timeLeftMs: () => number;
  readonly isExcluded: (path: string) => boolean;
}

const MAX_FILE_BYTES = 512 * 1024;
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
const MAX_FILES = 20_000;
/** Share of the time that may go into reading; the rest is for ranking and answering. */
const READING_SHARE = 0.7;
/** Paths between two breaths for timers and other tools. */
const BATCH = 16;

/** Reads the repository's text files once. Contract: yields to other work often, and ends in time with what it has. */
export async function scanRepository(root: string, budget: ScanBudget): Promise<Scan> {
  const files: ScannedFile[] = [];
  const sensitive: string[] = [];
  /** Files with several names, one of which may be sensitive. */
  const shared = new Map<ScannedFile, string>();
  const finish = (partial: string): Scan => {
    const isHidden = makeHiddenTest(root, shared, sensitive, partial !== "");
    const open = files.filter((file) => !isHidden(file));
    return { files: open, skipped: skipped + files.length - open.length, partial };
  };
  const rules = { isExcluded: budget.isExcluded, onSensitive: (path: string) => sensitive.push(path) };
  const stopAtMs = budget.timeLeftMs() * (1 - READING_SHARE);
  let skipped = 0;
  let bytes = 0;
  let seen = 0;
  for (const path of walkFiles(root, rules)) {
    if (++seen % BATCH === 0) await pause();
    if (budget.signal.aborted || budget.timeLeftMs() < stopAtMs) return finish("out of time");
    if (path === null) continue;
    if (files.length >= MAX_FILES || bytes >= MAX_TOTAL_BYTES) return finish("too large");
    const file = readInside(root, join(root, path), MAX_FILE_BYTES);
    if (!file.ok || file.value.text === null || file.value.cut || isMachineMade(file.value.text)) {
      skipped++;
      continue;
    }
    const { text, sharedId } = file.value;
    const scanned = { path, text, lower: text.toLowerCase() };
    bytes += text.length;
    files.push(scanned);
    if (sharedId !== null) shared.set(scanned, sharedId);
  }
  return finish("");
}

/**
 * A test for files that are a sensitive one under another name (a hard link). Where not all sensitive files are known,
 * every file that has a second name might be.
 */
function makeHiddenTest(
  root: string,
  shared: ReadonlyMap<ScannedFile, string>,
  sensitive: readonly string[],
  isPartial: boolean,
): (file: ScannedFile) => boolean {
  if (shared.size === 0) return () => false;
  const known = isPartial ? null : listFileIds(root, sensitive);
  if (known === null) return (file) => shared.has(file);
  return (file) => known.has(shared.get(file) ?? "");
}

/** Lets timers and other tools have their turn. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Minified bundles, data dumps: lines that nobody wrote. */
function isMachineMade(text: string): boolean {
  const lines = text.split("\n", 200);
  return lines.some((line) => line.length > 5_000) || (text.length > 20_000 && text.length / lines.length > 2_000);
}
