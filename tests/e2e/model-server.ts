import type { IncomingMessage, ServerResponse } from "node:http";
import { type LoopbackServer, startLoopbackServer } from "../support/loopback-server.ts";
import { anthropic } from "./model-apis/anthropic.ts";
import type { Message, ModelApi, Reply, ToolCall, ToolWish, WireBody } from "./model-apis/api.ts";
import { gemini } from "./model-apis/gemini.ts";
import { openAiChat } from "./model-apis/openai-chat.ts";
import { openAiResponses } from "./model-apis/openai-responses.ts";

const APIS: readonly ModelApi[] = [anthropic, openAiResponses, openAiChat, gemini];

/** A request as received by the server. */
export interface RecordedRequest {
  /** HTTP method. */
  method: string;
  /** Path without the query. */
  path: string;
  /** When it arrived, in milliseconds since 1970. */
  atMs: number;
  /** The body as received. */
  body: string;
  /** The conversation in the body; empty if there is none. */
  messages: Message[];
}

/** A model on loopback that implements the APIs of all clients. */
export interface ModelServer extends LoopbackServer {
  /** Every request so far, in order of arrival. */
  requests: RecordedRequest[];
}

/**
 * Starts a scripted model on a free port, which makes the requested calls one after the other. Contract: disposing it
 * ends it, including open connections.
 */
export async function startModelServer(...wishes: ToolWish[]): Promise<ModelServer> {
  const script: Script = { requests: [], wishes };
  const server = await startLoopbackServer((request, response) => {
    void serve(request, response, script).catch((error: Error) => response.destroy(error));
  });
  return { ...server, requests: script.requests };
}

/** The result of its call that the model received: the first request that contains the mark. */
export function resultIn({ requests }: ModelServer, mark: string): string {
  return requests.find(({ body }) => body.includes(mark))?.body ?? "";
}

interface Script {
  requests: RecordedRequest[];
  /** Calls that have not been made yet. */
  wishes: ToolWish[];
}

async function serve(request: IncomingMessage, response: ServerResponse, script: Script): Promise<void> {
  const atMs = Date.now();
  const text = Buffer.concat(await request.toArray()).toString("utf8");
  const body: WireBody = text === "" ? {} : JSON.parse(text);
  const path = new URL(request.url ?? "/", "http://loopback").pathname;
  const api = APIS.find(({ serves }) => serves(path));
  const messages = api?.readMessages(body) ?? [];
  script.requests.push({ method: request.method ?? "", path, atMs, body: text, messages });
  if (api === undefined) {
    const error = { type: "not_found_error", message: `${path} is not scripted` };
    sendJson(response, 404, { type: "error", error });
    return;
  }
  send(response, api.reply({ path, body }, takeCall(script, body, text)));
}

/** Removes and returns the next requested call, if its tool is offered. */
function takeCall({ wishes }: Script, { tools }: WireBody, text: string): ToolCall | null {
  const [wish] = wishes;
  if (wish === undefined || !JSON.stringify(tools ?? []).includes(wish.tool)) return null;
  const args = typeof wish.args === "function" ? wish.args(text) : wish.args;
  if (args === null) return null;
  wishes.shift();
  return { ...wish, args };
}

function send(response: ServerResponse, reply: Reply): void {
  if ("json" in reply) {
    sendJson(response, 200, reply.json);
    return;
  }
  const lines = reply.events.map(({ name, data }) => {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    return `${name === undefined ? "" : `event: ${name}\n`}data: ${text}\n\n`;
  });
  response.writeHead(200, { "content-type": "text/event-stream" }).end(lines.join(""));
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
