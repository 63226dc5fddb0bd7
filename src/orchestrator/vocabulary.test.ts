import { describe, expect, it } from "vitest";
import type { NameFact, Vocabulary } from "../contract/tool.ts";
import { judgePrompt } from "./judge.ts";
import { decideByVocabulary } from "./vocabulary.ts";

const name = (text: string, more: Partial<NameFact>): NameFact => ({
  text,
  definitions: 0,
  defined_at: "",
  files: 0,
  of: 100,
  ...more,
});
const knowing = (...names: NameFact[]): Vocabulary => ({ names, grade: "sure", confidence: 0.9 });

async function decide(prompt: string, vocabulary: Vocabulary | null, threshold = 0.5) {
  let looks = 0;
  const { analysis, clues } = await decideByVocabulary(judgePrompt(prompt, {}), threshold, async () => {
    looks++;
    return vocabulary;
  });
  return { intent: analysis.intent, why: analysis.why, symbols: clues.symbols, confidence: analysis.confidence, looks };
}

describe("[REQ-ATO-008] [ATO-CTL-2] the repository's words decide what the wording leaves open", () => {
  const slugify = name("slugify", { definitions: 2, defined_at: "src/text.py:1", files: 4 });

  it("a question about something that is defined here is about code", async () => {
    const decided = await decide("what does slugify do", knowing(slugify));
    expect(decided).toMatchObject({ intent: "explore", symbols: ["slugify"], looks: 1 });
    expect(decided.why).toBe("slugify, defined at src/text.py:1 and 1 more");
  });

  it.each([
    ["nothing of that name is here", knowing(name("slugify", {}))],
    ["nobody could look", null],
    ["an everyday word stands in a few files", knowing(name("table", { files: 2 }))],
  ])("is not about code if %s", async (_, vocabulary) => {
    expect((await decide("what does slugify do", vocabulary)).intent).toBeNull();
  });

  it.each([
    ["a text that stands in one file", name("could not resolve host", { files: 1 })],
    ["a word that nobody uses otherwise", name("tzgetgmtoff", { files: 1 })],
    ["what is written like code", name("--no-color", { files: 2 })],
  ])("%s is enough", async (_, fact) => {
    expect((await decide("what does slugify do", knowing(fact))).intent).toBe("explore");
  });

  it("a question without names is about code if it is surely answered here, not if it is hardly answered", async () => {
    const question = "how list push and pop operations are implemented";
    const asked = (confidence: number) => decide(question, { names: [], grade: "sure", confidence });
    expect(judgePrompt(question, {}).analysis.intent).toBeNull();
    expect(await asked(0.9)).toMatchObject({ intent: "explore", confidence: 0.6 });
    expect(await asked(0.5)).toMatchObject({ intent: null, looks: 1 });
  });

  it("[ATO-CTL-9a] the lookup alone must reach the threshold", async () => {
    expect((await decide("what does slugify do", knowing(slugify), 0.95)).intent).toBeNull();
  });

  it.each(["what is love", "thanks, that was great", "weather in SF?", "how does a heat pump work", "今天天气怎么样"])(
    "%s is clearly about something else: nothing is looked up",
    async (prompt) => {
      expect(await decide(prompt, knowing(slugify))).toMatchObject({ intent: null, looks: 0 });
    },
  );
});
