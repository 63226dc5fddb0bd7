import type { IncomingMessage, ServerResponse } from "node:http";
import { type LoopbackServer, startLoopbackServer } from "../support/loopback-server.ts";

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
export interface ModelServer extends LoopbackServer {
  /** Every request so far, in order of arrival. */
  requests: RecordedRequest[];
}

/** A call of a tool that the model makes once, before it answers, where the client offers that tool. */
export interface ToolWish {
  /** Name that the client knows the tool's MCP server by; none for a tool of the client's own. */
  server?: string;
  tool: string;
  args: Record<string, unknown>;
}

/** Starts a scripted model on a free port. Contract: it ends, open connections included, when it is disposed. */
export async function startModelServer(wish?: ToolWish): Promise<ModelServer> {
  const requests: RecordedRequest[] = [];
  const server = await startLoopbackServer((request, response) => {
    void serve(request, response, { requests, wish }).catch((error: Error) => response.destroy(error));
  });
  return { ...server, requests };
}

interface WireBody {
  model?: string;
  stream?: boolean;
  messages?: WireMessage[];
  input?: WireMessage[];
  tools?: unknown[];
}

interface WireMessage {
  role?: string;
  content?: string | { text?: string }[];
}

interface ServerEvent {
  type: string;
  [field: string]: unknown;
}

interface Script {
  requests: RecordedRequest[];
  wish: ToolWish | undefined;
}

async function serve(request: IncomingMessage, response: ServerResponse, { requests, wish }: Script): Promise<void> {
  const text = Buffer.concat(await request.toArray()).toString("utf8");
  const body: WireBody = text === "" ? {} : JSON.parse(text);
  const path = new URL(request.url ?? "/", "http://loopback").pathname;
  requests.push({ method: request.method ?? "", path, body: text, messages: toMessages(body) });

  const call = wish !== undefined && isDue(body, wish) ? wish : null;
  if (path === "/v1/messages") {
    if (body.stream === true) sendEvents(response, anthropicEvents(body.model, call));
    else sendJson(response, 200, anthropicMessage(body.model));
  } else if (path === "/v1/messages/count_tokens") sendJson(response, 200, { input_tokens: 1 });
  else if (path === "/v1/responses") sendEvents(response, openAiEvents(call));
  else
    sendJson(response, 404, { type: "error", error: { type: "not_found_error", message: `${path} is not scripted` } });
}

/** Whether the tool is offered and was not called yet. */
function isDue({ tools, messages, input }: WireBody, { tool }: ToolWish): boolean {
  return (
    JSON.stringify(tools ?? []).includes(tool) &&
    !/"(?:tool_result|function_call_output)"/.test(JSON.stringify(messages ?? input))
  );
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

function anthropicEvents(model: string | undefined, call: ToolWish | null): ServerEvent[] {
  const start = { ...anthropicMessage(model), content: [], stop_reason: null };
  if (call !== null) {
    const use = { type: "tool_use", id: "toolu_scripted", name: `mcp__${call.server}__${call.tool}`, input: {} };
    return [
      { type: "message_start", message: start },
      { type: "content_block_start", index: 0, content_block: use },
      {
        type: "content_block_delta",
        index: 0,
        delta: { type: "input_json_delta", partial_json: JSON.stringify(call.args) },
      },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: "message_stop" },
    ];
  }
  return [
    { type: "message_start", message: start },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: ANSWER } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ];
}

function openAiEvents(call: ToolWish | null): ServerEvent[] {
  const content = [{ type: "output_text", text: ANSWER, annotations: [] }];
  const item =
    call === null
      ? { type: "message", id: "msg_scripted", role: "assistant", status: "completed", content }
      : {
          type: "function_call",
          id: "fc_scripted",
          call_id: "call_scripted",
          // Codex offers the tools of a server in a namespace, dashes in its name as underscores.
          ...(call.server === undefined ? {} : { namespace: `mcp__${call.server.replaceAll("-", "_")}` }),
          name: call.tool,
          arguments: JSON.stringify(call.args),
        };
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
