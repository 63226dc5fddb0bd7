import { systemClock } from "../base/clock.ts";
import { startTimer } from "../base/timers.ts";
import { readTeamServer } from "../config/team-server.ts";
import { shareFigures } from "../team/share-figures.ts";
import { sharesFigures } from "./offer-figures.ts";
import { openOwnHistory } from "./own-history.ts";
import { readUserSettings } from "./own-settings.ts";
import { makeDoorTools } from "./tools.ts";

/** For all that waits. */
const MAX_MS = 60_000;

/** Sends the figures that wait to the team's server and ends, whether or not it took them. */
async function main(): Promise<void> {
  const place = readTeamServer(process.env);
  const settings = await readUserSettings(process.env);
  if (!place.ok || settings === null || !sharesFigures(settings)) return;
  const opened = await openOwnHistory(process.env);
  if (!opened.ok) return;
  const { figures } = opened.value;
  // A server that neither answers nor lets go must not keep this process.
  startTimer(MAX_MS + 1_000, () => process.exit(0)).unref();
  const tools = makeDoorTools(process.env).map(({ name }) => name);
  const collect = () => figures.collect(systemClock.nowMs(), tools);
  const signal = AbortSignal.timeout(MAX_MS);
  const remove = (batch: string) => figures.remove(batch);
  let trouble = "";
  // Once more after what had waited: what came meanwhile is not in it.
  for (let batches = collect(); batches.length > 0 && trouble === ""; batches = collect())
    trouble = await shareFigures(place.value, { batches, remove }, signal);
  figures.note(systemClock.nowMs(), trouble);
}

// Nobody is there to be told of a failure.
main().then(
  () => process.exit(0),
  () => process.exit(0),
);
