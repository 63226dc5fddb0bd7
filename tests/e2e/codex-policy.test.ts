import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { groundwork, projectRoot } from "../support/doors.ts";
import { codexCommand } from "./clients.ts";
import { setUpCodex } from "./codex-home.ts";
import type { ToolWish } from "./model-apis/api.ts";
import { startModelServer } from "./model-server.ts";
import { CLIENT_LIMIT_MS, runClient } from "./run-client.ts";
import { makeScratch } from "./scratch.ts";

const LIMIT = { timeout: 3 * CLIENT_LIMIT_MS };
const startDoor = join(projectRoot, "start.sh");

/** Makes a scratch repository, a scripted model and a PATH with the real Codex. */
async function setUp(...wishes: ToolWish[]) {
  const model = await startModelServer(...wishes);
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

/** True if Codex can run its sandbox on this machine. */
async function hasSandbox(env: Record<string, string>, cwd: string): Promise<boolean> {
  return (await runClient(codexCommand(), ["sandbox", "--", "true"], { cwd, env })).code === 0;
}

describe("permissions of the real Codex", () => {
  it("[CNI-3] [CNI-4] workspace-write writes, and has network access only on request", LIMIT, async () => {
    for (const network of [false, true]) {
      await using place = await setUp(shell("echo made > made.txt; node reach.mjs > reached.txt 2>&1"));
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
      // On a machine without a sandbox, Codex refuses the command: nothing is written, and the log says why.
      if (!(await hasSandbox(place.env, repo))) {
        expect(existsSync(join(repo, "made.txt"))).toBe(false);
        continue;
      }
      expect(readFileSync(join(repo, "made.txt"), "utf8")).toBe("made\n");
      expect(readFileSync(join(repo, "reached.txt"), "utf8")).toBe(network ? "reached\n" : "no network\n");
    }
  });

  it("[CNI-5] [CNI-6] [CNI-7] Codex accepts its arguments, whatever the policy", LIMIT, async () => {
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

  it("[G D.5] permissions defined by arguments count as full access: never lowers them", LIMIT, async () => {
    const all = [
      "default_permissions=x",
      'permissions.x.filesystem={":root"="write"}',
      "permissions.x.network={enabled=true}",
    ];
    const options = all.flatMap((setting) => ["--codex-config", setting]);
    for (const approval of ["never", "on-request"]) {
      await using place = await setUp(shell("echo made > made.txt"));
      const { repo } = place.scratch;
      const env = { ...place.env, DFA_DEGRADE_TARGET: "read-only" };
      const args = ["codex", "exec", ...options, "--ask-for-approval", approval, "--task", "go"];
      const { code, stderr } = await runClient(groundwork, args, { cwd: repo, env });
      expect(code, stderr).toBe(0);
      expect(stderr).toContain("count as danger-full-access");
      expect(existsSync(join(repo, "made.txt"))).toBe(approval === "on-request");
    }
  });

  it("[CNI-11] start.sh by itself keeps its runs beside itself by default", LIMIT, async () => {
    await using place = await setUp();
    const folder = join(place.scratch.home, "runs");
    const done = await place.run(startDoor, ["--log-dir", folder, "--sandbox", "read-only", "--task", "hello"]);
    expect(done.code, done.stderr).toBe(0);
    expect(readdirSync(folder)).toHaveLength(1);
    expect(existsSync(place.runs)).toBe(false);
  });
});
