import { join, resolve } from "node:path";
import { putInPlace, removeQuietly } from "../../base/state-files.ts";
import { cutText } from "../../base/text.ts";
import { EXIT_USAGE, type RunMeta, type SessionPaths, type StartOptions } from "../../contract/codex-jobs.ts";
import { type Fault, toLines } from "../../contract/faults.ts";
import { openGrowing, reserveFile } from "./files.ts";
import type { Instructions } from "./instructions.ts";
import { argLines, endLines, headLines, instructionLines } from "./log.ts";
import {
  type CallEnd,
  iterationFiles,
  printMeta,
  toAggregate,
  toIterationMeta,
  toMeta,
  toOutcomeFile,
} from "./meta.ts";
import { makeRedactor, type Redactor } from "./redaction.ts";
import { watchFolder } from "./run-folder.ts";
import type { RunSession } from "./session-paths.ts";
import { ERROR_REASONS, LOG_LINES, REASONS, RUN_NOTES } from "./texts.ts";

/** How a run ended. */
export interface RunResult {
  readonly exitCode: number;
  /** Meta of the last iteration; null if there was no place to write one. */
  readonly meta: RunMeta | null;
  readonly paths: SessionPaths | null;
  /** Remaining output for stdout. */
  readonly stdout: string;
}

/** Everything that a run writes: its log and the accompanying files. */
export interface SessionRecord {
  readonly session: RunSession;
  readonly redactor: Redactor;
  /**
   * False once the run's folder was replaced; then nothing is opened there any more, and the replacement has been
   * reported.
   */
  readonly isInPlace: () => boolean;
  /** The fault in the options for the record itself; null if they are valid. */
  readonly fault: Fault | null;
  /** Ends a run that must not begin. */
  readonly refuse: (fault: Fault) => RunResult;
  /** Ends a run that was cancelled before it began. */
  readonly cancel: (exitCode: number) => RunResult;
  /** Begins the log of a run that may begin. */
  readonly start: () => void;
  /** Writes lines to the log and to stderr. */
  readonly note: (lines: readonly string[]) => void;
  /** Begins the log of one call of Codex. */
  readonly begin: (
    iteration: number,
    instructions: Instructions,
    args: { readonly globalArgs: readonly string[]; readonly execArgs: readonly string[] },
  ) => void;
  /** Codex's redacted output: goes to the log, and to stdout while it runs. */
  readonly output: (text: string) => void;
  readonly event: (line: string) => void;
  /** Replaces a file of the run, unless its folder has been replaced. */
  readonly replace: (path: string, text: string) => void;
  readonly endOutput: (iteration: number) => void;
  /** Records how one of several calls ended. */
  readonly keep: (end: CallEnd, iteration: number) => void;
  /** Ends the run with the result of its last call. */
  readonly finish: (end: CallEnd, iteration: number) => RunResult;
}

/** Dependencies of a record. */
export interface RecordDeps {
  /** The arguments as given, for the log. */
  readonly argv: readonly string[];
  /** Name of the entry point, for the log. */
  readonly script: string;
  readonly cwd: string;
  /** Writes one line to stderr. */
  readonly tell: (line: string) => void;
  /** Writes Codex's output to stdout while it runs; never called with `--json`. */
  readonly show: (text: string) => void;
  /** Called once if the run's folder was replaced. */
  readonly onReplaced?: () => void;
}

const MAX_REASON = 300;
const NOTHING_TOLD = { control_flag: "", tokens_used: "", threadId: null, title: "" };

/**
 * Opens the record of a run. Contract: never throws; a write failure is reported, its text is lost, and the run
 * continues; the outcome is stored in space that is reserved at the beginning.
 */
