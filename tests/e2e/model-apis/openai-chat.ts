import { ANSWER, type ModelApi, toMessages } from "./api.ts";

/** The OpenAI Chat Completions API: Copilot CLI, Qwen Code, Kimi Code, opencode. */
export const openAiChat: ModelApi = {
  serves: (path) => path === "/v1/chat/completions",
  readMessages: ({ messages }) => toMessages(messages),
  reply({ body }) {
    const head = { id: "chatcmpl-scripted", created: 1, model: body["model"] ?? "scripted" };
    const message = { role: "assistant", content: ANSWER };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    if (body["stream"] !== true) {
      const choices = [{ index: 0, message, finish_reason: "stop" }];
      return { json: { ...head, object: "chat.completion", choices, usage } };
    }
    const chunk = (choices: unknown[], more = {}) => ({
      data: { ...head, object: "chat.completion.chunk", choices, ...more },
    });
    return {
      events: [
        chunk([{ index: 0, delta: message, finish_reason: null }]),
        chunk([{ index: 0, delta: {}, finish_reason: "stop" }]),
        chunk([], { usage }),
        { data: "[DONE]" },
      ],
    };
  },
};
