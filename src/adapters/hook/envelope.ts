import { FAULTS } from "../../contract/faults.ts";

/** What a client's UserPromptSubmit hook prints. Contract: exactly the keys that the clients document. */
export function toEnvelope(additionalContext: string, systemMessage: string): string {
  const hookSpecificOutput = { hookEventName: "UserPromptSubmit", additionalContext };
  return `${JSON.stringify({ hookSpecificOutput, ...(systemMessage === "" ? {} : { systemMessage }) })}\n`;
}

/** The empty envelope: the client goes on without context. */
export const EMPTY_ENVELOPE = toEnvelope("", "");

/** The empty envelope where nothing of ours could answer. */
export const UNAVAILABLE_ENVELOPE = toEnvelope("", `groundwork: ${FAULTS.E_ORCHESTRATOR.limit}`);
