import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { claimStateFile } from "../base/state-files.ts";
import { readHistorySetting } from "../config/history-setting.ts";
import { LIMITS } from "../contract/limits.ts";
import type { RunDoor } from "../contract/run-history.ts";
import type { KernelAnswer } from "../orchestrator/document.ts";
import { toRecord } from "../run-history/record.ts";
import { appendToSpool } from "../run-history/spool.ts";
import { placeFor, rootBySight } from "./record-silent.ts";
import { sendRun } from "./send-trace.ts";

/** A run that an entry point has answered. */
interface AnsweredRun {
  readonly env: Environment;
  readonly door: RunDoor;
  readonly folder: string;
  readonly answer: KernelAnswer;
  /** Exactly the text that the model was given. */
  readonly injected: string;
  /** Start of the run, in milliseconds since the epoch. */
  readonly startMs: number;
}

/**
 * Records a run, as far as the settings allow, and sends its trace if the user wants that. Contract: never throws and
 * never blocks; call it after the answer has been written.
 */
export function recordRun({ env, door, folder, answer, injected, startMs }: AnsweredRun): void {
  const { document, trace, limits } = answer;
  if (trace === null) return;
  sendRun({ env, door, answer, injected, startMs });
  try {
    const root = document.inputs.repo_root ?? rootBySight(env, folder);
    const history = trace?.history ?? readHistorySetting(env, root);
    const place = placeFor(env, root);
    if (history === "off" || place === null) return;
    const { timeline = [], isGuess = false } = trace ?? {};
    const durationMs = Math.max(0, systemClock.nowMs() - startMs);
    const run = { door, document, limits, injected, isGuess, timeline, startMs, durationMs, root, history };
    appendToSpool(place, toRecord(run));
  } catch {
    // A document from another orchestrator may have any shape.
  }
}

/** Marker file: the user has been told that runs are kept. */
const TOLD = "told";

/**
 * Adds a notice to the answer, once per user, that runs are kept from now on. Contract: only if something is injected,
 * so that prompts that are not about code get no message.
 */
export function withHistoryNotice(answer: KernelAnswer, env: Environment): KernelAnswer {
  const { document, trace, notices } = answer;
  if (trace === null || trace?.history !== "full" || document.fused_context.for_model.additional_context === "")
    return answer;
  const place = placeFor(env, document.inputs.repo_root ?? "");
  if (place === null || existsSync(join(place, TOLD))) return answer;
  const keeping = { isOurs: () => false, most: 1, maxAgeMs: Number.MAX_VALUE, nowMs: systemClock.nowMs() };
  const isFirst = claimStateFile(place, TOLD, keeping) && existsSync(join(place, TOLD));
  return isFirst ? { ...answer, notices: [...notices, LIMITS.historyKept()] } : answer;
}
