import type { VNode } from "preact";
import { toWords } from "../../base/text.ts";
import type { TeamStats } from "../../contract/figures.ts";
import type { TeamView } from "../wire.ts";
import { useLoaded } from "./api.ts";
import { Counts, type Figure, FigureList, Plots } from "./figures.tsx";
import { usePage } from "./page-context.ts";
import { Choice, Empty, Trouble } from "./parts.tsx";
import { VisibleLine } from "./plain.tsx";
import { type Route, toHash } from "./router.ts";

const USUAL = "30";

/** Shows the value for a whole team: the figures that its members share. */
export function Team({ route }: { readonly route: Route }): VNode {
  const { t, state } = usePage();
  const days = route.query.get("days") ?? USUAL;
  const { value, error } = useLoaded<TeamView>(state.has_team ? `team?${new URLSearchParams({ days })}` : null);
  // An empty version means that the state has not been loaded yet.
  if (!state.has_team) return <Empty>{state.version === "" ? t.loading : t.noTeam}</Empty>;
  return (
    <div class="value">
      <h1 class="unseen">{t.parts.team}</h1>
      <div class="filters">
        <Choice
          label={t.period}
          value={days}
          options={Object.entries(t.teamPeriods)}
          onChoose={(chosen) => location.replace(toHash("team", "", { days: chosen }))}
        />
      </div>
      {error !== null && <Trouble error={error} />}
      {value !== null && value.trouble !== "" && (
        <p class="empty" role="alert">
          <VisibleLine text={value.trouble} />
        </p>
      )}
      {value?.stats != null &&
        (value.stats.runs === 0 ? <Empty>{t.noTeamFigures}</Empty> : <Shared stats={value.stats} />)}
    </div>
  );
}

function Shared({ stats }: { readonly stats: TeamStats }): VNode {
  const { t, format } = usePage();
  const { runs, clients, outcomes, latency_ms, injected_chars, useful, useless, tools } = stats;
  const share = (label: string, count: number): Figure => [label, format.percent(count / runs), format.number(count)];
  const figures: readonly Figure[] = [
    [t.clients, format.number(clients), ""],
    [t.parts.runs, format.number(runs), ""],
    share(t.withEvidence, outcomes.evidence),
    share(t.guesses, outcomes.guess),
    share(t.silentShare, outcomes.silent),
    share(t.failedRuns, outcomes.failed),
    [t.typical, `≤ ${format.duration(latency_ms.p50)}`, ""],
    [t.slow, `≤ ${format.duration(latency_ms.p95)}`, ""],
    [t.injectedChars, format.number(injected_chars), ""],
    [
      t.marked,
      format.number(useful + useless),
      useful + useless === 0 ? "" : t.verdictsOf(format.number(useful), format.number(useless)),
    ],
  ];
  const limits = Object.fromEntries(Object.entries(stats.limits).map(([code, count]) => [toWords(code), count]));
  const counts = Object.fromEntries(Object.entries(tools).map(([tool, used]) => [tool, used.runs]));
  const sayShare = (part: number) => (part < 0.01 ? `< ${format.percent(0.01)}` : format.percent(part));
  const sayFailed = (tool: string) => {
    const used = tools[tool];
    return used === undefined || used.failed === 0 ? "" : t.failedIn(sayShare(used.failed / used.runs));
  };
  return (
    <>
      <p class="note team-note" data-part="team">
        {t.teamOf(format.number(clients), format.number(stats.days))} {stats.few_clients && t.teamFew}
      </p>
      <FigureList figures={figures} />
      <Plots days={stats.per_day} />
      <div class="halves">
        <Counts title={t.toolsUsed} note={t.toolsOf} counts={counts} of={runs} empty={t.noPlan} more={sayFailed} />
        <Counts title={t.limitsTitle} note={t.limitsOf} counts={limits} of={runs} empty={t.noLimits} />
        <Counts title={t.askedBy} note="" counts={stats.asked_by} of={runs} empty={t.noClients} />
      </div>
    </>
  );
}
