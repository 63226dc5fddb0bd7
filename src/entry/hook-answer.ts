import { HOOK_USAGE, type HookArguments } from "../adapters/hook/arguments.ts";
import { folderOfPrompt } from "../adapters/hook/client.ts";
import { toUnavailableOutput } from "../adapters/hook/envelope.ts";
import { printIntent } from "../adapters/hook/intent.ts";
import { printAnswer, toInjection, toSummary } from "../adapters/hook/print.ts";
import { NO_WAIT, waitForSlot } from "../adapters/resident/answer-slots.ts";
import { stopAllPrograms } from "../base/subprocess/spawn.ts";
import { toMessage } from "../base/text.ts";
import { startTimer } from "../base/timers.ts";
import { isPlan, type KernelAnswer } from "../orchestrator/document.ts";
import type { Prompt } from "../orchestrator/judge.ts";
import { emptyAnswer, orchestrate } from "./orchestrate.ts";
import { doorLimitMs, endTogether, isTerminal, printAndExit, startedMs, workingFolder, writeAll } from "./process.ts";
import { recordRun, withHistoryNotice } from "./record-run.ts";
import { offerResident } from "./start-resident.ts";

/** Answers a prompt that needs the kernel. Contract: always ends the process with a valid answer. */
export async function answerHook(args: HookArguments, prompt: Prompt, payload: string): Promise<void> {
  const { format } = args;
  const { client } = prompt;
  const asked = { client, text: prompt.text, env: process.env };
  // In the hook format the exit code is always 0, or the client discards the answer.
  const folder = folderOfPrompt(prompt, process.env, workingFolder());
  const answer = (given: KernelAnswer): never => {
    const { document, exitCode } = given;
    const isHook = format === "hook";
    const isWatched = isTerminal(2) || process.env["CI_AUTO_TOOLS_PRINT_STDERR_SUMMARY"] === "1";
    if (isHook && isWatched) writeAll(2, toSummary(document));
    writeAll(1, printAnswer(isHook ? withHistoryNotice(given, process.env) : given, format, prompt));
    const injected = isHook ? toInjection(document, client.name) : document.fused_context.for_model.additional_context;
    const door = isHook ? "hook" : "cli";
    recordRun({ env: process.env, door, folder, answer: given, injected, startMs: startedMs() });
    return printAndExit("", isHook ? 0 : exitCode);
  };
  const failOpen = (thrown: unknown): never =>
    format === "hook"
      ? printAndExit(toUnavailableOutput(prompt), 0)
      : answer(emptyAnswer({ code: "E_ORCHESTRATOR", detail: toMessage(thrown) }, asked));
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
  startTimer(doorLimitMs(), () =>
    answer(emptyAnswer({ code: "E_TIMEOUT", detail: "no answer in time" }, asked)),
  ).unref();
  const question = { prompt, payload, env: process.env, folder, signal: giveUp.signal };
  const slot = format === "hook" ? await waitForSlot(process.env) : NO_WAIT;
  if (slot === null) {
    const detail = "other questions were being answered all the while";
    return answer(emptyAnswer({ code: "E_TIMEOUT", detail }, asked));
  }
  process.once("exit", slot.release);
  await orchestrate(question, { waitedMs: slot.waitedMs })
    .then(async (given) => {
      // The resident will answer the next question from memory.
      if (format === "hook" && !isPlan(given.document) && given.document.tool_plan.tools.length > 0)
        await offerResident(process.env, folder).catch(() => {});
      return answer(given);
    })
    .catch(failOpen);
}
