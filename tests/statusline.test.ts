import { spawn, spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PROMPT, type Scratch } from "./e2e/scratch.ts";
import { groundwork, hookDoor } from "./support/doors.ts";
import { killMarked } from "./support/leftovers.ts";
import { makeResidentPlace, NO_NODE } from "./support/resident-place.ts";
import { runDoor } from "./support/run-door.ts";
import { makeFolder } from "./support/temp-folder.ts";

const marker = crypto.randomUUID();

let scratch: Scratch;
let env: Record<string, string>;

beforeAll(async () => {
  ({ scratch, env } = await makeResidentPlace(marker));
});
afterEach(() => {
  run("resident", "stop");
  rmSync(join(scratch.home, ".groundwork"), { recursive: true, force: true });
});
afterAll(async () => {
  killMarked(marker);
  await scratch[Symbol.asyncDispose]();
});

const run = (...args: string[]) => spawnSync(groundwork, args, { cwd: scratch.repo, env, encoding: "utf8" });

/** Returns the line of the status bar, requested as by Claude Code. */
function line(more: Record<string, string> = {}, payload: unknown = toPayload(scratch.repo)): string {
  const input = typeof payload === "string" ? payload : JSON.stringify(payload);
  const done = spawnSync(hookDoor, ["statusline"], { cwd: "/", env: { ...env, ...more }, input, encoding: "utf8" });
  expect(done.status).toBe(0);
  return done.stdout;
}

const toPayload = (folder: string) => ({
  hook_event_name: "Status",
  session_id: "one",
  cwd: "/",
  model: { id: "claude-x", display_name: "X" },
  workspace: { current_dir: folder, project_dir: folder },
});

const askHook = () => runDoor({ cwd: scratch.repo, env, input: JSON.stringify({ prompt: PROMPT, cwd: scratch.repo }) });
const ALONE = { GROUNDWORK_RESIDENT: "off" };

describe("[K 5] groundwork statusline", () => {
  it("without a resident: the index, and the last run while it waits to be imported", async () => {
    expect(line(ALONE)).toBe("groundwork: indexed\n");
    await runDoor({ cwd: scratch.repo, env: { ...env, ...ALONE }, input: JSON.stringify({ prompt: PROMPT }) });
    expect(line(ALONE)).toMatch(/^groundwork: indexed · \d+ characters in [\d.]+ m?s, \d+[sm] ago\n$/);
    expect(run("statusline").stdout).toMatch(/^groundwork: /);
  });

  it("with a resident: from memory, without starting node", async () => {
    run("resident", "start");
    await askHook();
    const seen = () => line(NO_NODE);
    await expect.poll(seen).toMatch(/^groundwork: 3 files · \d+ characters in [\d.]+ m?s, \d+[sm] ago\n$/);
  });

  it("says that it is off, and nothing if there is nothing to say", () => {
    const bare = makeFolder();
    for (const more of [ALONE, {}]) {
      if (more !== ALONE) run("resident", "start");
      expect(line(more, toPayload(bare))).toBe("");
      run("off", "--repo", "--for", "2h");
      expect(line(more)).toMatch(/^groundwork: off in this repository for (?:2h|1h 59m)\n$/);
      run("off");
      expect(line(more)).toBe("groundwork: off\n");
      writeFileSync(join(scratch.home, ".groundwork/off.json"), "{");
      expect(line(more)).toContain("cannot be read");
      run("on");
      expect(line({ ...more, CI_AUTO_TOOLS: "off" })).toBe("groundwork: off (CI_AUTO_TOOLS)\n");
    }
  });

  it.each(["", "no JSON", "[]", '{"workspace":{"current_dir":"/proc/nowhere/at/all"}}', '{"cwd":"relative"}'])(
    "never fails: %j",
    (payload) => {
      for (const more of [ALONE, {}]) {
        if (more !== ALONE) run("resident", "start");
        expect(line(more, payload)).not.toContain("{");
      }
    },
  );

  it("waits neither for a payload that never ends nor for a resident that hangs", async () => {
    const open = (more: Record<string, string>) =>
      new Promise<number | null>((resolve) => {
        const child = spawn(hookDoor, ["statusline"], { cwd: scratch.repo, env: { ...env, ...more } });
        child.once("close", (code) => {
          child.stdin.destroy();
          resolve(code);
        });
        child.stdin.write('{"cwd":');
      });
    expect(await open(ALONE)).toBe(0);
    run("resident", "start");
    expect(await open({})).toBe(0);
    const { pid } = JSON.parse(run("resident", "status", "--json").stdout) as { pid: number };
    process.kill(pid, "SIGSTOP");
    try {
      expect(line()).toMatch(/^groundwork: /);
    } finally {
      process.kill(pid, "SIGCONT");
    }
  });

  it("accepts no arguments", () => {
    expect(run("statusline", "please")).toMatchObject({ status: 2, stdout: "" });
  });
});
