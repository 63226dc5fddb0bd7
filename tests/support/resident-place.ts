import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeScratch, type Scratch } from "../e2e/scratch.ts";
import { codeCache, groundwork } from "./doors.ts";
import { MARKER } from "./leftovers.ts";

/** Variables that prevent node from starting: an answer then came without it. */
export const NO_NODE = { NODE_OPTIONS: "--require=/proc/no/such/module" };

/** An indexed repository with its own home and state folder, in which a resident may run. */
interface ResidentPlace {
  readonly scratch: Scratch;
  readonly state: string;
  /** A complete environment; processes started in it have the marker. */
  readonly env: Record<string, string>;
}

/** Makes such a place. Contract: the caller kills processes with the marker and disposes of the scratch. */
export async function makeResidentPlace(marker: string): Promise<ResidentPlace> {
  const scratch = await makeScratch();
  const state = join(scratch.home, "state");
  mkdirSync(state, { mode: 0o700 });
  const env = {
    ...scratch.env,
    GROUNDWORK_HOME: state,
    ...codeCache,
    CI_AUTO_TOOLS_INDEX: "auto",
    // Equivalent to not being set.
    GROUNDWORK_RESIDENT: "",
    [MARKER]: marker,
  };
  // Files that were just written count as changed.
  await sleep(100);
  execFileSync(groundwork, ["index"], { cwd: scratch.repo, env });
  return { scratch, state, env };
}
