import { readdirSync } from "node:fs";
import { join } from "node:path";
import { endJobProcesses } from "../../base/subprocess/marks.ts";
import { supervisorMark } from "./store.ts";

/** What was about to be started when its parent was ended is found in the second look. */
const ROUNDS = 2;

/** Ends everything that runs of a folder have left, their supervisors first. Contract: never throws. */
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
