import { describe, expect, it } from "vitest";
import { codexDoor } from "../support/mcp-process.ts";
import { writeFiles } from "../support/temp-folder.ts";
import { claudeCommand, claudeEnv } from "./clients.ts";
import { setUpCodex } from "./codex-home.ts";
import { ANSWER } from "./model-apis/api.ts";
import { type ModelServer, resultIn, startModelServer } from "./model-server.ts";
import { CLIENT_LIMIT_MS, runClient } from "./run-client.ts";
import { makeScratch, type Scratch } from "./scratch.ts";

const LIMIT = { timeout: CLIENT_LIMIT_MS + 10_000 };
const SERVER = "jobs";
const JOB = "cdx-20260102_030405-e2e";

const writeJob = ({ repo }: Scratch) =>
  writeFiles(repo, {
    [`.codex-father/sessions/${JOB}/job.log`]: "===== Codex Run Start: x =====\nExit Code: 7\n",
    [`.codex-father/sessions/${JOB}/state.json`]: "{}",
  });

/** Sends Codex, with the server in its settings, an arbitrary prompt. */
async function askCodex(scratch: Scratch, model: ModelServer, mode: string) {
  const server = `\n[mcp_servers.${SERVER}]\ncommand = "${codexDoor}"\nenv_vars = ["CODEX_HOME", "SCRIPTED_API_KEY"]\n${mode}`;
  const env = await setUpCodex(scratch, model.url, server);
  return runClient("codex", ["exec", "-s", "read-only", "how is the job?"], { cwd: scratch.repo, env });
}

describe("[CNI-17] the real clients and the MCP server for Codex jobs", () => {
  it("Codex runs Codex if the user approved it, and receives its last message", LIMIT, async () => {
    // The inner Codex gets no tools of this server, or it would start another Codex.
    const args = { args: ["--task", "say hello"], codexConfig: { [`mcp_servers.${SERVER}.enabled`]: false } };
    await using model = await startModelServer({ server: SERVER, tool: "codex_exec", args });
    await using scratch = await makeScratch();
    const { code, stderr } = await askCodex(scratch, model, 'default_tools_approval_mode = "approve"\n');
    expect(code, stderr).toBe(0);
    const given = resultIn(model, '"function_call_output"');
    for (const part of ['\\"exitCode\\":0', "exec-", "job.r1.last.txt", `lastMessage\\":\\"${ANSWER}`])
      expect(given.replaceAll('\\\\\\"', '\\"')).toContain(part);
  });

  it("Codex refuses by itself without approval, because the tools are not read-only", LIMIT, async () => {
    await using model = await startModelServer({ server: SERVER, tool: "codex_status", args: { jobId: JOB } });
    await using scratch = await makeScratch();
    writeJob(scratch);
    await askCodex(scratch, model, "");
    expect(resultIn(model, '"function_call_output"')).toContain("requires approval");
  });

  it("Claude Code queries a job if the user allows it", LIMIT, async () => {
    await using model = await startModelServer({ server: SERVER, tool: "codex_status", args: { jobId: JOB } });
    await using scratch = await makeScratch();
    writeJob(scratch);
    const servers = { mcpServers: { [SERVER]: { command: codexDoor, args: [], alwaysLoad: true } } };
    writeFiles(scratch.home, { "mcp.json": JSON.stringify(servers) });
    const allowed = `mcp__${SERVER}__codex_status`;
    const args = ["--mcp-config", `${scratch.home}/mcp.json`, "--allowedTools", allowed, "-p", "how is the job?"];
    const { code, stderr } = await runClient(claudeCommand(), args, {
      cwd: scratch.repo,
      env: { ...scratch.env, ...claudeEnv(model.url) },
    });
    expect(code, stderr).toBe(0);
    const given = resultIn(model, '"tool_result"');
    expect(given).toContain(JOB);
    expect(given).toContain('\\"exit_code\\":7');
    expect(given).not.toContain("requested permissions");
  });
});
