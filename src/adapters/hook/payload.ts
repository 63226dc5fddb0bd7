import { isAbsolute } from "node:path";
import { isRecord, parseObject } from "../../base/text.ts";
import { factsOf } from "../../contract/clients.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { Client } from "../../contract/run-document.ts";
import type { Prompt } from "../../orchestrator/judge.ts";
import { hidePrivate, readMarks } from "../../orchestrator/prompt-marks.ts";
import type { Hints } from "../../orchestrator/signals.ts";

/** Maximum length in characters of a session or turn id; longer ids are truncated. */
const MAX_ID = 200;
/** Name of the event before a client's tool call; the call of a sub-agent has its own prompt. */
const BEFORE_TOOL = "PreToolUse";

/**
 * Parses a client's payload. Contract: never throws; anything but an object with a prompt is an empty prompt with a
 * limit; an object that asks for a tool is marked, so that it is refused.
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
    // A bare tool request has no prompt; the placeholder lets it be refused as a tool request.
    return { ...about, text: asksForTool ? "-" : "", limits };
  }
  return { ...about, ...readText(prompt) };
}

/** Returns the text of a prompt without marks and private parts, and what the marks request. */
function readText(given: string): Pick<Prompt, "text" | "marks" | "limits"> {
  const { text, marks } = readMarks(given.toWellFormed());
  if (marks === null) return { text, limits: [] };
  return { text, marks, limits: marks.hasPrivate ? [LIMITS.privateLeftOut()] : [] };
}

/** Makes the payload for another program: unchanged, except that private text in its prompt is removed. */
export function toSharedPayload(payload: string): string {
  const value = parseObject(payload);
  if (value === null) return payload;
  const prompt = readPrompt(value["prompt"]);
  const task = isRecord(value["tool_input"]) ? value["tool_input"] : {};
  const ofTask = typeof task["prompt"] === "string" ? task["prompt"] : null;
  if ([prompt, ofTask].every((text) => text === null || hidePrivate(text) === text)) return payload;
  return JSON.stringify({
    ...value,
    ...(prompt === null ? {} : { prompt: hidePrivate(prompt) }),
    ...(ofTask === null ? {} : { tool_input: { ...task, prompt: hidePrivate(ofTask) } }),
  });
}

/** The session, turn and folder in a payload. */
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

/** Text of the prompt: a string, or the joined texts in a list of parts. */
function readPrompt(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return null;
  const texts = value.flatMap((part: unknown) =>
    isRecord(part) && typeof part["text"] === "string" ? [part["text"]] : [],
  );
  return texts.length === 0 ? null : texts.join("\n");
}

/** True if a payload is a complete JSON object, so that no more input is needed. */
export function isWholeObject(text: string): boolean {
  return text.trimEnd().endsWith("}") && parseObject(text) !== null;
}

/** Makes a prompt from command-line text. */
export function toPrompt(text: string, client: Client, hints: Hints = {}): Prompt {
  return { client, hints, asksForTool: false, ...readText(text) };
}
