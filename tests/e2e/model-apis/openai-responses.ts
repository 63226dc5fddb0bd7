import { ANSWER, type ModelApi, toMessages } from "./api.ts";

/** The OpenAI Responses API: Codex. */
export const openAiResponses: ModelApi = {
  serves: (path) => path === "/v1/responses",
  readMessages: ({ input }) => toMessages(input),
  reply(_request, call) {
    // Codex offers the tools of a server in a namespace, in whose name underscores replace dashes.
    const namespace = call?.server === undefined ? call?.group : `mcp__${call.server.replaceAll("-", "_")}`;
    const content = [{ type: "output_text", text: ANSWER, annotations: [] }];
    const item =
      call === null
        ? { type: "message", id: "msg_scripted", role: "assistant", status: "completed", content }
        : {
            type: "function_call",
            id: "fc_scripted",
            call_id: "call_scripted",
            ...(namespace === undefined ? {} : { namespace }),
            name: call.tool,
            arguments: JSON.stringify(call.args),
          };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const events = [
      { type: "response.created", response: { id: "resp_scripted" } },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { id: "resp_scripted", output: [item], usage } },
    ];
    return { events: events.map((data) => ({ name: data.type, data })) };
  },
};
