import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunMeta } from "../../src/contract/codex-jobs.ts";
import { projectRoot } from "../support/doors.ts";
import { setUpCodex } from "./codex-home.ts";
import { findEvidence } from "./evidence.ts";
import { ANSWER, type ToolWish } from "./model-apis/api.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { CLIENT_LIMIT_MS, runClient } from "./run-client.ts";
import { DECISIVE_FILE, makeScratch, PROMPT, type Scratch } from "./scratch.ts";

const LIMIT = { timeout: 3 * CLIENT_LIMIT_MS };
const START = join(projectRoot, "start.sh");

async function setUp(...wishes: ToolWish[]) {
  const model = await startModelServer(...wishes);
  const scratch = await makeScratch();
  const env = { ...(await setUpCodex(scratch, model.url)), CODEX_SESSIONS_ROOT: join(scratch.home, "runs") };
  return {
    model,
    scratch,
    start: (args: readonly string[]) => start(args, scratch, env),
    [Symbol.asyncDispose]: async () => {
      await scratch[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

async function start(args: readonly string[], { repo }: Scratch, env: Record<string, string>) {
  const { code, stdout, stderr } = await runClient(START, ["--json", ...args], { cwd: repo, env });
  expect(stdout, stderr).not.toBe("");
  const meta: RunMeta = JSON.parse(stdout);
  const read = (ending: string) => readFileSync(meta.log_file.replace(/\.log$/, ending), "utf8");
  return { code, meta, read, log: read(".log") };
}

const turns = ({ requests }: ModelServer) => requests.filter(({ path }) => path === "/v1/responses");

describe("the real Codex, run by start.sh", () => {
  it(
    "[CNI-2] [CNI-9] [CNI-11] answers, stores tokens, last message and events, and its session can be resumed",
    LIMIT,
    async () => {
      await using place = await setUp();
      const first = await place.start(["--task", "Say hello", "--sandbox", "read-only", "--ask-for-approval", "never"]);
      expect(first.code, first.log).toBe(0);
      expect(first.meta).toMatchObject({
        exit_code: 0,
        classification: "normal",
        tokens_used: "2",
        title: "Say hello",
      });
      expect(first.read(".r1.last.txt")).toBe(ANSWER);
      expect(first.log).toContain(`codex\n${ANSWER}\ntokens used: 2\n`);
      const [{ thread_id: thread }] = first
        .read(".events.jsonl")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));

      const second = await place.start(["--task", "And again", "--sandbox", "read-only", "--resume-thread", thread]);
      expect(second.code, second.log).toBe(0);
      const [one, two] = turns(place.model);
      const told = (two?.messages ?? []).flatMap(({ texts }) => texts).join("\n");
      for (const text of ["Say hello", ANSWER, "And again"]) expect(told).toContain(text);
      expect(one?.messages.at(-1)?.texts.join("\n")).toContain("<user-instructions>");
    },
  );

  it("[CNI-2] read-only is read-only", LIMIT, async () => {
    const wish = { tool: "exec_command", args: { cmd: "echo x >made.txt; echo ended" } };
    await using place = await setUp(wish);
    const run = await place.start(["--task", "write", "--sandbox", "read-only"]);
    expect(run.code, run.log).toBe(0);
    expect(run.log).toContain("exec: ");
    expect(existsSync(join(place.scratch.repo, "made.txt"))).toBe(false);
  });

  it("reports a model's refusal as it is", LIMIT, async () => {
    await using place = await setUp();
    const broken = ["-c", `model_providers.scripted.base_url="${place.model.url}/none"`];
    const run = await place.start(["--task", "x", "--sandbox", "read-only", "--", ...broken]);
    expect(run.code).toBe(1);
    expect(run.meta).toMatchObject({ classification: "error", reason: expect.stringContaining("404") });
  });

  it("[CNI-5] is not started with options that exclude each other", LIMIT, async () => {
    await using place = await setUp();
    const bypass = "--dangerously-bypass-approvals-and-sandbox";
    const run = await place.start(["--task", "x", bypass, "--ask-for-approval", "never"]);
    expect([run.code, turns(place.model)]).toEqual([2, []]);
  });

  it("receives evidence about the repository on request", LIMIT, async () => {
    await using place = await setUp();
    const run = await place.start(["--task", PROMPT, "--sandbox", "read-only", "--with-context"]);
    expect(run.code, run.log).toBe(0);
    const given = turns(place.model)[0]?.messages.at(-1)?.texts.join("\n") ?? "";
    expect(given).toContain(PROMPT);
    expect(findEvidence(given)).toContain(DECISIVE_FILE);
    expect(given.indexOf(PROMPT)).toBeLessThan(given.indexOf('type="context"'));
  });
});
