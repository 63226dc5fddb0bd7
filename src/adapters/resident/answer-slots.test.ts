import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../../tests/support/temp-folder.ts";
import { waitForSlot } from "./answer-slots.ts";

/** An environment with its own state folder, and a budget short enough for a test to wait for. */
function place() {
  const state = makeFolder();
  chmodSync(state, 0o700);
  return { state, env: { GROUNDWORK_HOME: state, CI_AUTO_TOOLS_BUDGET_WALL_MS: "200" } };
}

describe("[R-2] at most two processes answer questions at once without a resident", () => {
  it("a third one waits until one is done", async () => {
    const { env } = place();
    const [first, second] = [await waitForSlot(env), await waitForSlot(env)];
    expect([first?.waitedMs, second?.waitedMs]).toEqual([expect.any(Number), expect.any(Number)]);
    expect(await waitForSlot(env)).toBeNull();
    const third = waitForSlot({ ...env, CI_AUTO_TOOLS_BUDGET_WALL_MS: "60000" });
    setTimeout(() => first?.release(), 100);
    expect((await third)?.waitedMs).toBeGreaterThan(50);
  });

  it("dead processes and foreign files hold no slot", async () => {
    const { state, env } = place();
    const dead = execFileSync("sh", ["-c", "echo $$"], { encoding: "utf8" });
    writeFileSync(join(state, "answering-0"), dead);
    mkdirSync(join(state, "answering-1", "somebody's"), { recursive: true });
    expect(await waitForSlot({ ...env, CI_AUTO_TOOLS_BUDGET_WALL_MS: "60000" })).not.toBeNull();
    expect(await waitForSlot({ ...env, CI_AUTO_TOOLS_BUDGET_WALL_MS: "60000" })).not.toBeNull();
    expect(readdirSync(state).sort()).toEqual(["answering-0", "answering-1", "answering-1.aside"]);
  });

  it("nobody waits if the resident is off or the question is not for one", async () => {
    const { env } = place();
    for (const more of [{ GROUNDWORK_RESIDENT: "off" }, { CI_AUTO_TOOLS_RUNNER_CI_SEARCH: "/bin/true" }]) {
      const turns = await Promise.all([1, 2, 3].map(() => waitForSlot({ ...env, ...more })));
      expect(turns).toEqual(turns.map(() => expect.objectContaining({ waitedMs: 0 })));
    }
  });

  it("nobody waits without a folder for state", async () => {
    for (const GROUNDWORK_HOME of ["/dev/null/x", "", "/proc/1/state"])
      expect(await waitForSlot({ GROUNDWORK_HOME, HOME: "/dev/null" })).toMatchObject({ waitedMs: 0 });
  });
});
