import { sliceWhole, toOneLine } from "../../base/text.ts";
import type { RunEnd, RunMeta } from "../../contract/codex-jobs.ts";
import type { RunSession } from "./session-paths.ts";

/** How one call of Codex ended. */
export interface CallEnd extends RunEnd, Pick<RunMeta, "control_flag"> {
  /** Codex's session, whose tokens are counted from its beginning; null if unknown. */
  readonly threadId: string | null;
}

interface IterationMeta extends RunMeta {
  readonly iteration: number;
  readonly last_message_file: string;
}

const MAX_TITLE = 300;

/** Describes how a run ended, in the form of `meta.json`. */
export function toMeta(session: RunSession, cwd: string, end: CallEnd): RunMeta {
  return makeMeta(session, cwd, { ...end, title: sliceWhole(toOneLine(end.title), MAX_TITLE) });
}

/** Makes a meta, with the title as it is. Contract: exactly these keys, in the established order. */
export function makeMeta(
  { name, timestamp, tag, paths }: RunSession,
  cwd: string,
  end: RunEnd & Pick<RunMeta, "control_flag">,
): RunMeta {
  return {
    id: `codex-${name}`,
    timestamp,
    tag,
    classification: end.classification,
    control_flag: end.control_flag,
    reason: end.reason,
    tokens_used: end.tokens_used,
    cwd,
    log_file: paths.log,
    instructions_file: paths.instructions,
    exit_code: end.exit_code,
    title: end.title,
  };
}

/** Paths of an iteration's own files. */
export function iterationFiles(session: RunSession, iteration: number) {
  const base = `${session.paths.base}.r${iteration}`;
  return { instructions: `${base}.instructions.md`, meta: `${base}.meta.json`, lastMessage: `${base}.last.txt` };
}

/** Derives the meta of one iteration among several. */
export function toIterationMeta(meta: RunMeta, session: RunSession, iteration: number): IterationMeta {
  const files = iterationFiles(session, iteration);
  return {
    ...meta,
    id: iteration > 1 ? `${meta.id}-r${iteration}` : meta.id,
    instructions_file: iteration > 1 ? files.instructions : meta.instructions_file,
    iteration,
    last_message_file: files.lastMessage,
  };
}

/** Formats a meta as in its file and in the output of `--json`. */
export function printMeta(meta: RunMeta): string {
  return `${JSON.stringify(meta, null, 2)}\n`;
}

/** Formats the outcome file, from which callers later read how the run ended. Contract: one line of JSON. */
export function toOutcomeFile({ exit_code, classification, tokens_used, title, reason }: RunMeta): string {
  return JSON.stringify({ exit_code, classification, tokens_used, title, reason });
}

/** Formats a run's entry in the aggregate file of its folder, for people. */
export function toAggregate(meta: RunMeta, iteration: number): string {
  const suffix = meta.tag === "" ? "" : ` -${meta.tag}`;
  return [
    `=== [${meta.timestamp}] Codex Run${iteration > 1 ? ` r${iteration}` : ""}${suffix} ===`,
    `Log: ${meta.log_file}`,
    `Instructions: ${meta.instructions_file}`,
    `Title: ${meta.title}`,
    `Exit: ${meta.exit_code}`,
    "",
    "",
  ].join("\n");
}
