import { isAbsolute } from "node:path";
import { isRecord, parseObject } from "../../base/text.ts";
import { factsOf } from "../../contract/clients.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { Client } from "../../contract/run-document.ts";
import type { Prompt } from "../../orchestrator/judge.ts";
import { hidePrivate, readMarks } from "../../orchestrator/prompt-marks.ts";
import type { Hints } from "../../orchestrator/signals.ts";

/** Most characters of an id of a session or a turn that are kept. */
const MAX_ID = 200;
/** The event before a client's tool call; the call of a sub-agent has a prompt of its own. */
const BEFORE_TOOL = "PreToolUse";

/**
 * Reads what a client sends. Contract: never throws; anything but an object with a prompt counts as an empty
 * prompt with a limit; an object that asks for a tool is marked, so that it is refused.
 */
export function parsePayload(text: string, client: Client, hints: Hints): Prompt {
  const nothing = { text: "", client, hints, asksForTool: false };
  if (text.trim() === "") return { ...nothing, limits: [] };
  const value = parseObject(text);
  if (value === null) return { ...nothing, limits: [LIMITS.inputInvalid()] };
  const asksForTool = value["tool"] !== undefined || value["tool_calls"] !== undefined;
  const task = value["hook_event_name"] === BEFORE_TOOL ? value["tool_input"] : undefined;
  if (isRecord(task) && typeof task["prompt"] === "string") {
    const place = readPlace(value, client, "tool_use_id");
    return { ...place, hints, asksForTool, task, ...readText(task["prompt"]) };
  }
  const about = { ...readPlace(value, client, factsOf(client.name).turnField), hints, asksForTool };
  const prompt = readPrompt(value["prompt"]);
  if (prompt === null) {
    const limits = asksForTool ? [] : [LIMITS.inputInvalid()];
    // A bare tool request has no prompt, but it is refused as what it is.
    return { ...about, text: asksForTool ? "-" : "", limits };
  }
  return { ...about, ...readText(prompt) };
}

/** What of a person's text may be worked with, and what its marks ask for. */
function readText(given: string): Pick<Prompt, "text" | "marks" | "limits"> {
  const { text, marks } = readMarks(given.toWellFormed());
  if (marks === null) return { text, limits: [] };
  return { text, marks, limits: marks.hasPrivate ? [LIMITS.privateLeftOut()] : [] };
}

/** A payload for another program: the same, without what its prompt marks as private. */
export function toSharedPayload(payload: string): string {
  const value = parseObject(payload);
  if (value === null) return payload;
  const prompt = readPrompt(value["prompt"]);
  const hidden = prompt === null ? null : hidePrivate(prompt);
  const task = value["tool_input"];
  const ofTask = isRecord(task) && typeof task["prompt"] === "string" ? hidePrivate(task["prompt"]) : null;
  const isSame = hidden === prompt && (ofTask === null || (isRecord(task) && ofTask === task["prompt"]));
  if (isSame) return payload;
  return JSON.stringify({
    ...value,
    ...(hidden === null ? {} : { prompt: hidden }),
    ...(isRecord(task) && ofTask !== null ? { tool_input: { ...task, prompt: ofTask } } : {}),
  });
}

/** The session, turn and folder that a payload names. */
function readPlace(value: Readonly<Record<string, unknown>>, client: Client, turnField: string) {
  const { namesFolder } = factsOf(client.name);
  const session = toId(value["session_id"] ?? value["sessionId"]);
  const turn = turnField === "" ? null : toId(value[turnField]);
  const folder = value["cwd"];
  return {
    client: session === null ? client : { ...client, session_id: session },
    ...(turn === null ? {} : { turnId: turn }),
    ...(namesFolder && typeof folder === "string" && isAbsolute(folder) ? { folder } : {}),
  };
}

function toId(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value.slice(0, MAX_ID).toWellFormed() : null;
}

/** The prompt's text: a string, or the texts among a list of parts. */
function readPrompt(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return null;
  const texts = value.flatMap((part: unknown) =>
    isRecord(part) && typeof part["text"] === "string" ? [part["text"]] : [],
  );
  return texts.length === 0 ? null : texts.join("\n");
}

/** True where a payload is a whole JSON object, so that nothing has to be waited for. */
export function isWholeObject(text: string): boolean {
  return text.trimEnd().endsWith("}") && parseObject(text) !== null;
}

/** A prompt from the command line. */
export function toPrompt(text: string, client: Client, hints: Hints): Prompt {
  return { client, hints, asksForTool: false, ...readText(text) };
}
