import { expect, it } from "vitest";
import { mcpDoor } from "../support/mcp-process.ts";
import { writeFiles } from "../support/temp-folder.ts";
import { claudeCommand, claudeEnv } from "./clients.ts";
import { setUpCodex } from "./codex-home.ts";
import { ANSWER } from "./model-apis/api.ts";
import { resultIn, startModelServer } from "./model-server.ts";
import { CLIENT_LIMIT_MS, runClient } from "./run-client.ts";
import { DECISIVE_FILE, makeScratch } from "./scratch.ts";

const LIMIT = { timeout: CLIENT_LIMIT_MS + 10_000 };
const WISH = { server: "code-intelligence", tool: "ci_search", args: { query: "rateFor", limit: 3 } };

it("the real Codex calls a tool of the MCP server without asking, because it is read-only", LIMIT, async () => {
  await using model = await startModelServer(WISH);
  await using scratch = await makeScratch();
  const server = `\n[mcp_servers.${WISH.server}]\ncommand = "${mcpDoor}"\nenv_vars = ["CI_AUTO_TOOLS_INDEX"]\n`;
  const env = await setUpCodex(scratch, model.url, server);
  const args = ["exec", "--skip-git-repo-check", "-s", "read-only", "where is the rate read?"];
  const { code, stdout, stderr } = await runClient("codex", args, { cwd: scratch.repo, env });
  expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: `${ANSWER}\n` });
  const given = resultIn(model, '"function_call_output"');
  expect(given).toContain(DECISIVE_FILE);
  expect(given).not.toContain("requires approval");
});

it("the real Claude Code calls a tool of the MCP server allowed by the user", LIMIT, async () => {
  await using model = await startModelServer(WISH);
  await using scratch = await makeScratch();
  const servers = { mcpServers: { [WISH.server]: { command: mcpDoor, args: [], alwaysLoad: true } } };
  writeFiles(scratch.home, { "mcp.json": JSON.stringify(servers) });
  const allowed = `mcp__${WISH.server}__${WISH.tool}`;
  const args = ["--mcp-config", `${scratch.home}/mcp.json`, "--allowedTools", allowed, "-p", "where is the rate read?"];
  const { code, stdout, stderr } = await runClient(claudeCommand(), args, {
    cwd: scratch.repo,
    env: { ...scratch.env, ...claudeEnv(model.url) },
  });
  expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: `${ANSWER}\n` });
  const given = resultIn(model, '"tool_result"');
  expect(given).toContain(DECISIVE_FILE);
  expect(given).not.toContain("requested permissions");
});
