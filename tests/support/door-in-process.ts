import { parseHookArguments } from "../../src/adapters/hook/arguments.ts";
import { parsePayload } from "../../src/adapters/hook/payload.ts";
import { printAnswer } from "../../src/adapters/hook/print.ts";
import type { Client } from "../../src/contract/run-document.ts";
import { askKernel } from "../../src/entry/orchestrate.ts";
import { judgePrompt } from "../../src/orchestrator/judge.ts";
import type { DoorAnswer, DoorCall } from "./run-door.ts";

/**
 * Answers in this process as the hook's door does: the same payload, kernel and printing, but without the shell, the
 * pipe and the time limit. For questions by the hundred; a few of each kind go through the real door as well.
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
    // CPU time of this process, so that other programs on the machine do not count.
    ms: Math.round((spent.user + spent.system) / 1_000),
    heldMs: 0,
    slowness: 1,
  };
}
