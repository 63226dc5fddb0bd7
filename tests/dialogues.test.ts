import { describe, expect, it } from "vitest";
import { askKernel } from "./support/ask-kernel.ts";
import { CONTROL_TURNS, DIALOGUE_FILES, DIALOGUES } from "./support/dialogue-repo.ts";
import { GIT_FILES, makeFolder } from "./support/temp-folder.ts";

const folder = makeFolder({ ...GIT_FILES, ...DIALOGUE_FILES });

/** Two turns of one session with a memory of its own. */
async function talk(first: string, next: string) {
  const asking = { folder, env: { GROUNDWORK_HOME: makeFolder() }, sessionId: "dialogue" };
  const before = await askKernel(first, asking);
  const after = await askKernel(next, asking);
  return { before: before.document, after: after.document };
}

describe("[ATO-LANG-1] the session is a signal: what a follow-up refers to", () => {
  it("at least 18 of 20 two-turn dialogues resolve to the right symbol, in plan, search and evidence", async () => {
    const wrong: string[] = [];
    for (const { first, next, about } of DIALOGUES) {
      const { after } = await talk(first, next);
      const search = after.tool_plan.tools.find(({ tool }) => tool === "ci_search");
      const asked = String(search?.args["query"] ?? "").replace(next, "");
      const found = JSON.stringify(after.fused_context.for_model.structured.findings ?? []);
      const isFound = (about.includes("/") ? [about] : about.split(".")).some((part) => found.includes(part));
      if (!asked.includes(about) || !isFound) wrong.push(`${next} → ${asked || "nothing"}, not ${about}`);
    }
    expect(DIALOGUES.filter(({ next }) => /\p{Script=Han}/u.test(next))).toHaveLength(10);
    expect(wrong.length, wrong.join("\n")).toBeLessThanOrEqual(2);
  });

  it.each(CONTROL_TURNS)("asks for nothing, whatever came before: %s", async (next) => {
    const { before, after } = await talk("where is nextDelay defined?", next);
    expect(before.tool_results.length).toBeGreaterThan(0);
    expect([after.tool_plan.tools, after.fused_context.for_model.additional_context]).toEqual([[], ""]);
  });
});
