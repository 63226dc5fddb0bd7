import type { Clock } from "../../base/clock.ts";
import { type FileFacts, isFunctionKind, isTypeKind, NO_FACTS, type SymbolKind } from "../parse/facts.ts";
import type { FileParser } from "../parse/file-parser.ts";
import { languageOf } from "../parse/languages/table.ts";
import type { DefinitionKind, IndexedDefinition } from "../search/source.ts";
import { idAt, UNSURE } from "../store/catalogue.ts";
import type { FactsRow } from "../store/code-store.ts";
import { packFacts } from "../store/facts.ts";
import { packDefinitions, type Segment } from "../store/segment.ts";
import { type ReadSource, readSource, textIdOf } from "./read-source.ts";
import { SegmentMaker } from "./segment-maker.ts";

/** Files to read as text. */
interface TextJob {
  readonly kind: "text";
  readonly root: string;
  readonly paths: readonly string[];
  /** Paths of older segments that no longer exist. */
  readonly removed: readonly string[];
  /** Ids of sensitive files, which may have other names (hard links); null if not all are known. */
  readonly sensitiveIds: readonly string[] | null;
}

/** Files to parse. */
interface FactsJob {
  readonly kind: "facts";
  readonly root: string;
  readonly paths: readonly string[];
}

/** Files to compare with the texts of a base. */
interface CompareJob {
  readonly kind: "compare";
  readonly root: string;
  readonly paths: readonly string[];
  /** Ids of the texts, concatenated. */
  readonly ids: Uint8Array;
}

/** Work that depends only on the disk, so that any thread can do it. */
export type Job = TextJob | FactsJob | CompareJob;
/**
 * Result of a job: a segment, the facts of its files, or the modification times of the files that have the expected
 * text.
 */
export type Result<J extends Job> = J extends TextJob
  ? Segment
  : J extends FactsJob
    ? readonly FactsRow[]
    : Float64Array;

/** Called with the number of files of a job that have been read so far. */
export type OnFiles = (done: number) => void;

/** Number of files between two progress reports; more frequent ones would cost too much. */
const FILES_A_TELL = 64;

/** Dependencies of a job. */
export interface JobTools {
  readonly parser: FileParser;
  readonly clock: Clock;
}

/**
 * Runs a job. Contract: unreadable files are skipped; `onFiles` is called only for text jobs, which have many files.
 */
export async function doJob<J extends Job>(job: J, tools: JobTools, onFiles: OnFiles = () => {}): Promise<Result<J>> {
  return (await WORK[job.kind](job as never, tools, onFiles)) as Result<J>;
}

const WORK = {
  text: (job: TextJob, { clock }: JobTools, onFiles: OnFiles) => digest(job, clock, onFiles),
  facts: parse,
  compare: (job: CompareJob, { clock }: JobTools) => compare(job, clock),
};

function compare({ root, paths, ids }: CompareJob, clock: Clock): Float64Array {
  return Float64Array.from(paths, (path, at) => {
    const source = readSource(root, path, clock.nowMs());
    // A file with several names (hard links) may be a sensitive one.
    if (source === null || source.sharedId !== null || textIdOf(source) !== idAt(ids, at)) return UNSURE;
    return source.modifiedMs;
  });
}

function digest({ root, paths, removed, sensitiveIds }: TextJob, clock: Clock, onFiles: OnFiles): Segment {
  const maker = new SegmentMaker();
  const hidden = sensitiveIds === null ? null : new Set(sensitiveIds);
  for (const [at, path] of paths.entries()) {
    if (at > 0 && at % FILES_A_TELL === 0) onFiles(at);
    const source = readSource(root, path, clock.nowMs());
    if (source === null) continue;
    const isHidden = source.sharedId !== null && (hidden === null || hidden.has(source.sharedId));
    if (isHidden) maker.add({ ...source, content: null });
    else maker.add(source, textIdOf(source));
  }
  return maker.finish(removed);
}

async function parse({ root, paths }: FactsJob, { parser, clock }: JobTools): Promise<FactsRow[]> {
  const readings: FactsRow[] = [];
  for (const path of paths) {
    const source = readSource(root, path, clock.nowMs());
    if (source === null) continue;
    const text = source.content?.toString("utf8") ?? "";
    const language = languageOf(path, text);
    readings.push(toFactsRow(source, language === null || text === "" ? NO_FACTS : await parser.parse(language, text)));
  }
  return readings;
}

/** Converts the facts of a parsed file for storage. */
export function toFactsRow(source: ReadSource, facts: FileFacts): FactsRow {
  return {
    path: source.path,
    stamp: textIdOf(source),
    outline: packDefinitions(toDefinitions(facts)),
    facts: packFacts(facts),
  };
}

function toDefinitionKind(kind: SymbolKind): DefinitionKind {
  return isFunctionKind(kind) ? "function" : isTypeKind(kind) || kind === "module" ? "type" : "value";
}

/** The definitions used for ranking, derived from a file's symbols. */
function toDefinitions({ symbols }: FileFacts): IndexedDefinition[] {
  const qualified: string[] = [];
  return symbols.flatMap(({ name, kind: symbolKind, parent, owner, startLine, endLine }, at) => {
    const kind = toDefinitionKind(symbolKind);
    const around = parent === null ? owner : (qualified[parent] ?? "");
    qualified[at] = around === "" ? name : `${around}.${name}`;
    // Fields and nested variables are found through their parent.
    const isInner = kind === "value" && (parent !== null || symbolKind === "property");
    return isInner ? [] : [{ name, qualified: qualified[at], kind, line: startLine, endLine }];
  });
}
