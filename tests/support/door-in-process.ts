import { parseHookArguments } from "../../src/adapters/hook/arguments.ts";
import { parsePayload } from "../../src/adapters/hook/payload.ts";
import { printAnswer } from "../../src/adapters/hook/print.ts";
import type { Client } from "../../src/contract/run-document.ts";
import { askKernel } from "../../src/entry/orchestrate.ts";
import { judgePrompt } from "../../src/orchestrator/judge.ts";
import type { DoorAnswer, DoorCall } from "./run-door.ts";

/**
 * Answers as the hook's door does, in this process: the same payload, kernel and printing, without the shell, reading from a
 * pipe and the limit of time. For what is asked by the hundred; a few runs of each kind go through the real door as well.
 */
export async function askInProcess({ cwd, env, args = [], input }: DoorCall): Promise<DoorAnswer> {
  const { format, hints } = parseHookArguments(args);
  const client: Client = { name: "claude-code", event: format === "hook" ? "UserPromptSubmit" : "cli" };
  const prompt = parsePayload(Buffer.from(input ?? "").toString("utf8"), client, hints);
  const judgement = judgePrompt(prompt.text, prompt.hints);
  const startUs = process.cpuUsage();
  const answer = await askKernel({
    prompt: { ...prompt, judgement },
    env: { CI_AUTO_TOOLS_INDEX: "off", ...env },
    folder: cwd,
    signal: new AbortController().signal,
  });
  const spent = process.cpuUsage(startUs);
  return {
    code: format === "hook" ? 0 : answer.exitCode,
    signal: null,
    stdout: Buffer.from(printAnswer(answer, format, { client })),
    stderr: "",
    // In one process with the test, what it spends is told apart from what the machine is busy with.
    ms: Math.round((spent.user + spent.system) / 1_000),
    heldMs: 0,
    slowness: 1,
  };
}
