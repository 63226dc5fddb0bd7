import { join } from "node:path";
import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { startDetached } from "../base/subprocess/start-detached.ts";
import { readUserSettings } from "../config/load-settings.ts";
import type { Settings } from "../config/settings.ts";
import { readTeamServer } from "../config/team-server.ts";
import { sayFault } from "../contract/faults.ts";
import type { FigureBook } from "../run-history/figure-book.ts";
import { projectRoot } from "./process.ts";

/** True if figures of runs go to the team server. Contract: false if no runs are kept. */
export function sharesFigures({ teamFigures, history }: Settings): boolean {
  return teamFigures === "on" && history !== "off";
}

/** Reason why figures are not sent although the user wants it; empty if there is none. */
export function whyNotSent(env: Environment, { history }: Settings): string {
  if (history === "off") return "nothing is kept of runs that could be counted; history: off says so";
  const place = readTeamServer(env);
  return place.ok ? "" : sayFault(place.fault);
}

/**
 * Starts a process that sends figures, if the user wants that and it is due. As soon as the user no longer wants it,
 * nothing is counted and pending figures are discarded. Contract: throws if the store breaks; waits for no server.
 */
export async function offerFigures(env: Environment, figures: FigureBook): Promise<void> {
  const settings = await readUserSettings(env);
  // Unreadable settings: the user's wish is unknown.
  if (settings === null) return;
  if (!sharesFigures(settings)) return figures.stop();
  const nowMs = systemClock.nowMs();
  figures.begin(nowMs);
  if (!readTeamServer(env).ok || !figures.claim(nowMs)) return;
  await startDetached(process.execPath, [join(projectRoot, "dist", "send-figures.cjs")], {
    cwd: "/",
    // Not among the variables of a question to the resident.
    env: { NODE_EXTRA_CA_CERTS: process.env["NODE_EXTRA_CA_CERTS"], ...env },
  });
}
