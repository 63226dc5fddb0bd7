import { resolve } from "node:path";
import type { OptionsOf } from "../adapters/cli/commands/table.ts";
import { printTry } from "../adapters/cli/results.ts";
import { enrichPrompt, toAddition } from "../adapters/codex/round.ts";
import { toPrompt } from "../adapters/hook/payload.ts";
import { printAnswer, toInjection, userTexts } from "../adapters/hook/print.ts";
import { systemClock } from "../base/clock.ts";
import { LIMITS, toLimitsText } from "../contract/limits.ts";
import type { Client } from "../contract/run-document.ts";
import { isPlan } from "../orchestrator/document.ts";
import { explainQuestion } from "./explain-command.ts";
import { orchestrate } from "./orchestrate.ts";
import { misuse, type Printed } from "./printed.ts";
import { projectRoot, readInput, workingFolder } from "./process.ts";
import { recordRun } from "./record-run.ts";

/** Runs the tools for a question, as a client's hook would. */
async function ask(question: string, { repo, format }: Pick<OptionsOf<"try">, "repo" | "format">) {
  const client: Client = { name: "claude-code", event: format === "hook" ? "UserPromptSubmit" : "cli" };
  const folder = repo === undefined ? workingFolder() : resolve(repo);
  const prompt = toPrompt(question, client, {});
  const payload = JSON.stringify({ prompt: question });
  const { env } = process;
  const startMs = systemClock.nowMs();
  const { signal } = new AbortController();
  const answer = await orchestrate({ prompt, payload, env, folder, projectRoot, signal });
  const keep = (injected: string) => recordRun({ env, door: "cli", folder, answer, injected, startMs });
  return { answer, keep };
}

/** `groundwork try`: shows a person what a client's hook would do with a question. */
export async function tryQuestion(words: readonly string[], options: OptionsOf<"try">): Promise<Printed> {
  const format = options.json === true ? "json" : (options.format ?? "text");
  const question = await questionFrom(words);
  if (question === "") return misuse("try needs a question", "try");
  const { answer, keep } = await ask(question, { ...options, format });
  const { document, exitCode } = answer;
  const { additional_context } = document.fused_context.for_model;
  keep(format === "hook" ? toInjection(document, document.client.name) : additional_context);
  if (format === "json" || format === "hook")
    return {
      text: printAnswer(answer, format, { client: answer.document.client }),
      exitCode: format === "hook" ? 0 : exitCode,
    };
  return { text: `Question: ${question}\n\n${printTry(document, { verbose: options.verbose === true })}`, exitCode };
}

/** `groundwork explain`: shows how a question is classified; runs no tool. */
export async function explain(words: readonly string[], options: OptionsOf<"explain">): Promise<Printed> {
  const question = await questionFrom(words);
  if (question === "") return misuse("explain needs a question", "explain");
  return explainQuestion(question, { repo: options.repo, json: options.json === true });
}

/** `groundwork enrich`: prints the question with its evidence, for another program. */
export async function enrich(words: readonly string[], options: OptionsOf<"enrich">): Promise<Printed> {
  const question = await questionFrom(words);
  if (question === "") return misuse("enrich needs a question", "enrich");
  const { answer, keep } = await ask(question, options);
  const { document } = answer;
  const isBare = document.fused_context.for_model.additional_context === "";
  keep(isBare ? "" : toAddition(question, answer));
  const { limits_text } = userTexts(document);
  const planned = isPlan(document) ? toLimitsText([LIMITS.planMode()]) : "";
  const told = [`run_id: ${document.run_id}`, limits_text, planned].filter(Boolean);
  process.stderr.write(`${told.join("\n")}\n`);
  // Fail open: whatever goes wrong, Codex gets at least the question.
  return { text: `${isBare ? question : enrichPrompt(question, answer)}\n`, exitCode: 0 };
}

async function questionFrom(words: readonly string[]): Promise<string> {
  return (words.length === 1 && words[0] === "-" ? await readInput() : words.join(" ")).trim();
}
