import { ANSWER, type Message, type ModelApi } from "./api.ts";

interface WireContent {
  role?: string;
  parts?: { text?: string }[];
}

/** The Gemini API: Gemini CLI. */
export const gemini: ModelApi = {
  serves: (path) => /^\/v1(?:beta)?\/models\/[^/]+:(?:generateContent|streamGenerateContent|countTokens)$/.test(path),
  readMessages: ({ contents }) =>
    ((contents ?? []) as WireContent[]).map(
      ({ role = "user", parts = [] }): Message => ({ role, texts: parts.map(({ text }) => text ?? "") }),
    ),
  reply({ path }) {
    if (path.endsWith(":countTokens")) return { json: { totalTokens: 1 } };
    const content = { role: "model", parts: [{ text: ANSWER }] };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    const data = { candidates: [{ index: 0, content, finishReason: "STOP" }], usageMetadata };
    return path.endsWith(":generateContent") ? { json: data } : { events: [{ data }] };
  },
};
