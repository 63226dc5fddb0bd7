import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { examine } from "./examine.ts";
import { stateFolderExaminations } from "./state-folder.ts";
import { makeWorld } from "./world.test-helper.ts";
import type { World } from "./world.ts";

async function look(world: World) {
  const checks = await examine(stateFolderExaminations(world), () => {});
  return Object.fromEntries(checks.map((check) => [check.name, check]));
}

/** A process that has ended. */
function deadProcess(): string {
  return execFileSync("/bin/sh", ["-c", "echo $$"], { encoding: "utf8" }).trim();
}

const MB = 1024 * 1024;

describe("[P-6] the state folder", () => {
  it("is fine if it does not exist yet, and examining does not create it", async () => {
    const { world, state, home } = makeWorld();
    const found = await look(world);
    expect(Object.values(found).map(({ name, status }) => `${name}: ${status}`)).toEqual(["folder: ok", "disk: ok"]);
    expect([existsSync(state), readdirSync(home)]).toEqual([false, []]);
  });

  it("fault: it belongs to another user", async () => {
    const { world, state } = makeWorld();
    mkdirSync(state, { recursive: true, mode: 0o700 });
    const foreign = await look({ ...world, uid: (world.uid ?? 0) + 1 });
    expect(foreign["folder"]).toMatchObject({ status: "fail", expected: `a folder of user ${(world.uid ?? 0) + 1}` });
    if (world.uid !== 0) return;
    chownSync(state, 12_345, 12_345);
    expect((await look(world))["folder"]).toMatchObject({
      status: "fail",
      measured: `${state} belongs to user 12345`,
      remedy: expect.stringContaining("docs/troubleshooting.md#the-state-folder-cannot-be-used"),
    });
  });

  it("fault: the disk is full, or nearly so", async () => {
    const { world } = makeWorld();
    expect((await look({ ...world, freeBytes: () => 3 * MB }))["disk"]).toMatchObject({
      status: "fail",
      measured: "3 MB free",
    });
    expect((await look({ ...world, freeBytes: () => 150 * MB }))["disk"]?.status).toBe("warn");
    expect((await look({ ...world, freeBytes: () => null }))["disk"]?.status).toBe("ok");
  });

  it("faults: no location for it, a file at its path", async () => {
    const { world, write, state } = makeWorld();
    expect((await look({ ...world, stateFolder: null }))["folder"]?.status).toBe("fail");
    write(state, "not a folder");
    expect((await look(world))["folder"]).toMatchObject({ status: "fail", measured: `${state} is not a folder` });
  });

  it("fault: others have access; --fix removes it", async () => {
    const { world, state } = makeWorld();
    mkdirSync(state, { recursive: true });
    chmodSync(state, 0o755);
    const [readable] = [(await look(world))["private"]];
    expect(readable).toMatchObject({ status: "warn", measured: "mode 0755" });
    chmodSync(state, 0o777);
    expect((await look(world))["private"]?.status).toBe("fail");
    expect(readable?.mend?.()).toContain("only you can enter it now");
    expect(statSync(state).mode & 0o777).toBe(0o700);
    expect((await look(world))["private"]?.status).toBe("ok");
  });

  it("fault: stale locks; --fix moves them away and nothing else", async () => {
    const { world, state, write } = makeWorld();
    const lock = join(state, "index/0123/builder.lock");
    const held = join(state, "answering-1");
    mkdirSync(state, { recursive: true, mode: 0o700 });
    chmodSync(state, 0o700);
    write(lock, "");
    write(held, String(process.pid));
    expect((await look(world))["locks"]?.status).toBe("ok");
    write(lock, "4242\n");
    write(join(state, "answering-0"), deadProcess());
    const found = (await look(world))["locks"];
    expect(found).toMatchObject({
      status: "warn",
      measured: expect.stringMatching(/^answering-0: process \d+, .*1 other$/),
    });
    expect(found?.remedy).toContain("docs/troubleshooting.md#something-was-left-behind");
    expect(found?.mend?.()).toBe("moved out of the way: answering-0, index/0123/builder.lock");
    expect((await look(world))["locks"]?.status).toBe("ok");
    expect(readFileSync(held, "utf8")).toBe(String(process.pid));
    expect(readFileSync(`${lock}.aside`, "utf8")).toBe("4242\n");
  });

  it("fault: a pipe instead of a lock is never opened", async () => {
    const { world, state } = makeWorld();
    mkdirSync(join(state, "index/0123"), { recursive: true });
    chmodSync(state, 0o700);
    execFileSync("mkfifo", [join(state, "index/0123/builder.lock"), join(state, "answering-0")]);
    expect((await look(world))["locks"]).toMatchObject({
      status: "warn",
      measured: expect.stringContaining("1 other"),
    });
  });
});
