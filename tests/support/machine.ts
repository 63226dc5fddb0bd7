import { spawn } from "node:child_process";
import { codeCache, groundwork } from "./doors.ts";
import { runProgram } from "./run-program.ts";
import { makeFolder } from "./temp-folder.ts";

/** Simulates a separate machine: it has its own home and shares nothing with others. */
export function makeMachine() {
  const home = makeFolder();
  const start = (cwd: string, args: readonly string[]) =>
    spawn(groundwork, args, { cwd, env, stdio: ["ignore", "ignore", "ignore"], detached: true });
  const env = { PATH: process.env["PATH"] ?? "", GROUNDWORK_RESIDENT: "off", ...codeCache, HOME: home };
  const run = (cwd: string, args: readonly string[], more: Record<string, string> = {}) =>
    runProgram(groundwork, args, { cwd, env: { ...env, ...more } });
  return { home, env, run, start };
}
