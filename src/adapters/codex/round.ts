import type { Environment } from "../../base/environment.ts";
import type { ProgramEnd } from "../../base/subprocess/spawn.ts";
import { streamProgram } from "../../base/subprocess/stream-program.ts";
import { FAULTS } from "../../contract/faults.ts";
import { LIMITS, toLimitsText } from "../../contract/limits.ts";
import { isPlan, type KernelAnswer } from "../../orchestrator/document.ts";
import { userTexts } from "../hook/print.ts";

interface Round {
  readonly prompt: string;
  readonly answer: KernelAnswer;
  readonly codex: string;
  /** Command used if the document plans none, as in an empty injection. */
  readonly fallbackCommand: string;
  readonly folder: string;
  readonly env: Environment;
  readonly write: (chunk: string | Buffer) => void;
  readonly tell: (text: string) => void;
  readonly printsDocument: boolean;
}

/**
 * Returns the prompt for codex: first the user's words, unchanged, then the run's id, the evidence and its limits.
 * Contract: returns the prompt unchanged if nothing was planned or run.
 */
export function enrichPrompt(prompt: string, { document, unsaid }: Pick<KernelAnswer, "document" | "unsaid">): string {
  const { additional_context } = document.fused_context.for_model;
  const { tool_plan_text } = userTexts(document);
  if (isPlan(document) || (tool_plan_text === "" && additional_context === "")) return prompt;
  const rest = [additional_context, toLimitsText(unsaid)].filter(Boolean);
  return [prompt, "", `[groundwork run ${document.run_id}]`, ...rest].join("\n").trimEnd();
}

/** The text that `enrichPrompt` appends to a prompt. */
export function toAddition(prompt: string, answer: Pick<KernelAnswer, "document" | "unsaid">): string {
  return enrichPrompt(prompt, answer).slice(prompt.length);
}

/**
 * Runs a prompt in codex, resuming the newest session first if the mode says so. Contract: the prompt is passed by
 * standard input, never as an argument; a failed resume that printed nothing is retried once as a new session.
 */
export async function runRound(round: Round): Promise<number> {
  const command = round.answer.document.tool_plan.planned_codex_command ?? round.fallbackCommand;
  const args = command.split(" ").slice(1);
  const first = await startCodex(round, args, round.answer);
  if (first.exitCode === 0 || first.printed || first.signal !== null || !args.includes("resume")) return first.code;
  tellLost(round);
  const answer = toStateless(round.answer, `codex exec resume --last ended with exit code ${first.code}`);
  const second = await startCodex(round, ["exec"], answer);
  return second.code;
}

async function startCodex(round: Round, args: readonly string[], answer: KernelAnswer) {
  let printed = false;
  // The document is held back until codex's first output, because a failed resume changes it.
  const begin = () => {
    if (round.printsDocument) round.write(`${JSON.stringify(answer.document)}\n`);
  };
  const done = await streamProgram({
    command: round.codex,
    args: [...args, "-"],
    cwd: round.folder,
    env: round.env,
    stdin: enrichPrompt(round.prompt, answer),
    onStdout: (chunk) => {
      if (!printed) begin();
      printed = true;
      round.write(chunk);
    },
  });
  const retries = !printed && done.exitCode !== 0 && done.signal === null && args.includes("resume");
  if (!printed && !retries) begin();
  return { exitCode: done.exitCode, signal: done.signal, code: exitCodeOf(done), printed };
}

/** Tells the user that the session could not be resumed. */
export function tellLost({ tell }: { readonly tell: (text: string) => void }): void {
  tell(`${toLimitsText([LIMITS.fault("E_SESSION")])}\n`);
}

/** The exit code of a run of codex; 128 if a signal ended it. */
export function exitCodeOf({ exitCode, startError }: Pick<ProgramEnd, "exitCode" | "startError">): number {
  return exitCode ?? (startError === "" ? 128 : FAULTS.E_TOOL_UNAVAILABLE.exit);
}

/** Changes the answer of a round whose session could not be resumed, with the reason. */
export function toStateless({ document, limits, unsaid, ...answer }: KernelAnswer, why: string): KernelAnswer {
  const lost = LIMITS.fault("E_SESSION");
  const told = [...limits, lost];
  const reason = `${lost.code}: ${why}`;
  const for_user = { ...userTexts(document), limits_text: toLimitsText(told) };
  return {
    ...answer,
    limits: told,
    unsaid: [...unsaid, lost],
    document: {
      ...document,
      tool_plan: { ...document.tool_plan, planned_codex_command: "codex exec" },
      fused_context: { ...document.fused_context, for_user },
      degraded: {
        is_degraded: true,
        reason: [document.degraded.reason, reason].filter(Boolean).join("; "),
        degraded_to: document.degraded.degraded_to || "stateless",
      },
    },
  };
}
