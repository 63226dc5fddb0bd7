import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import type { DayStats, RunStats } from "../../contract/run-history.ts";
import { useLoaded } from "./api.ts";
import { nameOf } from "./format.ts";
import { usePage } from "./page-context.ts";
import { AsTable, Bar, Choice, Empty, Section, Trouble } from "./parts.tsx";
import { VisibleLine } from "./plain.tsx";
import { Plot } from "./plot.tsx";
import { type Route, toHash } from "./router.ts";
import { wordOf } from "./texts.ts";

const PERIODS = ["7", "30", ""] as const;
const USUAL = "30";

/** Whether it helps: how many runs had evidence, what they cost, and why others stayed silent. */
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
  const figures: readonly (readonly [label: string, value: string, more: string])[] = [
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
      <dl class="figures" data-part="figures">
        {figures.map(([label, value, more]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {value} {more !== "" && <small>{more}</small>}
            </dd>
          </div>
        ))}
      </dl>
      <Plots days={stats.per_day} />
      <div class="halves">
        <Counts title={t.toolsUsed} note={t.toolsOf} counts={stats.tools} of={runs} empty={t.noPlan} />
        <Counts title={t.reasons} note="" counts={stats.silent_reasons} of={silent} empty={t.noReasons} />
      </div>
    </>
  );
}

function Plots({ days }: { readonly days: readonly DayStats[] }): VNode {
  const { t, format } = usePage();
  const names = useMemo(() => days.map(({ day }) => day), [days]);
  const rows = useMemo(
    () => ({
      runs: [
        { label: t.withEvidence, colour: "--evidence", values: days.map((day) => day.with_evidence) },
        {
          label: t.rest,
          colour: "--guess",
          values: days.map((day) => Math.max(0, day.runs - day.with_evidence - day.silent)),
        },
        { label: t.silentShare, colour: "--silent", values: days.map(({ silent }) => silent) },
      ],
      latency: [
        { label: t.slow, colour: "--guess", values: days.map(({ p95 }) => p95) },
        { label: t.typical, colour: "--accent", values: days.map(({ p50 }) => p50) },
      ],
      chars: [{ label: t.injectedChars, colour: "--accent", values: days.map((day) => day.injected_chars) }],
    }),
    [days, t],
  );
  const shared = { days: names, writeDay: (day: string) => day.slice(5).replace("-", "/") };
  return (
    <>
      <div class="plots" data-part="plots">
        <Plot {...shared} kind="stack" label={t.runsPerDay} series={rows.runs} write={format.number} />
        <Plot {...shared} kind="lines" label={t.latencyPerDay} series={rows.latency} write={format.duration} />
        <Plot {...shared} kind="stack" label={t.charsPerDay} series={rows.chars} write={format.number} />
      </div>
      <AsTable
        heads={[t.day, t.parts.runs, t.withEvidence, t.silentShare, t.typical, t.slow, t.injectedChars]}
        rows={days.map((day) => [
          day.day,
          ...[day.runs, day.with_evidence, day.silent].map(format.number),
          ...[day.p50, day.p95].map(format.duration),
          format.number(day.injected_chars),
        ])}
      />
    </>
  );
}

/** How many names are listed. */
const MOST = 12;

function Counts(props: {
  readonly title: string;
  readonly note: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly of: number;
  readonly empty: string;
}): VNode {
  const { format } = usePage();
  const counts = Object.entries(props.counts)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MOST);
  return (
    <Section title={props.title} aside={props.note === "" ? undefined : props.note}>
      {counts.length === 0 && <Empty>{props.empty}</Empty>}
      <ul class="counts">
        {counts.map(([name, count]) => (
          <li key={name}>
            <span class="count-name">
              <VisibleLine text={name} />
            </span>
            <Bar share={props.of === 0 ? 0 : count / props.of} />
            <span class="figure">
              {format.number(count)} <small>{format.percent(props.of === 0 ? 0 : count / props.of)}</small>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
