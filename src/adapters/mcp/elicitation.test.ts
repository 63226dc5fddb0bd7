import { describe, expect, it } from "vitest";
import { NO_ANSWER, readForm, toForm } from "./elicitation.ts";

const ask = { question: "Which one?", options: ["red", "green", "blue"], multiSelect: false };
const askMany = { ...ask, multiSelect: true };
const fieldsOf = (question: typeof ask, hasLists: boolean) => toForm(question, { hasLists }).requestedSchema.properties;

describe("a question as a form", () => {
  it("one choice, or an answer in the person's own words", () => {
    expect(fieldsOf(ask, true)).toEqual({
      choice: { type: "string", enum: ask.options },
      answer: { type: "string", title: "Another answer" },
    });
    expect(readForm(ask, { action: "accept", content: { choice: "green" } })).toEqual({ selected: ["green"] });
    expect(readForm(ask, { action: "accept", content: { answer: " mauve " } })).toEqual({
      selected: [],
      customInput: "mauve",
    });
  });

  it("several choices are a list, or checkboxes for clients without lists", () => {
    expect(fieldsOf(askMany, true)["choice"]).toEqual({ type: "array", items: { type: "string", enum: ask.options } });
    expect(fieldsOf(askMany, false)["option_2"]).toEqual({ type: "boolean", title: "green" });
    const list = { action: "accept", content: { choice: ["blue", "red"] } } as const;
    expect(readForm(askMany, { ...list, content: { choice: [...list.content.choice] } })).toEqual({
      selected: ["red", "blue"],
    });
    const boxes = { option_1: true, option_2: false, option_3: true };
    expect(readForm(askMany, { action: "accept", content: boxes })).toEqual({ selected: ["red", "blue"] });
  });

  it("a question without options is free text", () => {
    const free = { question: "Why?", options: [], multiSelect: false };
    expect(Object.keys(toForm(free, { hasLists: true }).requestedSchema.properties)).toEqual(["answer"]);
    expect(readForm(free, { action: "accept", content: { answer: "because" } })).toEqual({
      selected: [],
      customInput: "because",
    });
  });

  it.each([
    { action: "cancel" },
    { action: "decline" },
    { action: "accept" },
    { action: "accept", content: {} },
    { action: "accept", content: { choice: "not offered", answer: "  " } },
    { action: "accept", content: { choice: 3 as never, option_9: true } },
  ] as const)("no answer: %o", (result) => {
    expect(readForm(ask, result)).toEqual(NO_ANSWER);
  });
});
