import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../support/doors.ts";
import { codexCommand } from "./clients.ts";
import { setUpCodex } from "./codex-home.ts";
import { ANSWER, startModelServer, type ToolWish } from "./model-server.ts";
import { CLIENT_LIMIT_MS, runClient } from "./run-client.ts";
import { makeScratch, PROMPT } from "./scratch.ts";

const LIMIT = { timeout: 3 * CLIENT_LIMIT_MS };
const startDoor = join(projectRoot, "start.sh");
const jobDoor = join(projectRoot, "job.sh");
const groundwork = join(projectRoot, "bin", "groundwork");

/** A scratch repository, a scripted model and the real Codex on the PATH. */
async function setUp({ wish, delayMs }: { wish?: ToolWish; delayMs?: number } = {}) {
  const model = await startModelServer(wish, delayMs);
  const scratch = await makeScratch();
  const env = await setUpCodex(scratch, model.url);
  const run = (door: string, args: string[]) => runClient(door, args, { cwd: scratch.repo, env });
  const runs = join(scratch.repo, ".codex-father", "sessions");
  const end = async () => {
    await model[Symbol.asyncDispose]();
    await scratch[Symbol.asyncDispose]();
  };
  return { model, scratch, env, run, runs, [Symbol.asyncDispose]: end };
}

const shell = (cmd: string): ToolWish => ({ tool: "exec_command", args: { cmd, login: false } });
const jsonOf = (text: string) => JSON.parse(text) as Record<string, unknown>;

/** Whether Codex can run its sandbox on this machine. */
async function hasSandbox(env: Record<string, string>, cwd: string): Promise<boolean> {
  return (await runClient(codexCommand(), ["sandbox", "--", "true"], { cwd, env })).code === 0;
}