export function openRecord(session: RunSession, options: StartOptions, deps: RecordDeps): SessionRecord {
  const { paths } = session;
  const { tell } = deps;
  const chosen = makeRedactor(options);
  const redactor = chosen.ok ? chosen.value : usualRedactor(options);
  const isSame = watchFolder(paths.folder);
  let isReplaced = false;
  /**
   * Checked before every write: files that are already open still lie in the run's folder, newly opened ones might not.
   */
  const isInPlace = () => {
    if (isReplaced || isSame()) return !isReplaced;
    isReplaced = true;
    log.write(`${RUN_NOTES.folderReplaced(paths.folder)}\n`);
    tell(RUN_NOTES.folderReplaced(paths.folder));
    deps.onReplaced?.();
    return false;
  };
  const log = openGrowing(paths.log, { isNamed: session.isNamed, tell });
  const events = openGrowing(paths.events, { isNamed: false, tell, mayOpen: isInPlace });
  const replace = (path: string, text: string) => {
    const trouble = isInPlace() ? putInPlace(path, text) : "";
    if (trouble !== "") tell(RUN_NOTES.cannotWrite(path, trouble));
  };
  // Left by an earlier run with the same log.
  removeQuietly(paths.meta);
  const outcome = reserveFile(session.outcome, tell);
  const head = { session, script: deps.script, cwd: deps.cwd };
  const raw = (lines: readonly string[]) => log.write(lines.map((line) => `${line}\n`).join(""));
  const clean = (lines: readonly string[]) => log.write(redactor.text(lines.map((line) => `${line}\n`).join("")));
  // Counts of a resumed session start at its beginning: its last count covers all of its calls.
  const tokens = new Map<string, number>();
  const total = () => (tokens.size === 0 ? "" : String([...tokens.values()].reduce((sum, one) => sum + one, 0)));

  const isOneOfMany = (iteration: number) => iteration > 1 || options.maxRuns > 1;
  const toRunMeta = (end: CallEnd, iteration: number): RunMeta => {
    if (/^\d+$/.test(end.tokens_used)) tokens.set(end.threadId ?? `call ${iteration}`, Number(end.tokens_used));
    return toMeta(session, deps.cwd, {
      ...end,
      title: redactor.text(end.title),
      reason: cutText(redactor.text(end.reason), MAX_REASON).text,
    });
  };
  const keepIteration = (meta: RunMeta, iteration: number): RunMeta => {
    const kept = toIterationMeta(meta, session, iteration);
    replace(iterationFiles(session, iteration).meta, printMeta(kept));
    return kept;
  };
  const aggregate = (meta: RunMeta, iteration: number) => {
    if (!options.aggregates) return;
    for (const [named, name, text] of [
      [options.aggregateFile, "aggregate.txt", toAggregate(meta, iteration)],
      [options.aggregateJsonlFile, "aggregate.jsonl", `${JSON.stringify(meta)}\n`],
    ] as const) {
      const path = named === null ? join(paths.folder, name) : resolve(deps.cwd, named);
      if (named === null && !isInPlace()) continue;
      const file = openGrowing(path, { isNamed: named !== null, tell });
      file.write(text);
      file.close();
    }
  };
  /** Writes the run's meta only at the end, so that a run that is killed between two calls has none. */
  const end = (last: RunMeta, iteration: number, { isListed }: { readonly isListed: boolean }): RunResult => {
    replace(paths.meta, printMeta({ ...last, tokens_used: total() }));
    const meta = isOneOfMany(iteration) ? keepIteration(last, iteration) : last;
    if (isListed) aggregate(meta, iteration);
    outcome.fill(`${toOutcomeFile({ ...meta, tokens_used: total() })}\n`);
    raw(endLines(session, { exitCode: meta.exit_code, classification: meta.classification, tokens: total() }));
    log.close();
    events.close();
    const summary = [
      LOG_LINES.ended(meta.exit_code),
      LOG_LINES.log(paths.log),
      LOG_LINES.instructions(paths.instructions),
      LOG_LINES.meta(paths.meta),
    ];
    const stdout = options.json ? printMeta(meta) : summary.map((line) => `${line}\n`).join("");
    return { exitCode: meta.exit_code, meta, paths, stdout };
  };

  const endEarly = (ended: CallEnd, told: readonly string[], logged: readonly string[]): RunResult => {
    raw(headLines(head, null));
    clean(logged);
    raw([LOG_LINES.trap(ended.exit_code)]);
    for (const line of told) tell(redactor.text(line));
    const result = end(toRunMeta(ended, 1), 1, { isListed: false });
    // People have already read the reason on stderr; there is nothing else to show.
    return options.json ? result : { ...result, stdout: "" };
  };

  return {
    session,
    redactor,
    isInPlace,
    fault: chosen.ok ? null : chosen.fault,
    refuse: (fault) => {
      const lines = toLines(fault);
      const reason = ERROR_REASONS.refused(lines[0] ?? "");
      const ended = { ...NOTHING_TOLD, exit_code: EXIT_USAGE, classification: "error", reason };
      return endEarly(ended, lines, lines.map(LOG_LINES.argCheck));
    },
    cancel: (exitCode) => {
      const reason = REASONS.user_cancelled;
      const ended = { ...NOTHING_TOLD, exit_code: exitCode, classification: "user_cancelled", reason };
      const lines = [RUN_NOTES.cancelled(exitCode)];
      return endEarly(ended, lines, lines);
    },
    start: () => raw(headLines(head, options.patchMode)),
    note: (lines) => {
      clean(lines);
      for (const line of lines) tell(redactor.text(line));
    },
    begin: (iteration, { text, sources }, args) => {
      const shown = redactor.text(text);
      if (iteration === 1) replace(paths.instructions, shown);
      const file = iterationFiles(session, iteration).instructions;
      if (isOneOfMany(iteration)) replace(file, shown);
      if (iteration > 1) raw([LOG_LINES.iteration(iteration), LOG_LINES.instructions(file)]);
      // Truncated after hiding: a secret may begin before the cut.
      raw(instructionLines(shown, iteration === 1 ? sources.map(redactor.text) : null, options));
      clean(argLines({ argv: deps.argv, ...args }));
      raw([LOG_LINES.beginOutput(iteration)]);
    },
    output: (text) => {
      isInPlace();
      log.write(text);
      if (!options.json) deps.show(text);
    },
    event: events.write,
    replace,
    endOutput: (iteration) => raw([LOG_LINES.endOutput(iteration)]),
    keep: (ended, iteration) => {
      aggregate(keepIteration(toRunMeta(ended, iteration), iteration), iteration);
      raw([LOG_LINES.iterationExit(iteration, ended.exit_code)]);
    },
    finish: (ended, iteration) => end(toRunMeta(ended, iteration), iteration, { isListed: true }),
  };
}

/** A redactor without the invalid patterns: messages about them must not reveal a secret either. */
function usualRedactor(options: StartOptions): Redactor {
  const made = makeRedactor({ ...options, redactPatterns: [] });
  if (!made.ok) throw new Error("the default patterns must be valid");
  return made.value;
}
