import { fstatSync } from "node:fs";
import { EXIT_CODE_OF } from "../../base/signals.ts";
import type { RunEnd } from "../../contract/codex-jobs.ts";
import { readAt, withPlainFile } from "../run/files.ts";
import { JOB_TEXTS } from "./texts.ts";

/** Evidence that a finished job has left. */
export interface EndFacts {
  /** Outcome recorded by the run itself; `open` if the run began but never recorded one. */
  readonly outcome: RunEnd | "open" | null;
  /** Exit code according to the log, for programs that leave nothing else; null if the log has none. */
  readonly exitLine: number | null;
  /** Texts of the run's `meta.json`, as a fallback if there is no outcome. */
  readonly meta: Omit<RunEnd, "exit_code"> | null;
  /** Whether and how the job was asked to stop. */
  readonly stop: "gently" | "by force" | null;
  /** False for a job that never left the queue. */
  readonly hasBegun: boolean;
}

/** Exit code of a job that ended without reporting one. */
const NO_EXIT_CODE = -1;
const CANCELLED = "user_cancelled";

/** Determines how a job ended whose processes are gone. Contract: pure; the run's own outcome takes precedence. */
export function judgeEnd({ outcome, exitLine, meta, stop, hasBegun }: EndFacts): RunEnd {
  if (outcome !== null && outcome !== "open") return outcome;
  const empty = { tokens_used: meta?.tokens_used ?? "", title: meta?.title ?? "" };
  // A run with an outcome file fills it before it writes its last log lines; if it is still open, such lines are not
  // the run's own.
  if (exitLine !== null && outcome === null) {
    const isStopped = stop !== null && exitLine !== 0;
    return {
      ...empty,
      exit_code: exitLine,
      classification: isStopped ? CANCELLED : meta?.classification || (exitLine === 0 ? "normal" : "error"),
      reason: isStopped
        ? JOB_TEXTS.stopped
        : meta?.reason || (exitLine === 0 ? JOB_TEXTS.completed : JOB_TEXTS.exitCode(exitLine)),
    };
  }
  if (stop !== null) {
    if (!hasBegun)
      return { ...empty, exit_code: NO_EXIT_CODE, classification: CANCELLED, reason: JOB_TEXTS.stoppedQueued };
    const isForced = stop === "by force";
    return {
      ...empty,
      exit_code: isForced ? EXIT_CODE_OF.SIGKILL : EXIT_CODE_OF.SIGTERM,
      classification: CANCELLED,
      reason: isForced ? JOB_TEXTS.stoppedByForce : JOB_TEXTS.stopped,
    };
  }
  return {
    ...empty,
    exit_code: NO_EXIT_CODE,
    classification: "error",
    reason: outcome === "open" ? JOB_TEXTS.supervisorGone : JOB_TEXTS.endedSilently,
  };
}

/** Large enough for everything that a run writes after Codex has ended. */
const END_BYTES = 64 * 1024;
const SECTION = /^----- (?:Begin|End) (?:Codex Output|Composed Instructions)\b.* -----$/;
const EXIT_LINE = /^(?:\[trap\] .*)?\bExit Code: (-?\d{1,9})$/;

/**
 * Returns the exit code at the end of a log, or null. Contract: never throws, blocks or follows a link; reads only the
 * two ends of the log; lines inside Codex's output or the instructions do not count.
 */
export function readExitLine(path: string): number | null {
  return withPlainFile(path, null, (file) => {
    const from = Math.max(0, fstatSync(file).size - END_BYTES);
    const tail = readText(file, from);
    const found = judgeLines(tail);
    if (found !== "no sections") return found;
    // The tail lies within one section: Codex's output if the log is ours, else output of a program with its own log
    // format.
    return from === 0 || !readText(file, 0).startsWith("===== Codex Run Start") ? judgeAll(tail) : null;
  });
}

function readText(file: number, from: number): string {
  return readAt(file, from, END_BYTES).toString("utf8");
}

/** The last exit code after the last section. */
function judgeLines(text: string): number | null | "no sections" {
  const lines = text.split(/\r?\n/);
  const last = lines.findLastIndex((line) => SECTION.test(line));
  if (last === -1) return "no sections";
  return lines[last]?.startsWith("----- Begin") ? null : judgeAll(lines.slice(last + 1).join("\n"));
}

function judgeAll(text: string): number | null {
  const line = text.split(/\r?\n/).findLast((each) => EXIT_LINE.test(each));
  return line === undefined ? null : Number(EXIT_LINE.exec(line)?.[1]);
}
