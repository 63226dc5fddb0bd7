import type { VNode } from "preact";
import type { RunStats } from "../../contract/run-history.ts";
import { useLoaded } from "./api.ts";
import { Counts, type Figure, FigureList, Plots } from "./figures.tsx";
import { nameOf } from "./format.ts";
import { usePage } from "./page-context.ts";
import { Choice, Empty, Trouble } from "./parts.tsx";
import { type Route, toHash } from "./router.ts";
import { wordOf } from "./texts.ts";

const PERIODS = ["7", "30", ""] as const;
const USUAL = "30";

/** Shows the value of the tool: how many runs had evidence, what they cost, and why others stayed silent. */
export function Value({ route }: { readonly route: Route }): VNode {
  const { t, state } = usePage();
  const repo = route.query.get("repo") ?? "";
  const days = route.query.get("days") ?? USUAL;
  const { value, error } = useLoaded<RunStats>(
    `stats?${new URLSearchParams({ ...(repo === "" ? {} : { repo }), ...(days === "all" ? {} : { days }) })}`,
  );
  const choose = (change: Readonly<Record<string, string>>) =>
    location.replace(toHash("value", "", { repo, days, ...change }));
  return (
    <div class="value">
      <h1 class="unseen">{t.parts.value}</h1>
      <div class="filters">
        <Choice
          label={t.period}
          value={days === "all" ? "" : days}
          options={PERIODS.map((period) => [period, wordOf(t.periods, period)] as const)}
          onChoose={(chosen) => choose({ days: chosen || "all" })}
        />
        <Choice
          label={t.repository}
          value={repo}
          options={[["", t.allRepositories], ...state.repos.map((one) => [one, nameOf(one)] as const)]}
          onChoose={(chosen) => choose({ repo: chosen })}
        />
      </div>
      {error !== null && <Trouble error={error} />}
      {value !== null && value.runs === 0 && <Empty>{t.noFigures}</Empty>}
      {value !== null && value.runs > 0 && <Figures stats={value} />}
    </div>
  );
}

function Figures({ stats }: { readonly stats: RunStats }): VNode {
  const { t, format } = usePage();
  const { runs, with_evidence, silent, latency_ms, injected_chars, repeated, useful, useless } = stats;
  const figures: readonly Figure[] = [
    [t.parts.runs, format.number(runs), ""],
    [t.withEvidence, format.percent(with_evidence / runs), format.number(with_evidence)],
    [t.silentShare, format.percent(silent / runs), format.number(silent)],
    [t.repeated, format.percent(repeated / runs), format.number(repeated)],
    [t.typical, format.duration(latency_ms.p50), ""],
    [t.slow, format.duration(latency_ms.p95), ""],
    [
      t.injectedChars,
      format.number(injected_chars),
      with_evidence === 0 ? "" : t.perRun(format.number(injected_chars / with_evidence)),
    ],
    [
      t.verdictsTitle,
      format.number(useful + useless),
      useful + useless === 0 ? "" : t.verdictsOf(format.number(useful), format.number(useless)),
    ],
  ];
  return (
    <>
      <FigureList figures={figures} />
      <Plots days={stats.per_day} />
      <div class="halves">
        <Counts title={t.toolsUsed} note={t.toolsOf} counts={stats.tools} of={runs} empty={t.noPlan} />
        <Counts title={t.reasons} note="" counts={stats.silent_reasons} of={silent} empty={t.noReasons} />
      </div>
    </>
  );
}
