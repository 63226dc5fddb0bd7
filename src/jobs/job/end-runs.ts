import { readdirSync } from "node:fs";
import { join } from "node:path";
import { endJobProcesses } from "../../base/subprocess/marks.ts";
import { supervisorMark } from "./store.ts";

/** The second round finds processes that were being started while their parent was killed. */
const ROUNDS = 2;

/** Ends all processes left by the runs of a folder, supervisors first. Contract: never throws. */
export function endRunsIn(cwd: string): void {
  const sessions = join(cwd, ".codex-father", "sessions");
  let names: string[] = [];
  try {
    names = readdirSync(sessions);
  } catch {
    return;
  }
  const folders = names.map((name) => join(sessions, name));
  for (let round = 0; round < ROUNDS; round++)
    for (const folder of folders) for (const mark of [supervisorMark(folder), folder]) endJobProcesses(mark);
}
