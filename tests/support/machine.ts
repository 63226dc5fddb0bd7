import { spawn } from "node:child_process";
import { join } from "node:path";
import { codeCache, projectRoot } from "./doors.ts";
import { makeFolder } from "./temp-folder.ts";

const door = join(projectRoot, "bin/groundwork");

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Simulates a separate machine: it has its own home and shares nothing with others. */
export function makeMachine() {
  const home = makeFolder();
  const start = (cwd: string, args: readonly string[]) =>
    spawn(door, args, { cwd, env, stdio: ["ignore", "ignore", "ignore"], detached: true });
  const env = { PATH: process.env["PATH"] ?? "", GROUNDWORK_RESIDENT: "off", ...codeCache, HOME: home };
  const run = (cwd: string, args: readonly string[], more: Record<string, string> = {}): Promise<Ended> => {
    const child = spawn(door, args, { cwd, env: { ...env, ...more }, stdio: ["ignore", "pipe", "pipe"] });
    const printed = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (text: string) => {
        printed[name] += text;
      });
    return new Promise((resolve) => child.once("close", (code) => resolve({ code, ...printed })));
  };
  return { home, env, run, start };
}
