/** Answer of the scripted model to every question. */
export const ANSWER = "The scripted model has answered.";

/** One message to the model: its role, and its text blocks as sent. */
export interface Message {
  /** `user`, `assistant`, `system`, `developer`, `model` or `tool`. */
  role: string;
  /** The text of each content block, in order; empty for one that is not text. */
  texts: string[];
}

/** A tool call that the model makes once, before it answers, if the client offers that tool. */
export interface ToolWish {
  /** The client's name of the tool's MCP server; absent for one of the client's own tools. */
  server?: string;
  /** Group of the client's own tools that contains it, if the client has groups. */
  group?: string;
  tool: string;
  /** Its arguments, or a function that derives them from the conversation; null if the call is not due yet. */
  args: Record<string, unknown> | ((body: string) => Record<string, unknown> | null);
}

/** A call that is due. */
export type ToolCall = ToolWish & { args: Record<string, unknown> };

/** A parsed request body. */
export type WireBody = Readonly<Record<string, unknown>>;

/** A response: one JSON value, or a stream of server-sent events with optional names. */
export type Reply = { json: unknown } | { events: readonly { name?: string; data: unknown }[] };

/** An API that clients use to talk to a model. */
export interface ModelApi {
  /** True if a path belongs to this API. */
  serves: (path: string) => boolean;
  /** Returns the conversation in a body; empty if there is none. */
  readMessages: (body: WireBody) => Message[];
  /** Returns the model's answer, or its tool call. */
  reply: (request: { path: string; body: WireBody }, call: ToolCall | null) => Reply;
}

/** A message whose content is one text or a list of blocks, as most APIs have it. */
interface WireMessage {
  role?: string;
  content?: string | { text?: string }[] | null;
}

/** Returns the messages of a list, without other items. */
export function toMessages(list: unknown): Message[] {
  return ((list ?? []) as WireMessage[]).flatMap(({ role, content }) => {
    if (role === undefined || content === undefined || content === null) return [];
    return [{ role, texts: typeof content === "string" ? [content] : content.map((block) => block.text ?? "") }];
  });
}
