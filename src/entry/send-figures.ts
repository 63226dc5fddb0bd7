import { systemClock } from "../base/clock.ts";
import { startTimer } from "../base/timers.ts";
import { readUserSettings } from "../config/load-settings.ts";
import { readTeamServer } from "../config/team-server.ts";
import { shareFigures } from "../team/share-figures.ts";
import { sharesFigures } from "./offer-figures.ts";
import { openOwnHistory } from "./own-history.ts";
import { makeDoorTools } from "./tools.ts";

/** Time limit for sending everything. */
const MAX_MS = 60_000;

/** Sends the pending figures to the team server and exits, whether or not it accepted them. */
async function main(): Promise<void> {
  const place = readTeamServer(process.env);
  const settings = await readUserSettings(process.env);
  if (!place.ok || settings === null || !sharesFigures(settings)) return;
  const opened = await openOwnHistory(process.env);
  if (!opened.ok) return;
  const { figures } = opened.value;
  // A server that neither answers nor closes the connection must not keep this process alive.
  startTimer(MAX_MS + 1_000, () => process.exit(0)).unref();
  const tools = makeDoorTools(process.env).map(({ name }) => name);
  const collect = () => figures.collect(systemClock.nowMs(), tools);
  const signal = AbortSignal.timeout(MAX_MS);
  const remove = (batch: string) => figures.remove(batch);
  let trouble = "";
  // Repeated, because figures that arrive while a batch is sent are not part of it.
  for (let batches = collect(); batches.length > 0 && trouble === ""; batches = collect())
    trouble = await shareFigures(place.value, { batches, remove }, signal);
  figures.note(systemClock.nowMs(), trouble);
}

// Failures are ignored: there is nobody to report them to.
main().then(
  () => process.exit(0),
  () => process.exit(0),
);
