/** What the scripted model says, whatever it is asked. */
export const ANSWER = "The scripted model has answered.";

/** One message a client gave the model: who speaks, and its text blocks as they were sent. */
export interface Message {
  /** `user`, `assistant`, `system`, `developer`, `model` or `tool`. */
  role: string;
  /** The text of each content block, in order; empty for one that is not text. */
  texts: string[];
}

/** A call of a tool that the model makes once, before it answers, where the client offers that tool. */
export interface ToolWish {
  /** Name that the client knows the tool's MCP server by; none for a tool of the client's own. */
  server?: string;
  /** Name of the group of the client's own tools that has it, where the client has groups. */
  group?: string;
  tool: string;
  /** Its arguments, or how they follow from the conversation; null where the call is not due yet. */
  args: Record<string, unknown> | ((body: string) => Record<string, unknown> | null);
}

/** A call that is due. */
export type ToolCall = ToolWish & { args: Record<string, unknown> };

/** A body as it came, parsed. */
export type WireBody = Readonly<Record<string, unknown>>;

/** What the server sends back: one JSON value, or a stream of server-sent events, each with its name where it has one. */
export type Reply = { json: unknown } | { events: readonly { name?: string; data: unknown }[] };

/** One way in which clients talk to a model. */
export interface ModelApi {
  /** Whether a path belongs to this API. */
  serves: (path: string) => boolean;
  /** The conversation in a body; empty where there is none. */
  readMessages: (body: WireBody) => Message[];
  /** The model's answer, or its call of a tool. */
  reply: (request: { path: string; body: WireBody }, call: ToolCall | null) => Reply;
}

/** A message whose content is one text or a list of blocks, as most APIs have it. */
interface WireMessage {
  role?: string;
  content?: string | { text?: string }[] | null;
}

/** The messages of a list, without what is no message. */
export function toMessages(list: unknown): Message[] {
  return ((list ?? []) as WireMessage[]).flatMap(({ role, content }) => {
    if (role === undefined || content === undefined || content === null) return [];
    return [{ role, texts: typeof content === "string" ? [content] : content.map((block) => block.text ?? "") }];
  });
}
