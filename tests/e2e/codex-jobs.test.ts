import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findJobProcesses } from "../../src/base/subprocess/marks.ts";
import type { JobState } from "../../src/contract/codex-jobs.ts";
import { supervisorMark } from "../../src/jobs/job/store.ts";
import { projectRoot } from "../support/doors.ts";
import { setUpCodex } from "./codex-home.ts";
import { ANSWER, type ToolWish } from "./model-apis/api.ts";
import { startModelServer } from "./model-server.ts";
import { CLIENT_LIMIT_MS, runClient } from "./run-client.ts";
import { makeScratch } from "./scratch.ts";

const LIMIT = { timeout: 3 * CLIENT_LIMIT_MS };
const DOOR = join(projectRoot, "job.sh");

async function setUp(...wishes: ToolWish[]) {
  const model = await startModelServer(...wishes);
  const scratch = await makeScratch();
  const env = await setUpCodex(scratch, model.url);
  const job = async (...args: string[]) => {
    const { code, stdout, stderr } = await runClient(DOOR, args, { cwd: scratch.repo, env });
    expect(code, stderr).toBe(0);
    return stdout;
  };
  const status = async (id: string): Promise<JobState> => JSON.parse(await job("status", id, "--json"));
  return {
    model,
    job,
    status,
    start: async (...args: string[]) => JSON.parse(await job("start", "--json", ...args)).jobId as string,
    waitFor: (id: string, state: string) =>
      expect.poll(async () => (await status(id)).state, { timeout: CLIENT_LIMIT_MS, interval: 200 }).toBe(state),
    folderOf: (id: string) => join(scratch.repo, ".codex-father/sessions", id),
    [Symbol.asyncDispose]: async () => {
      await scratch[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

describe("the real Codex in the background", () => {
  it("[CNI-11] runs, reports its state, and continues its own session", LIMIT, async () => {
    await using place = await setUp();
    const id = await place.start("--task", "Say hello", "--sandbox", "read-only");
    await place.waitFor(id, "completed");
    expect(await place.status(id)).toMatchObject({ exit_code: 0, tokens_used: "2", title: "Say hello" });
    expect(await place.job("logs", id)).toContain(ANSWER);
    const again = JSON.parse(await place.job("resume", id, "--task", "And again", "--json")).jobId;
    await place.waitFor(again, "completed");
    const [, second] = place.model.requests.filter(({ path }) => path === "/v1/responses");
    const told = (second?.messages ?? []).flatMap(({ texts }) => texts).join("\n");
    for (const text of ["Say hello", ANSWER, "And again"]) expect(told).toContain(text);
  });

  it.each([
    ["gently", [], 143],
    ["by force", ["--force"], 137],
  ] as const)("[CNI-11] is stopped %s with what its commands have started", LIMIT, async (_, options, exitCode) => {
    const command = "setsid sleep 300 & touch begun; sleep 300";
    await using place = await setUp({ tool: "exec_command", args: { cmd: command } });
    // Without a sandbox, because not every machine has one for Codex.
    const id = await place.start("--task", "wait", "--dangerously-bypass-approvals-and-sandbox");
    const begun = join(place.folderOf(id), "../../../begun");
    await expect.poll(() => existsSync(begun), { timeout: CLIENT_LIMIT_MS }).toBe(true);
    await place.job("stop", id, ...options);
    expect(await place.status(id)).toMatchObject({
      state: "failed",
      exit_code: exitCode,
      classification: "user_cancelled",
    });
    const left = () => [place.folderOf(id), supervisorMark(place.folderOf(id))].flatMap(findJobProcesses);
    await expect.poll(left).toEqual([]);
  });
});
