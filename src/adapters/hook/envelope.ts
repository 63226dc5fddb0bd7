import { factsOf } from "../../contract/clients.ts";
import { FAULTS } from "../../contract/faults.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { Prompt } from "../../orchestrator/judge.ts";

/** The recipient of an answer: a client's prompt, or the task of one of its sub-agents. */
export type Asker = Pick<Prompt, "client" | "task" | "marks">;

/**
 * Formats the output of a client's hook. Contract: exactly the keys that the client documents; `systemMessage`, a line
 * for the person, is omitted for clients that do not show it.
 */
export function toHookOutput({ client, task }: Asker, additionalContext: string, systemMessage: string): string {
  const { shape, event } = factsOf(client.name);
  const isBare = additionalContext === "";
  if (task !== undefined) return toLine(isBare ? {} : toLongerTask(task, additionalContext));
  if (shape === "flat") return toLine(isBare ? {} : { additionalContext });
  if (shape === "message") return isBare ? "" : toLine({ message: additionalContext });
  const hookSpecificOutput = { hookEventName: event, additionalContext };
  return toLine({ hookSpecificOutput, ...(systemMessage === "" ? {} : { systemMessage }) });
}

/** Output with which a client continues without context. It confirms an opt-out in the prompt. */
export function toEmptyOutput(asker: Asker): string {
  return toHookOutput(asker, "", asker.marks?.isOff === true ? `groundwork: ${LIMITS.off("prompt").text}` : "");
}

/** The same, if no orchestrator could answer. */
export function toUnavailableOutput(asker: Asker): string {
  return toHookOutput(asker, "", `groundwork: ${FAULTS.E_ORCHESTRATOR.limit}`);
}

function toLongerTask(task: Readonly<Record<string, unknown>>, context: string): unknown {
  const updatedInput = { ...task, prompt: `${String(task["prompt"])}\n\n${context}` };
  return { hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput } };
}

const toLine = (value: unknown) => `${JSON.stringify(value)}\n`;
