import { ANSWER, type ModelApi, type ToolCall, toMessages } from "./api.ts";

/** The Anthropic Messages API: Claude Code. */
export const anthropic: ModelApi = {
  serves: (path) => path === "/v1/messages" || path === "/v1/messages/count_tokens",
  readMessages: ({ messages }) => toMessages(messages),
  reply({ path, body }, call) {
    if (path.endsWith("/count_tokens")) return { json: { input_tokens: 1 } };
    const model = typeof body["model"] === "string" ? body["model"] : "scripted";
    if (body["stream"] !== true) return { json: toMessage(model) };
    return { events: toEvents(model, call).map((data) => ({ name: data.type, data })) };
  },
};

function toMessage(model: string) {
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

function toEvents(model: string, call: ToolCall | null): { type: string; [field: string]: unknown }[] {
  const start = { ...toMessage(model), content: [], stop_reason: null };
  const name = call?.server === undefined ? call?.tool : `mcp__${call.server}__${call.tool}`;
  const [block, delta] =
    call === null
      ? [
          { type: "text", text: "" },
          { type: "text_delta", text: ANSWER },
        ]
      : [
          { type: "tool_use", id: "toolu_scripted", name, input: {} },
          { type: "input_json_delta", partial_json: JSON.stringify(call.args) },
        ];
  const stop_reason = call === null ? "end_turn" : "tool_use";
  return [
    { type: "message_start", message: start },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ];
}
