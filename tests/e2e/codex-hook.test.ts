import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { codexAutoDoor, groundwork } from "../support/doors.ts";
import { type ReadyClient, setUpClient, writeScript } from "./client-homes.ts";
import { codexCommand } from "./clients.ts";
import { countEvidence, expectEvidenceOnce, findEvidence, requestsWith, toldIn } from "./evidence.ts";
import { ANSWER } from "./model-apis/api.ts";
import { startModelServer } from "./model-server.ts";
import { CLIENT_LIMIT_MS, type ClientResult, runClient } from "./run-client.ts";
import { DECISIVE_FILE, makeScratch, PROMPT, type Scratch } from "./scratch.ts";

const LIMIT = { timeout: 2 * CLIENT_LIMIT_MS };
const TASK = "find out why rateFor() in src/tax/lookup.ts gives nothing for an unknown region";

function expectAnswer({ code, stdout, stderr }: ClientResult): void {
  expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: `${ANSWER}\n` });
}

/** Makes every call of `codex` trust its hooks, as after a review by the user. */
function trustHooks(scratch: Scratch): void {
  rmSync(join(scratch.bin, "codex"));
  writeScript(join(scratch.bin, "codex"), `exec '${codexCommand()}' --dangerously-bypass-hook-trust "$@"`);
}

/** The same hook as a second source: Codex runs both. */
const hookInToml = ({ launcher }: ReadyClient) => `
[[hooks.UserPromptSubmit]]
[[hooks.UserPromptSubmit.hooks]]
type = "command"
command = "${launcher}"
`;

describe("[P-4] the real Codex with our hook", () => {
  it("hooks.json and config.toml together: the evidence comes once", LIMIT, async () => {
    await using model = await startModelServer();
    await using scratch = await makeScratch();
    const codex = await setUpClient("codex", scratch, model.url);
    appendFileSync(join(scratch.home, ".codex/config.toml"), hookInToml(codex));
    const done = await codex.ask(PROMPT);
    expectAnswer(done);
    expect(done.stderr.match(/hook: UserPromptSubmit Completed/g)).toHaveLength(2);
    expectEvidenceOnce(model.requests, PROMPT);
  });

  it("hook and codex-auto together: the evidence comes once", LIMIT, async () => {
    await using model = await startModelServer();
    await using scratch = await makeScratch();
    const { env } = await setUpClient("codex", scratch, model.url);
    trustHooks(scratch);
    const done = await runClient(codexAutoDoor, [PROMPT], { cwd: scratch.repo, env });
    expectAnswer(done);
    expect(done.stderr).toContain("hook: UserPromptSubmit Completed");
    expectEvidenceOnce(model.requests, PROMPT);
  });

  it("hook and a single groundwork enrich together: the evidence comes once", LIMIT, async () => {
    await using model = await startModelServer();
    await using scratch = await makeScratch();
    const { env } = await setUpClient("codex", scratch, model.url);
    trustHooks(scratch);
    const script = '"$0" enrich "$1" | codex exec -s read-only -';
    const args = ["-c", script, groundwork, PROMPT];
    const done = await runClient("sh", args, { cwd: scratch.repo, env });
    expectAnswer(done);
    expect(done.stderr).toContain("hook: UserPromptSubmit Completed");
    expectEvidenceOnce(model.requests, PROMPT);
  });

  it("[P-5] a sub-agent's task gets its own evidence from the same hook", LIMIT, async () => {
    const group = "multi_agent_v1";
    // Codex exits when its first agent ends, so that one has to wait for the other.
    const waiting = (body: string) => {
      const [, agent] = /agent_id\\+":\\+"([0-9a-f-]+)/.exec(body) ?? [];
      return agent === undefined ? null : { targets: [agent] };
    };
    await using model = await startModelServer(
      { group, tool: "spawn_agent", args: { message: TASK } },
      { group, tool: "wait_agent", args: waiting },
    );
    await using scratch = await makeScratch();
    const codex = await setUpClient("codex", scratch, model.url);
    expectAnswer(await codex.ask("ask another agent"));
    const [first] = requestsWith(model.requests, TASK);
    expect(countEvidence(toldIn(first))).toBe(1);
    expect(findEvidence(toldIn(first))).toContain(DECISIVE_FILE);
  });
});
