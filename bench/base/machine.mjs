// Simulates a separate machine: its own home and state folder.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { makeCodeCache } from "../../scripts/code-cache.mjs";
import { groundwork, hook } from "../support.mjs";

/** Makes a machine in a folder. */
export function makeMachine(folder) {
  const home = join(folder, "home");
  const state = join(folder, "state");
  for (const made of [home, state]) mkdirSync(made, { recursive: true, mode: 0o700 });
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    GROUNDWORK_HOME: state,
    // Each question must be answered from the files on disk.
    GROUNDWORK_RESIDENT: "off",
    GROUNDWORK_HISTORY: "off",
    ...makeCodeCache(),
  };
  return {
    state,
    env,
    /** Runs a command of ours. Returns its output, wall-clock seconds and CPU seconds. Contract: throws if it fails. */
    run: (cwd, ...args) => {
      const startMs = performance.now();
      const done = spawnSync("/bin/sh", ["-c", '"$@"; echo; times', "sh", groundwork, ...args], {
        cwd,
        env,
        encoding: "utf8",
        maxBuffer: 64 * 1024 * 1024,
      });
      const wallS = (performance.now() - startMs) / 1_000;
      const [, printed = "", times = ""] = /^([\s\S]*)\n([^\n]*\n[^\n]*)\n$/.exec(done.stdout) ?? [];
      if (done.status !== 0 || /^groundwork: /m.test(printed))
        throw new Error(`groundwork ${args.join(" ")}: ${printed}${done.stderr}`);
      const [, ...children] = times.split("\n");
      const parts = [...children.join("").matchAll(/(\d+)m([\d.,]+)s/g)];
      const cpuS = parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
      return { printed: printed.trim(), wallS, cpuS };
    },
    /** Starts a command of ours without waiting for it. */
    start: (cwd, ...args) => spawn(groundwork, args, { cwd, env, stdio: "ignore" }),
    /** Returns the output of the hook for a prompt. */
    ask: (cwd, prompt) => {
      const input = JSON.stringify({ prompt, cwd, hook_event_name: "UserPromptSubmit" });
      const done = spawnSync(hook, [], { cwd, env: { ...env, WORKING_DIRECTORY: cwd }, input, encoding: "utf8" });
      if (done.status !== 0) throw new Error(`hook: exit ${done.status}\n${done.stderr}`);
      return done.stdout;
    },
  };
}
