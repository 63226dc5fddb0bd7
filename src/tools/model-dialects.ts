import { isRecord, parseObject, textOf } from "../base/text.ts";

/** A model's reply: text and tool calls. */
export interface ModelReply {
  readonly text: string;
  readonly calls: readonly ModelCall[];
}

/** A tool call that a model asks for. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  /** Null if what the model wrote is not an object. */
  readonly args: Readonly<Record<string, unknown>> | null;
}

interface ToldTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** An entry of the conversation, independent of the wire format. */
export type Message =
  | { readonly by: "user"; readonly text: string }
  | { readonly by: "model"; readonly reply: ModelReply }
  | { readonly by: "tools"; readonly results: readonly { readonly id: string; readonly text: string }[] };

/** The protocol of one kind of server. */
export interface Dialect {
  /** Used if the address itself has no path. */
  readonly path: string;
  readonly headers: (key: string) => Readonly<Record<string, string>>;
  readonly toBody: (dialogue: Dialogue) => Readonly<Record<string, unknown>>;
  /** Null for anything that is not a reply; null stands for an answer that is no object. */
  readonly readReply: (answer: Readonly<Record<string, unknown>> | null) => ModelReply | null;
}

/** Everything a request contains. */
export interface Dialogue {
  readonly model: string;
  readonly system: string;
  readonly turns: readonly Message[];
  readonly tools: readonly ToldTool[];
}

const MAX_TOKENS = 2_000;

const openai: Dialect = {
  path: "/v1/chat/completions",
  headers: (key) => (key === "" ? {} : { authorization: `Bearer ${key}` }),
  toBody: ({ model, system, turns, tools }) => ({
    model,
    messages: [{ role: "system", content: system }, ...turns.flatMap(toOpenaiMessages)],
    tools: tools.map(({ name, description, schema }) => ({
      type: "function",
      function: { name, description, parameters: schema },
    })),
  }),
  readReply: (answer) => {
    const choices = answer?.["choices"];
    const message = Array.isArray(choices) && isRecord(choices[0]) ? choices[0]["message"] : null;
    if (!isRecord(message)) return null;
    const calls = listOf(message["tool_calls"]).flatMap((call) => {
      const asked = call["function"];
      if (!isRecord(asked)) return [];
      const { arguments: args } = asked;
      return [toCall(textOf(call, "id"), textOf(asked, "name"), typeof args === "string" ? parseObject(args) : args)];
    });
    return { text: textOf(message, "content"), calls };
  },
};

function toOpenaiMessages(turn: Message): Record<string, unknown>[] {
  if (turn.by === "user") return [{ role: "user", content: turn.text }];
  if (turn.by === "tools")
    return turn.results.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text }));
  const { text, calls } = turn.reply;
  return [
    {
      role: "assistant",
      content: text,
      tool_calls: calls.map(({ id, name, args }) => ({
        id,
        type: "function",
        function: { name, arguments: JSON.stringify(args ?? {}) },
      })),
    },
  ];
}

const anthropic: Dialect = {
  path: "/v1/messages",
  headers: (key) => ({ "anthropic-version": "2023-06-01", ...(key === "" ? {} : { "x-api-key": key }) }),
  toBody: ({ model, system, turns, tools }) => ({
    model,
    max_tokens: MAX_TOKENS,
    system,
    messages: turns.map(toAnthropicMessage),
    tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
  }),
  readReply: (answer) => {
    if (!Array.isArray(answer?.["content"])) return null;
    const blocks = listOf(answer["content"]);
    return {
      text: blocks.map((block) => (block["type"] === "text" ? textOf(block, "text") : "")).join(""),
      calls: blocks
        .filter((block) => block["type"] === "tool_use")
        .map((block) => toCall(textOf(block, "id"), textOf(block, "name"), block["input"])),
    };
  },
};

function toAnthropicMessage(turn: Message): Record<string, unknown> {
  if (turn.by === "user") return { role: "user", content: turn.text };
  if (turn.by === "tools")
    return {
      role: "user",
      content: turn.results.map(({ id, text }) => ({ type: "tool_result", tool_use_id: id, content: text })),
    };
  const { text, calls } = turn.reply;
  return {
    role: "assistant",
    content: [
      // The API rejects an empty block.
      ...(text === "" ? [] : [{ type: "text", text }]),
      ...calls.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: args ?? {} })),
    ],
  };
}

/** The dialects by the name used in the setting. */
export const DIALECTS: Readonly<Record<"openai" | "anthropic", Dialect>> = { openai, anthropic };

function toCall(id: string, name: string, args: unknown): ModelCall {
  return { id, name, args: isRecord(args) ? args : null };
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
