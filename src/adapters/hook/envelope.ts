import { factsOf } from "../../contract/clients.ts";
import { FAULTS } from "../../contract/faults.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { Prompt } from "../../orchestrator/judge.ts";

/** Who is answered: a client's prompt, or the task of one of its sub-agents. */
export type Asker = Pick<Prompt, "client" | "task" | "marks">;

/**
 * What a client's hook prints. Contract: exactly the keys that the client documents; `systemMessage`, a line for the
 * person, is left out for clients that show none.
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

/** The output with which a client goes on without context; whoever switched it off in the prompt sees that it was heard. */
export function toEmptyOutput(asker: Asker): string {
  return toHookOutput(asker, "", asker.marks?.isOff === true ? `groundwork: ${LIMITS.off("prompt").text}` : "");
}

/** The same where nothing of ours could answer. */
export function toUnavailableOutput(asker: Asker): string {
  return toHookOutput(asker, "", `groundwork: ${FAULTS.E_ORCHESTRATOR.limit}`);
}

function toLongerTask(task: Readonly<Record<string, unknown>>, context: string): unknown {
  const updatedInput = { ...task, prompt: `${String(task["prompt"])}\n\n${context}` };
  return { hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput } };
}

const toLine = (value: unknown) => `${JSON.stringify(value)}\n`;
