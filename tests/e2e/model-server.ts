import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the scripted model says, whatever it is asked. */
export const ANSWER = "The scripted model has answered.";

/** One message a client gave the model: who speaks, and its text blocks as they were sent. */
interface Message {
  /** `user`, `assistant`, `system` or `developer`. */
  role: string;
  /** The text of each content block, in order; empty for one that is not text. */
  texts: string[];
}

/** One request as it reached the server. */
export interface RecordedRequest {
  /** HTTP method. */
  method: string;
  /** Path without the query. */
  path: string;
  /** The body as it came. */
  body: string;
  /** The conversation in the body; empty where there is none. */
  messages: Message[];
}

/** A model on loopback that speaks the Anthropic Messages API and the OpenAI Responses API. */
export interface ModelServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, without a path. */
  url: string;
  /** Every request so far, in order of arrival. */
  requests: RecordedRequest[];
}

/** Starts a scripted model on a free port. Contract: it ends, open connections included, when it is disposed. */
export async function startModelServer(): Promise<ModelServer> {
  const requests: RecordedRequest[] = [];
  const server = createServer((request, response) => {
    void serve(request, response, requests).catch((error: Error) => response.destroy(error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

interface WireBody {
  model?: string;
  stream?: boolean;
  messages?: WireMessage[];
  input?: WireMessage[];
}

interface WireMessage {
  role?: string;
  content?: string | { text?: string }[];
}

interface ServerEvent {
  type: string;
  [field: string]: unknown;
}

async function serve(request: IncomingMessage, response: ServerResponse, requests: RecordedRequest[]): Promise<void> {
  const text = Buffer.concat(await request.toArray()).toString("utf8");
  const body: WireBody = text === "" ? {} : JSON.parse(text);
  const path = new URL(request.url ?? "/", "http://loopback").pathname;
  requests.push({ method: request.method ?? "", path, body: text, messages: toMessages(body) });

  if (path === "/v1/messages") {
    if (body.stream === true) sendEvents(response, anthropicEvents(body.model));
    else sendJson(response, 200, anthropicMessage(body.model));
  } else if (path === "/v1/messages/count_tokens") sendJson(response, 200, { input_tokens: 1 });
  else if (path === "/v1/responses") sendEvents(response, openAiEvents());
  else
    sendJson(response, 404, { type: "error", error: { type: "not_found_error", message: `${path} is not scripted` } });
}

function toMessages(body: WireBody): Message[] {
  return (body.messages ?? body.input ?? []).flatMap(({ role, content }) => {
    if (role === undefined || content === undefined) return [];
    return [{ role, texts: typeof content === "string" ? [content] : content.map((block) => block.text ?? "") }];
  });
}

function anthropicMessage(model = "scripted") {
  return {
    id: "msg_scripted",
    type: "message",
    role: "assistant",
    model,
    content: [{ type: "text", text: ANSWER }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}

function anthropicEvents(model?: string): ServerEvent[] {
  const start = { ...anthropicMessage(model), content: [], stop_reason: null };
  return [
    { type: "message_start", message: start },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: ANSWER } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ];
}

function openAiEvents(): ServerEvent[] {
  const content = [{ type: "output_text", text: ANSWER, annotations: [] }];
  const item = { type: "message", id: "msg_scripted", role: "assistant", status: "completed", content };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  return [
    { type: "response.created", response: { id: "resp_scripted" } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { id: "resp_scripted", output: [item], usage } },
  ];
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

function sendEvents(response: ServerResponse, events: ServerEvent[]): void {
  const lines = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.writeHead(200, { "content-type": "text/event-stream" }).end(lines.join(""));
}
