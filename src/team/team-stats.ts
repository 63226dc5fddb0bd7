import type { TeamServerPlace } from "../config/team-server.ts";
import { fail, type Outcome, succeed } from "../contract/faults.ts";
import { FIGURE_REPORT } from "../contract/figure-schema.ts";
import {
  type DayFigures,
  type FigureGroup,
  type FigureReport,
  splitFigure,
  type TeamStats,
  TIME_BOUNDS_MS,
} from "../contract/figures.ts";
import { type DayStats, RUN_OUTCOMES, type RunOutcome } from "../contract/run-history.ts";
import { askTeamServer } from "./ask-server.ts";

/** Time limit; a user waits for the answer. */
const MAX_MS = 10_000;

/** With fewer clients than this, the figures show individuals rather than a team. */
const FEW_CLIENTS = 3;

type Counts = Readonly<Record<string, number>>;

/**
 * Fetches the figures of the last days from a team's server. Contract: as `askTeamServer`; an answer that is not a
 * report is a fault.
 */
export async function fetchTeamStats(place: TeamServerPlace, days: number): Promise<Outcome<TeamStats>> {
  const signal = AbortSignal.timeout(MAX_MS);
  const answer = await askTeamServer(place, { method: "GET", path: `/v1/figures?days=${days}`, signal });
  if (!answer.ok) return answer;
  const read = FIGURE_REPORT.safeParse(answer.value);
  return read.success
    ? succeed(toTeamStats(read.data))
    : fail("E_PARSE", "the team's server did not answer with figures", "check GROUNDWORK_TEAM_URL");
}

/** Converts a report into the figures for display. */
function toTeamStats({ days, clients, per_day }: FigureReport): TeamStats {
  const whole = addUp(per_day);
  const { runs, injected_chars, p50, p95 } = summarise(whole);
  const [outcomes, verdicts] = [groupOf(whole, "outcome"), groupOf(whole, "verdict")];
  // A map, because a tool may be called `constructor`: others choose these names.
  const failed = new Map(Object.entries(groupOf(whole, "failed")));
  const tools = Object.entries(groupOf(whole, "tool"));
  const byOutcome = RUN_OUTCOMES.map((outcome) => [outcome, outcomes[outcome] ?? 0]);
  return {
    days,
    clients,
    few_clients: clients < FEW_CLIENTS,
    runs,
    outcomes: Object.fromEntries(byOutcome) as Record<RunOutcome, number>,
    latency_ms: { p50, p95 },
    injected_chars,
    tools: Object.fromEntries(tools.map(([tool, count]) => [tool, { runs: count, failed: failed.get(tool) ?? 0 }])),
    limits: groupOf(whole, "limit"),
    asked_by: groupOf(whole, "client"),
    useful: verdicts["useful"] ?? 0,
    useless: verdicts["useless"] ?? 0,
    per_day: per_day.map(({ day, counts }) => ({ day, ...summarise(counts) })),
  };
}

function addUp(days: readonly DayFigures[]): Counts {
  const sums = new Map<string, number>();
  for (const { counts } of days)
    for (const [figure, count] of Object.entries(counts)) sums.set(figure, (sums.get(figure) ?? 0) + count);
  return Object.fromEntries(sums);
}

/** Figures of a group by name, largest first. */
function groupOf(counts: Counts, group: FigureGroup): Record<string, number> {
  const own = Object.entries(counts).flatMap(([figure, count]) => {
    const [found, name = ""] = splitFigure(figure) ?? [];
    return found === group ? [[name, count] as const] : [];
  });
  return Object.fromEntries(own.sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)));
}

function summarise(counts: Counts): Omit<DayStats, "day"> {
  const outcomes = groupOf(counts, "outcome");
  const times = groupOf(counts, "time");
  return {
    runs: Object.values(outcomes).reduce((all, count) => all + count, 0),
    with_evidence: (outcomes["evidence"] ?? 0) + (outcomes["guess"] ?? 0),
    silent: outcomes["silent"] ?? 0,
    p50: withinOf(times, 0.5),
    p95: withinOf(times, 0.95),
    injected_chars: counts["injected.chars"] ?? 0,
  };
}

/** Upper bound of the run time of this share of runs; 0 if no run was timed. */
function withinOf(times: Counts, share: number): number {
  const counts = TIME_BOUNDS_MS.map((bound) => times[String(bound)] ?? 0);
  const wanted = share * counts.reduce((all, count) => all + count, 0);
  let seen = 0;
  for (const [at, bound] of TIME_BOUNDS_MS.entries()) {
    seen += counts[at] ?? 0;
    if (seen > 0 && seen >= wanted) return bound;
  }
  return 0;
}
