import type { RunDocument } from "../../contract/run-document.ts";
import { guardOwn } from "../../lifecycle/guard.ts";
import { CONFIDENCE_THRESHOLD } from "../../orchestrator/intent.ts";
import { judgePrompt } from "../../orchestrator/judge.ts";

/** How `explain` tells what a question is taken for and what would run. `document` is the plan for it. */
export function printExplain(question: string, document: RunDocument): string {
  const { signals, analysis } = guardOwn(judgePrompt(question, {}));
  const verdict =
    analysis.intent === null
      ? `Not about code: ${analysis.why}.`
      : `About code, intent ${analysis.intent}: ${analysis.why}.`;
  const lines = [
    `${verdict} Confidence ${analysis.confidence.toFixed(2)}, threshold ${CONFIDENCE_THRESHOLD.toFixed(2)}.`,
    "",
    signals.length === 0 ? "Signals: none" : "Signals",
    ...signals.map(({ type, match, weight }) => `  ${type.padEnd(10)} ${weight.toFixed(1)}  ${match}`),
    "",
    ...planLines(document),
  ];
  const limits = document.fused_context.for_user.limits_text;
  if (limits !== "") lines.push("", limits);
  return `${lines.join("\n")}\n`;
}

function planLines({ tool_plan, recommended_tools }: RunDocument): string[] {
  const { tools, budget } = tool_plan;
  if (tools.length === 0) return ["Plan: nothing would run"];
  const room = `${budget.wall_ms} ms, ${budget.max_concurrency} at once, at most ${budget.max_injected_chars} characters`;
  return [
    `Plan (${room})`,
    ...tools.flatMap(({ tool, tier, reason, args, timeout_ms }) => [
      `  ${tool}: ${reason}`,
      `    tier ${tier}, at most ${timeout_ms} ms, ${JSON.stringify(args)}`,
    ]),
    ...(recommended_tools ?? []).map(({ tool, reason }) => `  not run: ${tool}: ${reason} (tier 2)`),
  ];
}
