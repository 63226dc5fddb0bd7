import { join } from "node:path";
import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { startDetached } from "../base/subprocess/start-detached.ts";
import type { Settings } from "../config/settings.ts";
import { readTeamServer } from "../config/team-server.ts";
import type { FigureBook } from "../run-history/figure-book.ts";
import { readUserSettings } from "./own-settings.ts";
import { projectRoot } from "./process.ts";

/** Whether figures of runs go to the team's server. Contract: not where nothing is kept of runs. */
export function sharesFigures({ teamFigures, history }: Settings): boolean {
  return teamFigures === "on" && history !== "off";
}

/** What keeps figures from being sent although the user wants it; empty where nothing does. */
export function whyNotSent(env: Environment, { history }: Settings): string {
  if (history === "off") return "nothing is kept of runs that could be counted; history: off says so";
  const place = readTeamServer(env);
  return place.ok ? "" : [place.fault.message, place.fault.hint].filter(Boolean).join("; ");
}

/**
 * Has figures sent by a process of their own, where the user wants that and it is time. From the moment on that the user does not want it any
 * more, nothing counts and what waits is forgotten. Contract: throws where the store breaks; waits for no server.
 */
export async function offerFigures(env: Environment, figures: FigureBook): Promise<void> {
  const settings = await readUserSettings(env);
  // Nobody knows what the user wants.
  if (settings === null) return;
  if (!sharesFigures(settings)) return figures.stop();
  const nowMs = systemClock.nowMs();
  figures.begin(nowMs);
  if (!readTeamServer(env).ok || !figures.claim(nowMs)) return;
  await startDetached(process.execPath, [join(projectRoot, "dist", "send-figures.cjs")], {
    cwd: "/",
    // A question to the resident does not bring it along.
    env: { NODE_EXTRA_CA_CERTS: process.env["NODE_EXTRA_CA_CERTS"], ...env },
  });
}
