import { toWords } from "../../base/text.ts";
import { countOf } from "../../contract/count-of.ts";
import type { DayFigures, TeamStats } from "../../contract/figures.ts";
import type { SharingState } from "../../contract/run-history.ts";
import { printFacts, type Screen, table } from "./layout.ts";
import { toFigure } from "./run-words.ts";
import { printSafeJson, safeLine } from "./safe-text.ts";
import { daysPart, printShares, ranking, sayTimes, sayVerdicts, toPercent } from "./stats.ts";

const INDENT = 2;

/** The figures that this machine shares. */
export interface Sharing {
  readonly isOn: boolean;
  /** Why nothing is sent although sharing is on; empty if nothing prevents it. */
  readonly obstacle: string;
  /** Null if no run counts yet. */
  readonly state: SharingState | null;
  /** The next figures to send; if nothing is shared, the figures that the stored runs would have given. */
  readonly days: readonly DayFigures[];
}

/** Formats what this machine shares as JSON. */
export function printSharingJson({ isOn, obstacle, state, days }: Sharing): string {
  const toTime = (ms: number | undefined) => (ms === undefined || ms === 0 ? null : new Date(ms).toISOString());
  const times = { since: toTime(state?.since), tried_at: toTime(state?.triedAt), sent_at: toTime(state?.sentAt) };
  return printSafeJson({ on: isOn, obstacle, ...times, trouble: state?.trouble ?? "", days });
}

/** Formats the figures of a team for people. */
export function printTeamStats(stats: TeamStats, screen: Screen): string {
  const { runs, clients, days, outcomes } = stats;
  const who = `figures of ${countOf(clients, "client")}, the last ${countOf(days, "day")}`;
  if (runs === 0)
    return clients === 0 ? `Nobody has shared figures in the last ${countOf(days, "day")}.\n` : `${who}: no runs.\n`;
  const few = stats.few_clients
    ? `\n${screen.paint.warning("With so few clients, these are individual figures rather than a team's.")}`
    : "";
  const limits = Object.entries(stats.limits).map(([code, count]) => [toWords(code), count] as const);
  const parts = [
    `${screen.paint.bold(`${toFigure(runs)} ${runs === 1 ? "run" : "runs"}`)}, ${who}${few}`,
    printShares(
      [
        ["evidence", outcomes.evidence, "good"],
        ["a guess", outcomes.guess, "warning"],
        ["nothing", outcomes.silent, "faint"],
        ["only planned", outcomes.plan, "accent"],
        ["failed", outcomes.failed, "bad"],
      ],
      runs,
      screen,
    ),
    printFacts(
      [
        ["time", sayTimes(stats.latency_ms)],
        ["injected", `${toFigure(stats.injected_chars)} characters`],
        ["verdicts", sayVerdicts(stats.useful, stats.useless)],
      ],
      screen,
    ),
    ranking("Tools, by runs that used them", Object.entries(stats.tools).map(toToolRow), screen),
    ranking("What was left out, by runs", limits, screen),
    ranking("Who asked, by runs", Object.entries(stats.asked_by), screen),
    daysPart(stats.per_day, screen),
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function toToolRow([name, { runs, failed }]: [string, TeamStats["tools"][string]]): [string, number, string] {
  return [name, runs, failed === 0 ? "" : `failed in ${toPercent(failed, runs)}`];
}

/** Formats what this machine shares for people. */
export function printSharing({ isOn, obstacle, state, days }: Sharing, screen: Screen): string {
  const counts = isOn && state !== null;
  const head = counts ? "This goes next, and nothing else:" : "Of the runs that are kept it would be this:";
  const none = counts ? "Nothing waits to be sent." : "No runs are kept.";
  const said = days.length === 0 ? [none] : [head, "", ...days.map((day) => printDay(day, screen))];
  return `${[sayState(isOn, safeLine(obstacle), state), ...said].join("\n")}\n`;
}

function sayState(isOn: boolean, obstacle: string, state: SharingState | null): string {
  if (!isOn)
    return "Figures of your runs are not shared; team_figures: on in ~/.groundwork/auto-tools.yaml shares them.";
  if (obstacle !== "") return `Figures of your runs would be shared, but ${obstacle}.`;
  if (state === null) return "Figures of your runs are shared, beginning with the next run.";
  const toTime = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const sent = state.sentAt === 0 ? "nothing was sent yet" : `last sent ${toTime(state.sentAt)}`;
  const trouble =
    state.trouble === "" ? "" : `; the last attempt, ${toTime(state.triedAt)}: ${safeLine(state.trouble)}`;
  return `Figures of your runs are shared since ${toTime(state.since)}; ${sent}${trouble}.`;
}

function printDay({ day, counts }: DayFigures, screen: Screen): string {
  const rows = Object.entries(counts).map(([figure, count]) => [figure, toFigure(count)]);
  const columns = [{}, { align: "right" }] as const;
  return `${screen.paint.bold(day)}\n${table(rows, { width: screen.columns, indent: INDENT, columns })}`;
}
