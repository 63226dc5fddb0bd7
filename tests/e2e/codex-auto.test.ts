import { expect, it } from "vitest";
import { codexAutoDoor } from "../support/doors.ts";
import { setUpCodex } from "./codex-home.ts";
import { findEvidence } from "./evidence.ts";
import { ANSWER } from "./model-apis/api.ts";
import { type RecordedRequest, startModelServer } from "./model-server.ts";
import { CLIENT_LIMIT_MS, runClient } from "./run-client.ts";
import { DECISIVE_FILE, makeScratch, PROMPT } from "./scratch.ts";

const LIMIT = { timeout: 2 * CLIENT_LIMIT_MS + 10_000 };
const SECOND_PROMPT = `who calls rateFor in ${DECISIVE_FILE}?`;

it("codex-auto gives the real Codex the evidence, and the next round continues the same session", LIMIT, async () => {
  await using model = await startModelServer();
  await using scratch = await makeScratch();
  const env = await setUpCodex(scratch, model.url);
  const ask = (prompt: string) => runClient(codexAutoDoor, [prompt], { cwd: scratch.repo, env });

  for (const prompt of [PROMPT, SECOND_PROMPT]) {
    const { code, stdout, stderr } = await ask(prompt);
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: `${ANSWER}\n` });
  }

  const [first, second] = model.requests.filter(({ path }) => path === "/v1/responses");
  expectEvidence(first, PROMPT);
  expectEvidence(second, SECOND_PROMPT);
  const turns = second?.messages ?? [];
  const earlier = first?.messages ?? [];
  expect(turns.slice(0, earlier.length)).toEqual(earlier);
  expect(turns.slice(earlier.length, -1)).toContainEqual({ role: "assistant", texts: [ANSWER] });
});

/** Expects the newest message to be the user's, with the prompt as typed, the complete block and the run id. */
function expectEvidence(request: RecordedRequest | undefined, prompt: string): void {
  const newest = request?.messages.at(-1);
  expect(newest?.role).toBe("user");
  const given = newest?.texts.join("\n") ?? "";
  expect(given).toContain(prompt);
  expect(given).toMatch(/(?<![\w-])\d{8}-\d{6}-[0-9a-f]{6}(?![\w-])/);
  expect(findEvidence(given)).toContain(DECISIVE_FILE);
}
