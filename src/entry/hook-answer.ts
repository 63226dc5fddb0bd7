import { HOOK_USAGE, type HookArguments } from "../adapters/hook/arguments.ts";
import { UNAVAILABLE_ENVELOPE } from "../adapters/hook/envelope.ts";
import { printIntent } from "../adapters/hook/intent.ts";
import { printAnswer, toSummary } from "../adapters/hook/print.ts";
import { stopAllPrograms } from "../base/subprocess/spawn.ts";
import { toMessage } from "../base/text.ts";
import { startTimer } from "../base/timers.ts";
import type { KernelAnswer } from "../orchestrator/answer.ts";
import type { Prompt } from "../orchestrator/prompt.ts";
import { emptyAnswer, orchestrate } from "./orchestrate.ts";
import { doorLimitMs, endTogether, isTerminal, printAndExit, projectRoot, workingFolder, writeAll } from "./process.ts";

/** Answers a prompt that needs the kernel. Contract: always ends the process with a valid answer. */
export async function answerHook(args: HookArguments, prompt: Prompt, payload: string): Promise<void> {
  const { format } = args;
  const { client } = prompt;
  // In the hook format the exit code is always 0, or the client discards the answer.
  const answer = (given: KernelAnswer): never => {
    const { document, exitCode } = given;
    const isWatched = isTerminal(2) || process.env["CI_AUTO_TOOLS_PRINT_STDERR_SUMMARY"] === "1";
    if (format === "hook" && isWatched) writeAll(2, toSummary(document));
    return printAndExit(printAnswer(given, format, client.name), format === "hook" ? 0 : exitCode);
  };
  const failOpen = (thrown: unknown): never =>
    format === "hook"
      ? printAndExit(UNAVAILABLE_ENVELOPE, 0)
      : answer(emptyAnswer("E_ORCHESTRATOR", client, prompt.text, toMessage(thrown)));
  endTogether(stopAllPrograms, (code) => (format === "hook" ? 0 : code));
  process.once("uncaughtException", failOpen);
  if (args.help) return printAndExit(HOOK_USAGE, 0);
  if (args.analyzeIntent) {
    const { text, exitCode } = printIntent(prompt, format);
    return printAndExit(text, exitCode);
  }
  const giveUp = new AbortController();
  // Aborting leaves the kernel a second to answer with what it has.
  startTimer(doorLimitMs() - 1_000, () => giveUp.abort()).unref();
  startTimer(doorLimitMs(), () => answer(emptyAnswer("E_TIMEOUT", client, prompt.text, "no answer in time"))).unref();
  const question = { prompt, payload, env: process.env, folder: workingFolder(), projectRoot, signal: giveUp.signal };
  await orchestrate(question).then(answer, failOpen);
}