describe("Codex jobs with the real Codex", () => {
  it("[CNI-2] [CNI-8] [CNI-9] [CNI-10] one run: log, last message, tokens and meta", LIMIT, async () => {
    await using place = await setUp();
    const args = ["codex", "exec", "--json", "--sandbox", "read-only", "--ask-for-approval", "never", "--task", PROMPT];
    const { code, stdout, stderr } = await place.run(groundwork, args);
    expect(code, stderr).toBe(0);
    const meta = jsonOf(stdout);
    expect(meta).toMatchObject({ classification: "normal", exit_code: 0, tokens_used: "2", cwd: place.scratch.repo });
    const [folder = ""] = readdirSync(place.runs);
    const files = readdirSync(join(place.runs, folder));
    expect(readFileSync(join(place.runs, folder, "job.r1.last.txt"), "utf8")).toBe(ANSWER);
    expect(files).toEqual(
      expect.arrayContaining(["job.log", "job.meta.json", "job.instructions.md", "job.events.jsonl"]),
    );
    const log = readFileSync(join(place.runs, folder, "job.log"), "utf8");
    expect(log).toMatch(/^===== Codex Run Start: /);
    expect(log).toContain(ANSWER);
    expect(log).toMatch(/^Exit Code: 0$/m);
    const asked = place.model.requests.find(({ path }) => path === "/v1/responses");
    expect(JSON.stringify(asked?.messages)).toContain("why does rateFor() give nothing");
  });

  it("[CNI-3] [CNI-4] workspace-write writes, and has the network only where it was asked for", LIMIT, async () => {
    for (const network of [false, true]) {
      await using place = await setUp({ wish: shell("echo made > made.txt; node reach.mjs > reached.txt 2>&1") });
      const { repo } = place.scratch;
      const script = `fetch("${place.model.url}/ping").then(() => console.log("reached"), () => console.log("no network"));`;
      writeFileSync(join(repo, "reach.mjs"), script);
      const more = network ? ["--codex-config", "sandbox_workspace_write.network_access=true"] : [];
      const done = await place.run(groundwork, [
        "codex",
        "exec",
        "--sandbox",
        "workspace-write",
        ...more,
        "--task",
        "go",
      ]);
      expect(done.code, done.stderr).toBe(0);
      // Where the machine has no sandbox, Codex refuses the command instead: nothing is written, and the log says why.
      if (!(await hasSandbox(place.env, repo))) {
        expect(existsSync(join(repo, "made.txt"))).toBe(false);
        continue;
      }
      expect(readFileSync(join(repo, "made.txt"), "utf8")).toBe("made\n");
      expect(readFileSync(join(repo, "reached.txt"), "utf8")).toBe(network ? "reached\n" : "no network\n");
    }
  });

  it("[CNI-17] a job in the background: started, running, read, stopped, gone", LIMIT, async () => {
    await using place = await setUp({ delayMs: 60_000 });
    const started = await place.run(jobDoor, [
      "start",
      "--json",
      "--tag",
      "slow",
      "--sandbox",
      "read-only",
      "--task",
      "wait",
    ]);
    expect(started.code, started.stderr).toBe(0);
    const { jobId } = jsonOf(started.stdout) as { jobId: string };
    expect(jobId).toMatch(/^cdx-\d{8}_\d{6}-slow$/);
    const status = async () => jsonOf((await place.run(jobDoor, ["status", jobId, "--json"])).stdout);
    await expect.poll(() => place.model.requests.length, { timeout: 30_000 }).toBeGreaterThan(0);
    expect(await status()).toMatchObject({ state: "running", exit_code: null });
    expect((await place.run(jobDoor, ["logs", jobId])).stdout).toContain("Begin Codex Output");
    expect((await place.run(jobDoor, ["stop", jobId])).code).toBe(0);
    expect(await status()).toMatchObject({ state: "failed", classification: "user_cancelled" });
    expect(carriersOf(place.scratch.repo)).toEqual([]);
  });

  it("a job that is over is resumed in the same Codex session", LIMIT, async () => {
    await using place = await setUp();
    const first = await place.run(jobDoor, ["start", "--json", "--sandbox", "read-only", "--task", "remember blue"]);
    const { jobId } = jsonOf(first.stdout) as { jobId: string };
    const over = (id: string) =>
      expect
        .poll(async () => jsonOf((await place.run(jobDoor, ["status", id, "--json"])).stdout)["state"], {
          timeout: 40_000,
        })
        .toBe("completed");
    await over(jobId);
    const second = await place.run(jobDoor, ["resume", jobId, "--json", "--task", "which colour?"]);
    expect(second.code, second.stderr).toBe(0);
    await over((jsonOf(second.stdout) as { jobId: string }).jobId);
    const asked = place.model.requests.filter(({ path }) => path === "/v1/responses").at(-1);
    const said = JSON.stringify(asked?.messages);
    expect(said).toContain("remember blue");
    expect(said).toContain("which colour?");
  });

  it("[CNI-5] [CNI-6] [CNI-7] whatever the policy, Codex takes what it is given", LIMIT, async () => {
    await using place = await setUp();
    const policies = [
      [],
      ["--full-auto"],
      ["--full-auto", "--sandbox", "read-only"],
      ["--sandbox", "danger-full-access"],
      ["--sandbox", "danger-full-access", "--ask-for-approval", "never"],
      ["--ask-for-approval", "untrusted"],
      ["--ask-for-approval", "on-failure", "--sandbox", "workspace-write"],
      ["--dangerously-bypass-approvals-and-sandbox"],
      ["--dangerously-bypass-approvals-and-sandbox", "--sandbox", "danger-full-access"],
    ];
    for (const policy of policies) {
      const { code, stderr } = await place.run(groundwork, ["codex", "exec", ...policy, "--task", "hello"]);
      expect(code, `${policy.join(" ")}\n${stderr}`).toBe(0);
    }
    const allowed = { ...place.env, ALLOW_DFA_WITH_NEVER: "1" };
    const args = ["codex", "exec", "--sandbox", "danger-full-access", "--ask-for-approval", "never", "--task", "hello"];
    expect((await runClient(groundwork, args, { cwd: place.scratch.repo, env: allowed })).code).toBe(0);
  });

  it("[CNI-11] start.sh on its own keeps its runs beside itself unless told otherwise", LIMIT, async () => {
    await using place = await setUp();
    const folder = join(place.scratch.home, "runs");
    const done = await place.run(startDoor, ["--log-dir", folder, "--sandbox", "read-only", "--task", "hello"]);
    expect(done.code, done.stderr).toBe(0);
    expect(readdirSync(folder)).toHaveLength(1);
    expect(existsSync(place.runs)).toBe(false);
  });
});

/** Processes that still belong to a job of a repository. */
function carriersOf(repo: string): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/environ`, "latin1").includes(`GROUNDWORK_JOB=${repo}/`);
      } catch {
        return false;
      }
    })
    .map(Number);
}
