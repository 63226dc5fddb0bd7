import type { RunDocument } from "../../contract/run-document.ts";
import type { Grade, Vocabulary } from "../../contract/tool.ts";
import { guardOwn } from "../../lifecycle/guard.ts";
import type { Judgement } from "../../orchestrator/judge.ts";
import { sayName } from "../../orchestrator/vocabulary.ts";

/** Analysis of a question before anything is run. */
interface Explanation {
  /** The document of its plan. */
  readonly document: RunDocument;
  readonly judgement: Judgement;
  /** The repository's knowledge of its words; null if there was no lookup. */
  readonly vocabulary: Vocabulary | null;
  readonly threshold: number;
}

/** Formats the output of `explain`: the judgement of a question, the names known to the repository, and the plan. */
export function printExplain({ document, judgement, vocabulary, threshold }: Explanation): string {
  const { signals, analysis } = guardOwn(judgement);
  const verdict =
    analysis.intent === null
      ? `Not about code: ${analysis.why}.`
      : `About code, intent ${analysis.intent}: ${analysis.why}.`;
  const lines = [
    `${verdict} Confidence ${analysis.confidence.toFixed(2)}, threshold ${threshold.toFixed(2)}.`,
    "",
    signals.length === 0 ? "Signals: none" : "Signals",
    ...signals.map(({ type, match, weight }) => `  ${type.padEnd(10)} ${weight.toFixed(1)}  ${match}`),
    "",
    ...vocabularyLines(vocabulary === null ? null : guardOwn(vocabulary)),
    "",
    ...planLines(document),
  ];
  const limits = document.fused_context.for_user.limits_text;
  if (limits !== "") lines.push("", limits);
  return `${lines.join("\n")}\n`;
}

const GRADES: Readonly<Record<Grade, string>> = {
  sure: "sure: the full block",
  guess: "guess: at most 600 characters; a name, a path or the error text in the question would raise it",
  none: "none: nothing would be injected; a name, a path or an error text from this repository would raise it",
};

function vocabularyLines(vocabulary: Vocabulary | null): string[] {
  if (vocabulary === null) return ["Names: not looked up, because the words alone decide"];
  const { names, grade, confidence } = vocabulary;
  return [
    names.length === 0 ? "Names: none; looked up in this repository" : "Names, looked up in this repository",
    ...names.map((name) => `  ${sayName(name)}`),
    "",
    `Grade ${GRADES[grade]} (confidence ${confidence.toFixed(2)})`,
  ];
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
