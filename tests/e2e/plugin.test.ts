import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { groundwork, projectRoot } from "../support/doors.ts";
import { mcpDoor } from "../support/mcp-process.ts";
import { type ReadyClient, setUpClient } from "./client-homes.ts";
import { claudeCommand, claudeEnv } from "./clients.ts";
import { setUpCodex } from "./codex-home.ts";
import { expectEvidenceOnce, expectPlainPrompt, requestsWith } from "./evidence.ts";
import { ANSWER } from "./model-apis/api.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { CLIENT_LIMIT_MS, runClient } from "./run-client.ts";
import { makeScratch, PROMPT, type Scratch } from "./scratch.ts";

const LIMIT = { timeout: 3 * CLIENT_LIMIT_MS };
const PLUGIN = join(projectRoot, "plugin");
const INSTALLED = "groundwork@groundwork";

/** Puts our programs on the PATH, as `npm install -g` does. */
async function installPrograms({ bin }: Scratch): Promise<void> {
  await symlink(groundwork, join(bin, "groundwork"));
  await symlink(mcpDoor, join(bin, "code-intelligence-mcp"));
}

async function runClaude(scratch: Scratch, model: ModelServer, args: string[]): Promise<void> {
  const env = { ...scratch.env, ...claudeEnv(model.url) };
  const { code, stdout, stderr } = await runClient(claudeCommand(), args, { cwd: scratch.repo, env });
  expect(code, `${stdout}${stderr}`).toBe(0);
}

/** Returns the names of the tools offered in the first request with the prompt. */
const toolsIn = (model: ModelServer) => {
  const body = JSON.parse(requestsWith(model.requests, PROMPT)[0]?.body ?? "{}") as { tools?: unknown[] };
  return JSON.stringify(body.tools ?? []);
};

describe("[P-3] the plugin in the real Claude Code", () => {
  it.each([
    ["plugin", PLUGIN],
    ["marketplace", projectRoot],
  ])("the %s is valid, strictly", LIMIT, async (_what, folder) => {
    await using scratch = await makeScratch();
    const args = ["plugin", "validate", "--strict", folder];
    const { code, stdout, stderr } = await runClient(claudeCommand(), args, { cwd: scratch.repo, env: scratch.env });
    expect(code, `${stdout}${stderr}`).toBe(0);
  });

  it("for one session: hook and tools are in the first request", LIMIT, async () => {
    await using model = await startModelServer();
    await using scratch = await makeScratch();
    await installPrograms(scratch);
    await runClaude(scratch, model, ["--plugin-dir", PLUGIN, "-p", PROMPT]);
    expectEvidenceOnce(model.requests, PROMPT);
    expect(toolsIn(model)).toContain("mcp__plugin_groundwork_code-intelligence__ci_search");
  });

  it("from the marketplace: hook and tools are in the first request", LIMIT, async () => {
    await using model = await startModelServer();
    await using scratch = await makeScratch();
    await installPrograms(scratch);
    await runClaude(scratch, model, ["plugin", "marketplace", "add", projectRoot]);
    await runClaude(scratch, model, ["plugin", "install", INSTALLED]);
    await runClaude(scratch, model, ["-p", PROMPT]);
    expectEvidenceOnce(model.requests, PROMPT);
    expect(toolsIn(model)).toContain("mcp__plugin_groundwork_code-intelligence__ci_search");
  });

  it("together with the hook in the settings: the evidence comes once", LIMIT, async () => {
    await using model = await startModelServer();
    await using scratch = await makeScratch();
    await installPrograms(scratch);
    const client = await setUpClient("claude", scratch, model.url);
    expectAnswer(await client.ask(PROMPT, { more: ["--plugin-dir", PLUGIN] }));
    expectEvidenceOnce(model.requests, PROMPT);
  });

  it("without our programs on PATH the prompt is passed on unchanged", LIMIT, async () => {
    await using model = await startModelServer();
    await using scratch = await makeScratch();
    await runClaude(scratch, model, ["--plugin-dir", PLUGIN, "-p", PROMPT]);
    expectPlainPrompt(model.requests, PROMPT);
  });
});

describe("[P-4] the plugin in the real Codex", () => {
  it("from the marketplace: hook and tools are in the first request", LIMIT, async () => {
    await using model = await startModelServer();
    await using scratch = await makeScratch();
    await installPrograms(scratch);
    const env = await setUpCodex(scratch, model.url);
    const codex = async (...args: string[]) => {
      const done = await runClient("codex", ["--enable", "plugins", ...args], { cwd: scratch.repo, env });
      expect(done.code, done.stderr).toBe(0);
    };
    await codex("plugin", "marketplace", "add", projectRoot);
    await codex("plugin", "add", INSTALLED);
    await codex("exec", "-s", "read-only", "--dangerously-bypass-hook-trust", PROMPT);
    expectEvidenceOnce(model.requests, PROMPT);
    expect(toolsIn(model)).toContain("ci_search");
  });
});

function expectAnswer({ code, stdout, stderr }: Awaited<ReturnType<ReadyClient["ask"]>>): void {
  expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: expect.stringContaining(ANSWER) });
}
