import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeScratch, type Scratch } from "../e2e/scratch.ts";
import { codeCache, projectRoot } from "./doors.ts";
import { MARKER } from "./leftovers.ts";

/** The command line. */
export const groundwork = join(projectRoot, "bin/groundwork");

/** An indexed repository with a home and a state folder of its own, in which a resident may run. */
export interface ResidentPlace {
  readonly scratch: Scratch;
  readonly state: string;
  /** A whole environment; what is started in it carries the marker. */
  readonly env: Record<string, string>;
}

/** Makes such a place. Contract: whoever makes it kills what carries the marker and disposes of the scratch. */
export async function makeResidentPlace(marker: string): Promise<ResidentPlace> {
  const scratch = await makeScratch();
  const state = join(scratch.home, "state");
  mkdirSync(state, { mode: 0o700 });
  const env = {
    ...scratch.env,
    GROUNDWORK_HOME: state,
    ...codeCache,
    CI_AUTO_TOOLS_INDEX: "auto",
    // As if it were not set.
    GROUNDWORK_RESIDENT: "",
    [MARKER]: marker,
  };
  // What was written a moment ago counts as changed.
  await sleep(100);
  execFileSync(groundwork, ["index"], { cwd: scratch.repo, env });
  return { scratch, state, env };
}
