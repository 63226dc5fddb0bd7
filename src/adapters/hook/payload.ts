import { isRecord } from "../../base/text.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { Client } from "../../contract/run-document.ts";
import type { Prompt } from "../../orchestrator/prompt.ts";
import type { Hints } from "../../orchestrator/signals.ts";

/** Most characters of a session id that are kept. */
const MAX_SESSION_ID = 200;

/**
 * Reads what a client sends. Contract: never throws; anything but an object with a string `prompt` counts as an empty
 * prompt with a limit; an object that asks for a tool is marked, so that it is refused.
 */
export function parsePayload(text: string, client: Client, hints: Hints): Prompt {
  const nothing = { text: "", client, hints, asksForTool: false };
  if (text.trim() === "") return { ...nothing, limits: [] };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ...nothing, limits: [LIMITS.inputInvalid()] };
  }
  if (!isRecord(value)) return { ...nothing, limits: [LIMITS.inputInvalid()] };
  const asksForTool = value["tool"] !== undefined || value["tool_calls"] !== undefined;
  const session = value["session_id"];
  const named =
    typeof session === "string" && session !== ""
      ? { ...client, session_id: session.slice(0, MAX_SESSION_ID).toWellFormed() }
      : client;
  if (typeof value["prompt"] !== "string") {
    const limits = asksForTool ? [] : [LIMITS.inputInvalid()];
    // A bare tool request has no prompt, but it is refused as what it is.
    return { ...nothing, text: asksForTool ? "-" : "", client: named, asksForTool, limits };
  }
  return { text: value["prompt"].toWellFormed(), client: named, hints, asksForTool, limits: [] };
}

/** True where a payload is a whole JSON object, so that nothing has to be waited for. */
export function isWholeObject(text: string): boolean {
  if (!text.trimEnd().endsWith("}")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A prompt from the command line. */
export function toPrompt(text: string, client: Client, hints: Hints): Prompt {
  return { text: text.toWellFormed(), client, hints, asksForTool: false, limits: [] };
}
