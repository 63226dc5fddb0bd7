import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeScratch, PROMPT, type Scratch } from "../e2e/scratch.ts";
import { groundwork, hookDoor, projectRoot } from "../support/doors.ts";
import { findLeftProcesses, MARKER } from "../support/leftovers.ts";
import { until } from "../support/until.ts";

const SIGNALS = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const;
const input = JSON.stringify({ prompt: PROMPT });

/** Doors that run a tool, and their exit codes after a signal. */
const DOORS = [
  { name: "hook, its envelope", door: hookDoor, args: [], zero: true },
  { name: "hook, json", door: hookDoor, args: ["--format", "json"], zero: false },
  { name: "hook, text", door: hookDoor, args: ["--format", "text"], zero: false },
  { name: "orchestrator", door: join(projectRoot, "hooks/auto-tool-orchestrator.sh"), args: [], zero: false },
  { name: "command line, a tool", door: groundwork, args: ["search", "rateFor"], zero: false },
  { name: "command line, try", door: groundwork, args: ["try", PROMPT], zero: false },
] as const;

let scratch: Scratch;
beforeAll(async () => {
  scratch = await makeScratch();
});
afterAll(() => scratch[Symbol.asyncDispose]());

describe("[G C.2] one exit code per signal", () => {
  const cases = DOORS.flatMap((door) =>
    SIGNALS.map(([signal, code]) => ({ ...door, signal, code: door.zero ? 0 : code })),
  );
  it.each(cases)("[G C.2] $name, $signal: $code", async ({ door, args, signal, code }) => {
    const marker = crypto.randomUUID();
    const [runner, started] = [join(scratch.bin, `hang-${marker}`), join(scratch.bin, `started-${marker}`)];
    writeFileSync(runner, `#!/bin/sh\n: >"${started}"\nexec sleep 60\n`, { mode: 0o755 });
    const env = { ...scratch.env, [MARKER]: marker, CI_AUTO_TOOLS_RUNNER_CI_SEARCH: runner };
    const child = spawn(door, args, { cwd: scratch.repo, env, stdio: ["pipe", "ignore", "ignore"] });
    child.stdin.on("error", () => {}).end(input);
    const ended = once(child, "close");
    await until(() => existsSync(started));
    child.kill(signal);
    expect(await ended).toEqual([code, null]);
    expect(await findLeftProcesses(marker)).toEqual([]);
  });
});
