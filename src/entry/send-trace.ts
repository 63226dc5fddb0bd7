import { join } from "node:path";
import type { TracedPart, TraceFacts } from "../adapters/telemetry/spans.ts";
import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { startDetachedNow } from "../base/subprocess/start-detached.ts";
import { isTelemetryOn, telemetryVariables } from "../config/telemetry.ts";
import type { ToolResult } from "../contract/run-document.ts";
import type { RunDoor } from "../contract/run-history.ts";
import type { KernelAnswer } from "../orchestrator/document.ts";
import { toRunOutcome } from "../run-history/record.ts";
import { projectRoot } from "./process.ts";

/** A run that an entry point has answered. */
interface TracedRun {
  readonly env: Environment;
  readonly door: RunDoor;
  readonly answer: KernelAnswer;
  readonly injected: string;
  readonly startMs: number;
}

/**
 * Names as used by us and in the user's settings. A document from another program may contain anything in their place.
 */
const NAME = /^[\w.:@-]{1,80}$/;
const toName = (text: unknown) => (typeof text === "string" && NAME.test(text) ? text : "other");

/**
 * Sends a run's trace if the user wants that; runs in which nothing was done are not sent. Contract: never throws and
 * waits for nothing: another process sends it.
 */
export function sendRun({ env, door, answer, injected, startMs }: TracedRun): void {
  if (!isTelemetryOn(env)) return;
  try {
    const { document, trace, limits } = answer;
    const outcome = toRunOutcome({ document, isGuess: trace?.isGuess ?? false });
    if (outcome === "silent") return;
    const results: readonly ToolResult[] = Array.isArray(document.tool_results) ? document.tool_results : [];
    start(env, {
      kind: "run",
      startMs,
      endMs: systemClock.nowMs(),
      isFailed: outcome === "failed",
      about: {
        "groundwork.door": door,
        "groundwork.client": toName(document.client.name),
        "groundwork.intent": toName(document.task_context?.intent_analysis.primary_intent ?? "none"),
        "groundwork.outcome": outcome,
        "groundwork.injected_chars": injected.length,
        "groundwork.tools": results.length,
        "groundwork.limits": limits.length,
      },
      timeline: (trace?.timeline ?? []).map((part) => toPart(part, results)),
    });
  } catch {
    // A document from another orchestrator may have any shape.
  }
}

/** Sends the trace of one call of an MCP client in the same way. */
export function sendCall(env: Environment, { tool, status, duration_ms, error }: ToolResult): void {
  if (!isTelemetryOn(env)) return;
  const endMs = systemClock.nowMs();
  const part = { stage: "run", tool, start_ms: 0, duration_ms, status } as const;
  const about = { "groundwork.door": "mcp" };
  const timeline = [toPart(part, [{ tool, status, error }])];
  start(env, { kind: "call", startMs: endMs - duration_ms, endMs, isFailed: false, about, timeline });
}

function toPart(part: TracedPart, results: readonly Pick<ToolResult, "tool" | "status" | "error">[]): TracedPart {
  if (part.tool === undefined) return part;
  const { error, status = "ok" } = results.find(({ tool }) => tool === part.tool) ?? {};
  const tool = toName(part.tool);
  return status === "ok" ? { ...part, tool } : { ...part, tool, error: toName(error?.code ?? status) };
}

function start(env: Environment, facts: TraceFacts): void {
  startDetachedNow(process.execPath, [join(projectRoot, "dist", "otel.cjs")], {
    cwd: "/",
    // Not passed as an argument, which every user of the machine could see.
    env: { ...telemetryVariables(env), GROUNDWORK_TRACE: JSON.stringify(facts) },
  });
}
