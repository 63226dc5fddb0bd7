import { toPrompt } from "../adapters/hook/payload.ts";
import { systemClock } from "../base/clock.ts";
import type { Client } from "../contract/run-document.ts";
import type { RunDoor } from "../contract/run-history.ts";
import type { KernelAnswer } from "../orchestrator/document.ts";
import { orchestrate, type Question } from "./orchestrate.ts";
import { recordRun } from "./record-run.ts";

/** A question that comes from a command line, a loop or a job instead of a client's hook. */
interface TextQuestion extends Omit<Question, "prompt" | "payload"> {
  readonly door: RunDoor;
  readonly client: Client;
  /** Exactly the text that the model is given of an answer. */
  readonly toInjected: (answer: KernelAnswer) => string;
}

/** Asks the orchestrator about a text and records the run. Contract: as `orchestrate`. */
export async function askText(
  text: string,
  { door, client, toInjected, ...asking }: TextQuestion,
): Promise<KernelAnswer> {
  const startMs = systemClock.nowMs();
  const payload = JSON.stringify({ prompt: text });
  const answer = await orchestrate({ ...asking, prompt: toPrompt(text, client), payload });
  const { env, folder } = asking;
  recordRun({ env, door, folder, answer, injected: toInjected(answer), startMs });
  return answer;
}
