import { expect, it } from "vitest";
import { hookDoor } from "../support/doors.ts";
import { writeFiles } from "../support/temp-folder.ts";
import { setUpClient } from "./client-homes.ts";
import { claudeCommand, claudeEnv } from "./clients.ts";
import { countEvidence, findEvidence, requestsWith, toldIn } from "./evidence.ts";
import { ANSWER } from "./model-apis/api.ts";
import { startModelServer } from "./model-server.ts";
import { CLIENT_LIMIT_MS, runClient } from "./run-client.ts";
import { DECISIVE_FILE, makeScratch, PROMPT } from "./scratch.ts";

const LIMIT = { timeout: CLIENT_LIMIT_MS + 10_000 };

// Claude Code puts the context into a system message for current models and into the user message for older ones.
it.for([
  { model: "current", args: [] },
  { model: "older", args: ["--model", "claude-haiku-4-5"] },
])("the real Claude Code gives its $model model the evidence before the first answer", LIMIT, async ({ args }) => {
  await using model = await startModelServer();
  await using scratch = await makeScratch();
  // Quoted, because Claude Code hands the command to a shell.
  const hook = { type: "command", command: `'${hookDoor}'`, timeout: 20 };
  const settings = { hooks: { UserPromptSubmit: [{ hooks: [hook] }] } };
  writeFiles(scratch.home, { ".claude/settings.json": JSON.stringify(settings) });

  const { code, stdout, stderr } = await runClient(claudeCommand(), [...args, "-p", PROMPT], {
    cwd: scratch.repo,
    env: { ...scratch.env, ...claudeEnv(model.url) },
  });

  expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: `${ANSWER}\n` });
  const first = model.requests.find((request) => request.messages.some(({ texts }) => texts.includes(PROMPT)));
  const messages = first?.messages ?? [];
  expect(messages.filter(({ texts }) => texts.includes(PROMPT)).map(({ role }) => role)).toEqual(["user"]);
  expect(messages.map(({ role }) => role)).not.toContain("assistant");
  const given = messages.flatMap(({ texts }) => texts).join("\n");
  expect(given).not.toContain("<persisted-output>");
  expect(findEvidence(given)).toContain(DECISIVE_FILE);
});

it("[P-5] the real Claude Code gives a sub-agent evidence for its own task, if told to", LIMIT, async () => {
  const task = "find out why rateFor() gives nothing for an unknown region";
  const args = { description: "look", subagent_type: "general-purpose", prompt: task };
  await using model = await startModelServer({ tool: "Agent", args });
  await using scratch = await makeScratch();
  const claude = await setUpClient("claude", scratch, model.url, ["--sub-agents"]);

  const { code, stderr } = await claude.ask("say hello");
  expect(code, stderr).toBe(0);
  const [first] = requestsWith(model.requests, task);
  expect(countEvidence(toldIn(first))).toBe(1);
  expect(findEvidence(toldIn(first))).toContain(DECISIVE_FILE);
});
