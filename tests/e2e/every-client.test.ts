import { describe, expect, it } from "vitest";
import { CLIENT_IDS, CLIENTS } from "../../src/contract/clients.ts";
import { setUpClient } from "./client-homes.ts";
import { countEvidence, expectEvidenceOnce, findEvidence, requestsWith, toldIn } from "./evidence.ts";
import { ANSWER } from "./model-apis/api.ts";
import { startModelServer } from "./model-server.ts";
import { CLIENT_LIMIT_MS } from "./run-client.ts";
import { DECISIVE_FILE, makeScratch, PROMPT } from "./scratch.ts";

const LIMIT = { timeout: 2 * CLIENT_LIMIT_MS + 10_000 };
const SECOND_PROMPT = `who calls rateFor in ${DECISIVE_FILE}?`;

describe("[P-5] every client, the real program with our hook", () => {
  it.each(CLIENT_IDS.map((id) => [CLIENTS[id].title, id] as const))(
    "%s: the evidence is in the first request, once, and the next prompt continues the session",
    LIMIT,
    async (_title, id) => {
      await using model = await startModelServer();
      await using scratch = await makeScratch();
      const client = await setUpClient(id, scratch, model.url);

      const first = await client.ask(PROMPT);
      expect({ code: first.code, stdout: first.stdout }, first.stderr).toEqual({
        code: 0,
        stdout: expect.stringContaining(ANSWER),
      });
      expectEvidenceOnce(model.requests, PROMPT);

      const second = await client.ask(SECOND_PROMPT, { again: true });
      expect({ code: second.code, stdout: second.stdout }, second.stderr).toEqual({
        code: 0,
        stdout: expect.stringContaining(ANSWER),
      });
      const told = toldIn(requestsWith(model.requests, SECOND_PROMPT)[0]);
      for (const part of [PROMPT, ANSWER, SECOND_PROMPT]) expect(told).toContain(part);
      expect(countEvidence(told)).toBe(2);
      expect(findEvidence(told.slice(told.lastIndexOf("【Auto Tools Results】")))).toContain("src/checkout/total.ts");
    },
  );
});
