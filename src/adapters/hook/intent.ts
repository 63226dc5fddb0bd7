import { guardOwn } from "../../lifecycle/guard.ts";
import { CONFIDENCE_THRESHOLD } from "../../orchestrator/intent.ts";
import { judgePrompt, type Prompt } from "../../orchestrator/judge.ts";
import type { HookFormat } from "./arguments.ts";

/** Output of `--analyze-intent`. Contract: runs nothing; exits with code 1 if there is nothing to analyse. */
export function printIntent(prompt: Prompt, format: HookFormat): { readonly text: string; readonly exitCode: number } {
  const { text, hints } = prompt;
  const nothing =
    text.trim() === "" && hints.file === undefined && hints.functionName === undefined && !hints.withHistory;
  if (nothing) return { text: `${JSON.stringify({ error: "No prompt or file specified" })}\n`, exitCode: 1 };
  const { signals, analysis } = guardOwn(judgePrompt(text, hints));
  if (format === "text") {
    const lines = signals.map(({ type, match, weight }) => `${type}: ${match} (weight: ${weight})`);
    return { text: `${lines.join("\n")}\n`, exitCode: 0 };
  }
  const intent = {
    primary: analysis.intent ?? "none",
    confidence: analysis.confidence,
    threshold: CONFIDENCE_THRESHOLD,
    why: analysis.why,
  };
  return { text: `${JSON.stringify({ prompt: text, signals, intent })}\n`, exitCode: 0 };
}
