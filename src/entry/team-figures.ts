import type { OptionsOf } from "../adapters/cli/commands/table.ts";
import { printSafeJson } from "../adapters/cli/safe-text.ts";
import { printSharing, printSharingJson, printTeamStats } from "../adapters/cli/team-stats.ts";
import { systemClock } from "../base/clock.ts";
import { readUserSettings } from "../config/load-settings.ts";
import { readTeamServer } from "../config/team-server.ts";
import { MAX_FIGURE_DAYS, USUAL_FIGURE_DAYS } from "../contract/figures.ts";
import type { ToolDeclaration } from "../contract/tool.ts";
import { fetchTeamStats } from "../team/team-stats.ts";
import { withHistory } from "./kept-runs.ts";
import { whyNotSent } from "./offer-figures.ts";
import { failed, misuse, type Printed } from "./printed.ts";
import { screenOf } from "./screen.ts";

/** `groundwork stats --team`: prints the figures of a team, or what this machine would add to them. */
export async function countTeam(options: OptionsOf<"stats">, tools: readonly ToolDeclaration[]): Promise<Printed> {
  if (options.repo !== undefined || options.since !== undefined)
    return misuse("--team goes with neither --repo nor --since: a team's figures name no repository", "stats");
  if (options.pending === true && options.days !== undefined)
    return misuse("--pending takes no --days: it shows all that waits", "stats");
  return options.pending === true ? showPending(options, tools) : showTeam(options);
}

async function showTeam(options: OptionsOf<"stats">): Promise<Printed> {
  const days = options.days === undefined ? USUAL_FIGURE_DAYS : toDays(options.days);
  if (days === null) return misuse(`--days takes a number from 1 to ${MAX_FIGURE_DAYS}`, "stats");
  const place = readTeamServer(process.env);
  if (!place.ok) return failed(place.fault);
  const stats = await fetchTeamStats(place.value, days);
  if (!stats.ok) return failed(stats.fault);
  const { value } = stats;
  return { text: options.json === true ? printSafeJson(value) : printTeamStats(value, screenOf(options)), exitCode: 0 };
}

function toDays(text: string): number | null {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return days >= 1 && days <= MAX_FIGURE_DAYS ? days : null;
}

async function showPending(options: OptionsOf<"stats">, tools: readonly ToolDeclaration[]): Promise<Printed> {
  const settings = await readUserSettings(process.env);
  return withHistory(({ figures }) => {
    const names = tools.map(({ name }) => name);
    const sharing = {
      isOn: settings?.teamFigures === "on",
      obstacle: settings === null ? "" : whyNotSent(process.env, settings),
      state: figures.state(),
      days: figures.pending(systemClock.nowMs(), names),
    };
    const text = options.json === true ? printSharingJson(sharing) : printSharing(sharing, screenOf(options));
    return { text, exitCode: 0 };
  });
}
